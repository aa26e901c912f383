/** Changes by other programs that are pending when a call comes: how long it waits for them, and what becomes of it then. */

import { afterEach, expect, test } from "vitest";
import { unindexed } from "../../test/vault.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "../index/note-index.ts";
import type { OpenNotebook } from "./notebook.ts";
import type { Background } from "./parts.ts";
import { notePath } from "./paths.ts";
import { DEADLINES, saySoFar } from "./waiting.ts";

const WHO = { client: "c", surface: "s", tool: "t", connection: "" };
const [a, b] = [notePath("a.md"), notePath("b.md")];
let notebook: OpenNotebook | undefined;
afterEach(async () => {
  await notebook?.close();
  notebook = undefined;
});

/** Pending changes that are never all in the index. */
const churned = async (flush: Background["flush"]) => {
  const background: Background = { compared: () => null, recorded: () => null, flush };
  const deadlines = { ...DEADLINES, name: 10, pending: 30 };
  const index = openIndex(await openSql(":memory:"));
  notebook = unindexed({ "a.md": "see [[b]]\n", "b.md": "text\n" }, index, { background, deadlines });
  await notebook.refresh();
  return notebook.as(WHO);
};
const never = () => new Promise<void>(() => undefined);

test("a name is looked up after a moment, whatever is still pending", async () => {
  const notebook = await churned(never);
  expect(await notebook.locate("b")).toBe("b.md");
});

test("finding, links, lists and reads by path do not begin to wait", async () => {
  const notebook = await churned(() => expect.fail("asked for pending changes"));
  expect((await notebook.find({ words: "text" }, { limit: 1, sort: "path" })).total).toBe(1);
  expect(await notebook.links({ to: b })).toHaveLength(1);
  expect(await notebook.tags("all")).toEqual([]);
  expect(await notebook.folders("")).toEqual([]);
  expect((await notebook.read(a)).text).toBe("see [[b]]\n");
});

test.each([
  ["move", (it: OpenNotebook) => it.move([{ from: b, to: notePath("c.md") }])],
  ["remove", (it: OpenNotebook) => it.remove(b, { backlinks: "mark" })],
  ["undo", (it: OpenNotebook) => it.undo([])],
])("%s waits for what is pending, then is refused as busy, and nothing is done", async (_, change) => {
  const asking = await churned(never);
  await expect(change({ ...notebook!, ...asking })).rejects.toMatchObject({ code: "busy" });
  expect((await asking.read(a)).text).toBe("see [[b]]\n");
  expect((await asking.read(b)).text).toBe("text\n");
});

test("a change goes on as soon as what was pending is in the index", async () => {
  let end = (): void => undefined;
  const asking = await churned(() => new Promise<void>((resolve) => (end = resolve)));
  const moved = asking.move([{ from: b, to: notePath("c.md") }]);
  setTimeout(() => end());
  expect((await moved).changes).toHaveLength(2);
});

test("how far an index has come is said in words", () => {
  expect(saySoFar({ done: 2310, total: 6571 })).toBe("2,310 of 6,571 notes so far");
  expect(saySoFar({ done: 0, total: 0 })).toBe("no note so far");
});
