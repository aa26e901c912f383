import { afterEach, expect, test, vi } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import type { Side } from "../sync/side.ts";
import { wholeInTime } from "./server-index.ts";

afterEach(() => vi.restoreAllMocks());

/** A side that refuses to be listed so often, each time with so many notes done. */
const indexing = (progress: number[]): Side => ({
  async *held() {
    const done = progress.shift();
    if (done !== undefined)
      throw new NoteError("indexing", `being indexed: ${done}`, { soFar: { done, total: 5241 } });
    yield { notes: [], next: null, total: 0, attachments: 7, unread: [] };
  },
  read: async () => [],
  apply: async () => undefined,
});

test("a server that gets on with its index is waited for, and says how far it is; one that does not is told", async () => {
  const said: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(text) > 0);
  expect(await wholeInTime(indexing([3100, 4000]))).toMatchObject({ attachments: 7 });
  expect(said).toEqual(
    [3100, 4000].map((done) => `waiting for the server's index: ${done.toLocaleString("en-US")} of 5,241\n`),
  );
  await expect(wholeInTime(indexing([10, 10, 10]))).rejects.toThrow("being indexed: 10");
});
