/** An index that cannot be written when a change is committed: the change stands, it is reported, and the index catches up by itself. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notePath } from "../src/notebook/paths.ts";
import { driver, opened } from "../src/sqlite/node.ts";
import { openTestFolder, type TestFolder } from "./faults/notebook.ts";

const A = notePath("a.md");
const B = notePath("b.md");

let root: string;
let vault: TestFolder;
/** How many of the next COMMITs meet a full disk; only of those that hold a revision, where that is asked for. */
let failing = 0;
let onlyRevisions = false;
let revisionWritten = false;

beforeEach(async () => {
  failing = 0;
  onlyRevisions = false;
  root = mkdtempSync(join(tmpdir(), "notewright-full-"));
  const database = new (await driver())(":memory:");
  const full = {
    exec: (text: string) => database.exec(text),
    prepare(text: string) {
      const statement = database.prepare(text);
      if (/INTO revisions\b/.test(text)) {
        const run: typeof statement.run = (...values) => {
          revisionWritten = true;
          return statement.run(...values);
        };
        return { run, all: statement.all.bind(statement), get: statement.get.bind(statement) };
      }
      if (text !== "COMMIT") return statement;
      const run = (): unknown => {
        const spared = onlyRevisions && !revisionWritten;
        revisionWritten = false;
        if (failing === 0 || spared) return statement.run();
        failing--;
        throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
      };
      return { run, all: () => [], get: () => undefined };
    },
    close: () => database.close(),
  };
  vault = await openTestFolder(root, { durability: "fast", sql: opened(full, "wal") });
  await vault.notebook.write(A, "an old word\n");
  expect(await found("old")).toEqual([A]);
});
afterEach(async () => {
  failing = 0;
  await vault.close();
  rmSync(root, { recursive: true, force: true });
});

const found = async (words: string): Promise<string[]> =>
  (await vault.notebook.find({ words }, { limit: 9, sort: "rank" })).notes.map(({ path }) => path);
const REPORT = /on disk, but could not be put into the index.*disk is full/;

test("a COMMIT that fails once is reported, and the note is found and its revision listed all the same", async () => {
  failing = 1;
  const { revision } = await vault.notebook.edit([{ path: A, edits: [() => "a fresh word\n"] }]);
  expect(failing).toBe(0);
  expect(readFileSync(join(root, A), "utf8")).toBe("a fresh word\n");
  expect(vault.reported).toEqual([expect.stringMatching(REPORT)]);
  expect(revision).not.toBe(null);
  expect(vault.sql.get("SELECT id FROM revisions ORDER BY number DESC LIMIT 1")).toEqual({ id: revision });
  expect(await found("fresh")).toEqual([A]);
  expect(await found("old")).toEqual([]);
  expect((await vault.notebook.log({ path: A, limit: 1 }))[0]!.id).toBe(revision);
});

test("while COMMITs go on failing every change is answered and reported; the first question after that finds them all", async () => {
  failing = Number.POSITIVE_INFINITY;
  await vault.notebook.edit([{ path: A, edits: [() => "a fresh word\n"] }]);
  await vault.notebook.move([{ from: A, to: B }]);
  const { revision } = await vault.notebook.write(A, "another word\n");
  expect(vault.reported).toEqual(Array(3).fill(expect.stringMatching(REPORT)));
  expect(await found("old")).toEqual([A]);

  failing = 0;
  expect(await found("fresh")).toEqual([B]);
  expect(await found("another")).toEqual([A]);
  expect(await found("old")).toEqual([]);
  expect(vault.sql.get("SELECT id FROM revisions ORDER BY number DESC LIMIT 1")).toEqual({ id: revision });
  expect(vault.reported).toHaveLength(3);
});

test("a COMMIT that fails for an edit by another program is reported, and its revision is caught up", async () => {
  writeFileSync(join(root, A), "a fresh word\n");
  [failing, onlyRevisions] = [1, true];
  await vault.notebook.refreshPaths([A]);
  expect(failing).toBe(0);
  expect(vault.reported).toEqual([expect.stringMatching(REPORT)]);
  expect(await found("fresh")).toEqual([A]);
  expect(vault.sql.get("SELECT author FROM revisions ORDER BY number DESC LIMIT 1")).toEqual({
    author: "another program",
  });
});
