/** Changes of long notes: others have their turns meanwhile, and the vault is not locked for longer than it must be. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { openHistory, type HistoryVault } from "../../test/history-vault.ts";
import { openNotebook } from "./notebook.ts";
import { notePath } from "./paths.ts";

const LONG = `# Long\n\n${"Some plain words, a [[link]] and a #tag.\n\n".repeat(27_000)}`;
const long = notePath("long.md");
const append = (word: string) => [(text: string) => `${text}${word}\n`];

let vault: HistoryVault;
beforeEach(async () => (vault = await openHistory({ "long.md": LONG, "other.md": "[[long]]\n" })));
afterEach(() => vault.close());

test("a long note goes into the index when the lock has been let go, and is there before the answer", async () => {
  const { parts } = vault;
  let written = false;
  const notebook = openNotebook({
    ...parts,
    index: {
      ...parts.index,
      async put(rows) {
        // For ever, where the lock is still held.
        if (!written) await notebook.write(notePath("meanwhile.md"), "x");
        written = true;
        return parts.index.put(rows);
      },
    },
  });
  await notebook.edit([{ path: long, edits: append("zanzibar") }]);
  expect(written).toBe(true);
  const found = await notebook.find({ words: "zanzibar" }, { limit: 5, sort: "path" });
  expect(found.notes.map(({ path }) => path)).toEqual(["long.md"]);
  expect(vault.logged).toEqual([]);
});

test("after edits, moves, removals and undo the index is what a new one would be", async () => {
  await vault.as("a").edit([{ path: long, edits: append("[[other]] #new") }]);
  await vault.move("a", "long.md", "folder/longer.md");
  const moved = await vault.indexes();
  expect(moved.kept).toEqual(moved.rebuilt);
  await vault.as("b").remove(notePath("folder/longer.md"));
  await vault.undoAll("b");
  await vault.undoAll("a");
  const { kept, rebuilt } = await vault.indexes();
  expect(kept).toEqual(rebuilt);
  expect((await vault.notebook.read(long)).text).toBe(LONG);
  expect(vault.logged).toEqual([]);
});

test("attack 58: so many edits of one note in one call as its length allows; above that none is done", async () => {
  const edits = (count: number) => [
    { path: long, edits: Array.from({ length: count }, () => (text: string) => text) },
  ];
  const most = Math.floor((32 * 1024 * 1024) / LONG.length);
  await vault.notebook.edit(edits(most));
  await expect(vault.notebook.edit(edits(most + 1))).rejects.toMatchObject({ code: "too_large" });
  await vault.notebook.edit([
    { path: notePath("other.md"), edits: Array.from({ length: 5000 }, () => append("x")[0]!) },
  ]);
  expect((await vault.notebook.read(long)).text).toBe(LONG);
});

test("others have a turn between the edits of one call", async () => {
  let turns = 0;
  const slow = (text: string) => {
    const until = performance.now() + 25;
    while (performance.now() < until);
    return text;
  };
  const ticking = setInterval(() => turns++, 1);
  await vault.notebook.edit([{ path: notePath("other.md"), edits: Array.from({ length: 10 }, () => slow) }]);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(5);
});

test("walks over links are done one after another, and a cancelled one holds up nobody", async () => {
  const walk = (signal?: AbortSignal) =>
    vault.notebook
      .as({ client: "c", surface: "s", tool: "t", connection: "c", ...(signal ? { signal } : {}) })
      .links({ around: long, depth: 3, direction: "both" });
  const controller = new AbortController();
  const first = walk();
  const cancelled = walk(controller.signal);
  const last = walk();
  controller.abort(new Error("no"));
  await expect(cancelled).rejects.toThrow("no");
  expect(await last).toEqual(await first);
});
