import { expect, test } from "vitest";
import { describeStore } from "../notebook/suites/store.ts";
import { notePath } from "../notebook/paths.ts";
import { openMemory } from "./memory.ts";

describeStore("the store in memory", async (given) => {
  const store = openMemory(given);
  return { store, cleanup: () => store.close() };
});

test("Obsidian's settings are listed, read, and no notes", async () => {
  const store = openMemory({ ".obsidian/app.json": "{}", ".obsidian/hotkeys.json": "{}", "a.md": "text" });
  expect((await store.settings())!.map(({ path, size }) => [path, size])).toEqual([
    [".obsidian/app.json", 2],
  ]);
  expect((await store.read(".obsidian/app.json"))!.bytes).toHaveLength(2);
  const listed: string[] = [];
  for await (const { notes } of store.list()) listed.push(...notes.map(({ path }) => path));
  expect(listed).toEqual(["a.md"]);
});

test("it can begin with notes", async () => {
  const store = openMemory({ "a/one.md": "text" }, () => new Date("2026-01-02"));
  const note = await store.read(notePath("a/one.md"));
  expect(note).toMatchObject({ path: "a/one.md", size: 4, modified: new Date("2026-01-02") });
});
