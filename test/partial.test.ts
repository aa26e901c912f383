/** While a first indexing goes on, every list says that it may lack something; afterwards none does. */

import { expect, test } from "vitest";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/sqlite/note-index.ts";
import { surfaces } from "../src/surfaces/all.ts";
import { unindexed } from "./vault.ts";

const ASKED: [surface: string, tool: string, input: object][] = [
  ["native", "list_notes", { what: "tags" }],
  ["native", "list_notes", { what: "notes" }],
  ["native", "search_notes", { query: "text" }],
  ["native", "get_links", { note: "a" }],
  ["wiki", "list_tags", {}],
  ["wiki", "get_backlinks", { path: "a" }],
  ["wiki", "browse", {}],
  ["obsidian", "list_notes", {}],
];

test.each(ASKED)("%s %s %j", async (surface, name, input) => {
  const notes = { "a.md": "---\ntags: [t]\n---\ntext [[b]]\n", "b.md": "[[a]]\n" };
  const notebook = unindexed(notes, openIndex(await openSql(":memory:")));
  const tool = surfaces.find((each) => each.name === surface)!.tools.find((each) => each.name === name)!;
  const answer = async (): Promise<string> =>
    JSON.stringify(await tool.run(notebook, tool.input.parse(input)));
  expect(await answer()).toContain("still being indexed");
  await notebook.refresh();
  expect(await answer()).not.toContain("still being indexed");
  await notebook.close();
});
