/** While a first indexing goes on, every list says that it may lack something; afterwards none does. */

import { expect, test } from "vitest";
import { blobId } from "../src/disk/hash.ts";
import { noHistory } from "../src/history/none.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import { openNotebook } from "../src/notebook/notebook.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/sqlite/note-index.ts";
import { openMemory } from "../src/stores/memory.ts";
import { surfaces } from "../src/surfaces/all.ts";

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
  const notebook = openNotebook({
    store: openMemory({ "a.md": "---\ntags: [t]\n---\ntext [[b]]\n", "b.md": "[[a]]\n" }),
    index: openIndex(await openSql(":memory:")),
    history: noHistory(),
    rules: ruleReader,
    now: () => new Date(),
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
  });
  const tool = surfaces.find((each) => each.name === surface)!.tools.find((each) => each.name === name)!;
  const answer = async (): Promise<string> =>
    JSON.stringify(await tool.run(notebook, tool.input.parse(input)));
  expect(await answer()).toContain("still being indexed");
  await notebook.refresh();
  expect(await answer()).not.toContain("still being indexed");
  await notebook.close();
});
