import { expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import type { NotePath } from "../notebook/paths.ts";
import { readAgreed } from "./agreed.ts";
import { carry } from "./carry.ts";
import { planCarrying } from "./plan.ts";
import type { Side } from "./side.ts";

const BAD = new Set(["n07.md", "n30.md"]);
const VERSION = "a".repeat(40);

/** A target that refuses a lot for the first bad note in it. */
const carried = async (named: boolean) => {
  const lots: number[] = [];
  const notes = Array.from({ length: 64 }, (_, at) => ({
    path: `n${String(at).padStart(2, "0")}.md` as NotePath,
    version: VERSION,
    size: 1,
  }));
  const side: Side = {
    held: () => (async function* () {})(),
    read: async (wanted) => wanted.map(() => new Uint8Array(1)),
    async apply(brought) {
      lots.push(brought.length);
      const bad = brought.find(({ path }) => BAD.has(path));
      if (bad) throw new NoteError("note_exists", `no ${bad.path}`, named ? { path: bad.path } : {});
    },
  };
  const plan = planCarrying({ notes, unread: [] }, { notes: [], unread: [] }, readAgreed(""), "there");
  const done = await carry(plan, {
    source: side,
    target: side,
    to: "there",
    versionOf: () => VERSION,
    dryRun: false,
    record: () => undefined,
    progress: () => undefined,
  });
  return { lots, done };
};

test.each([
  ["says which note it is: the others go together without it", true, 3],
  ["does not say which: its halves are tried", false, 21],
])("where a refusal %s", async (_, named, calls) => {
  const { lots, done } = await carried(named);
  expect(lots.length).toBeLessThanOrEqual(calls);
  expect(done).toHaveLength(64);
  const refused = done.filter((one) => one.do === "refuse");
  expect(refused.map(({ path, reason }) => [path, reason]).toSorted()).toEqual(
    [...BAD].map((path) => [path, `no ${path}`]),
  );
});
