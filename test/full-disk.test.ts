/** The disk of the index fills up: it goes on in a temporary folder, and search does not say for good that it is indexing (attack 62). */

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openIndex } from "../src/index/note-index.ts";
import { indexSchema } from "../src/index/schema.ts";
import type { OpenNotebook } from "../src/notebook/notebook.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openIndexFile } from "../src/sqlite/index-file.ts";
import type { Sql } from "../src/sqlite/sql.ts";
import { unindexed } from "./vault.ts";

const NOTES = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`n${at}.md`, `word${at} ${"some text of the note ".repeat(20)}\n`]),
);
/** With this SQLite itself meets a full disk: more pages than it has now are refused, in this file. */
const fillDisk = (sql: Sql): void => sql.exec("PRAGMA max_page_count = 1");

let place: string;
let told: unknown[];
let sql: Sql;
let notebook: OpenNotebook;
const temporary = () => readdirSync(place).filter((name) => name.startsWith("notewright-index-"));
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), "notewright-full-"));
  vi.stubEnv("TMPDIR", place);
  told = [];
  sql = await openIndexFile(join(place, "cache/index.db"), indexSchema, (error) => told.push(error));
  notebook = unindexed(NOTES, openIndex(sql));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

const found = async (words: string): Promise<string[]> =>
  (await notebook.find({ words }, { limit: 5, sort: "path" })).notes.map(({ path }) => path);

test("during the first index", async () => {
  fillDisk(sql);
  await notebook.refresh();
  expect(String(told)).toContain("full");
  expect(told).toHaveLength(1);
  expect(await found("word299")).toEqual(["n299.md"]);
  expect(temporary()).toHaveLength(1);
  await notebook.close();
  expect(temporary()).toEqual([]);
  expect(existsSync(join(place, "cache/index.db"))).toBe(true);
});

test("later, while notes are written and searched", async () => {
  await notebook.refresh();
  fillDisk(sql);
  const long = `later ${"many words that need new pages ".repeat(5000)}\n`;
  for (let number = 0; number < 20; number++)
    await notebook.write(notePath(`new${number}.md`), `${long}${number}\n`);
  await vi.waitFor(async () => expect(await found("later")).toHaveLength(5), { timeout: 30_000 });
  expect(await found("word7")).toEqual(["n7.md"]);
  expect(told).toHaveLength(1);
  await notebook.close();
  expect(temporary()).toEqual([]);
});
