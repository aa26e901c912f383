/** More of a kind than a call takes arguments, some 120,000: what hostile notes hold, or a vault of that size. */

import { expect, test } from "vitest";
import { shownInOrder } from "../src/index/link-query.ts";
import { openIndex } from "../src/index/note-index.ts";
import { atOnce } from "../src/markdown/steps.ts";
import type { Link } from "../src/notebook/link-graph.ts";
import type { NoteStore } from "../src/notebook/parts.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openMemory } from "../src/stores/memory.ts";
import { browsed } from "../src/surfaces/wiki/say.ts";
import { unindexed } from "./vault.ts";

const MANY = 150_000;

test("folders of a folder are looked at, and browsed", async () => {
  const folders = Array.from({ length: MANY }, (_, at) => `Folder ${at}`);
  const store: NoteStore = {
    ...openMemory({}),
    folder: async () => ({ notes: [], attachments: [], folders }),
  };
  const index = openIndex(await openSql(":memory:"));
  const notebook = unindexed({}, index, { store });
  expect(await notebook.refreshFolders([""])).toHaveLength(MANY);
  await notebook.close();
  const counted = folders.map((name) => ({ name, count: 1 }));
  expect(browsed("", undefined, counted, []).split("\n").length).toBeGreaterThan(MANY);
});

test("links of several tables are put in order", () => {
  const found = Array.from({ length: MANY }, (_, at) => ({ source: "a.md", line: MANY - at }) as Link);
  function* detailed() {
    yield;
    return found;
  }
  const resolver = { detailed } as unknown as Parameters<typeof shownInOrder>[0];
  const shown = atOnce(shownInOrder(resolver, [{}] as unknown as Parameters<typeof shownInOrder>[1], MANY));
  expect(shown[0]!.line).toBe(1);
  expect(shown).toHaveLength(MANY);
});
