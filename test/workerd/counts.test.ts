/** What calls cost at the edge, counted: rows written, calls to the bucket. */

import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker, type Running } from "./start.ts";
import type { Counts } from "./watched.ts";

/** A new note alone. Filing it with 63 others later is nine rows more, which `npm run bench -- edge` counts. */
const MOST_FOR_A_NEW_NOTE = 60;

let worker: Running;
let client: Client;

beforeAll(async () => {
  worker = await startWorker("test/workerd/watched-worker.ts");
  client = new Client({ name: "counts", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/counted/mcp/cairn", worker.address)));
}, 60_000);
afterAll(async () => {
  await client.close();
  await worker.stop();
});

const counts = async (): Promise<Counts> => {
  const response = await fetch(new URL("/counted", worker.address), {
    method: "POST",
    headers: { "x-call": "counts" },
    body: "[]",
  });
  return ((await response.json()) as { done: Counts }).done;
};
/** Words are put into the postings a moment after a change. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 400));
const call = async (name: string, args: Record<string, unknown>): Promise<void> => {
  const { isError, content } = await client.callTool({ name, arguments: args });
  expect(isError ?? false, JSON.stringify(content)).toBe(false);
};
/** What one call costs, everything counted. */
const costOf = async (work: () => Promise<void>): Promise<Counts> => {
  await pause();
  const before = await counts();
  await work();
  await pause();
  const after = await counts();
  const by = Object.fromEntries(
    Object.entries(after.by).flatMap(([text, rows]) => {
      const more = rows - (before.by[text] ?? 0);
      return more > 0 ? [[text, more]] : [];
    }),
  );
  return {
    written: after.written - before.written,
    read: after.read - before.read,
    bucket: after.bucket - before.bucket,
    calls: after.calls - before.calls,
    by,
  };
};

const words = "garden river machine copper violet lantern orbit anchor meadow compass harbor ribbon".split(
  " ",
);
const text = (seed: number): string =>
  `---\ntags: [one, two]\n---\n# Note ${seed}\n\n` +
  Array.from(
    { length: 10 },
    (_, line) =>
      `${Array.from({ length: 40 }, (__, at) => words[(seed * 7 + line * 13 + at * 5) % 12]! + ((at * line) % 9)).join(" ")}. See [[Note ${(seed + line) % 50}]].`,
  ).join("\n\n");

/** What docs/EDGE.md says that a call costs: rows written, rows read, calls to the bucket. */
const told = (call: string): number[] => {
  const row = readFileSync("docs/EDGE.md", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| ${call} |`));
  const [, , ...cells] = (row ?? "").split("|").map((cell) => cell.trim());
  return cells.slice(0, 3).map(Number);
};
const counted = ({ written, read, bucket }: Counts): number[] => [written, read, bucket];
test(
  "an append, a new note, a read and a search cost no more than is promised",
  { timeout: 60_000 },
  async () => {
    for (let at = 0; at < 60; at++)
      await call("cairn_write", { path: `folder${at % 6}/Note ${at}`, content: text(at) });
    // A key takes one write a second: what comes sooner goes through rows, and is not what is counted here.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const append = await costOf(() =>
      call("cairn_patch", { path: "folder1/Note 7", op: "append", content: "one more line" }),
    );
    expect(append.written, JSON.stringify(append)).toBeLessThanOrEqual(25);
    expect(append.bucket).toBe(2);
    const create = await costOf(() =>
      call("cairn_write", { path: "folder1/New", content: text(99).slice(0, 3000) }),
    );
    expect(create.written, JSON.stringify(create)).toBeLessThanOrEqual(MOST_FOR_A_NEW_NOTE);
    const read = await costOf(() => call("cairn_read", { path: "folder1/Note 7" }));
    expect([read.bucket, read.written]).toEqual([1, 0]);
    const search = await costOf(() => call("cairn_search", { query: "copper lantern" }));
    expect([search.bucket, search.written]).toEqual([0, 0]);
    const all = { "append a line": append, "a new note of 3 kB": create, "read a note": read, search };
    // The same runtime counts the same, so the page tells no other figures.
    for (const [call, cost] of Object.entries(all))
      expect([call, ...counted(cost)], JSON.stringify(cost.by)).toEqual([call, ...told(call)]);
  },
);
