/** The second thread of a first indexing: the same rows as without it, whatever becomes of it. */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeVault, noteText } from "../bench/vault.ts";
import { openIndexThread, type IndexThread } from "../src/vault/index-thread.ts";
import { row } from "../src/notebook/suites/index-vault.ts";
import { openAnalyzer } from "../src/search/analyzer.ts";
import { newNoteOf, prepareNotes, type NewSlice, type PreparedNotes } from "../src/index/new-notes.ts";
import { openIndexFile } from "../src/sqlite/index-file.ts";
import { openIndex } from "../src/index/note-index.ts";
import { indexSchema, SCHEMA } from "../src/index/schema.ts";
import { openSql } from "../src/sqlite/node.ts";
import { dumpOf } from "./index-dump.ts";
import { command, makeHome, runToEnd } from "./process.ts";

const home = makeHome();
afterAll(() => home.remove());
const BUILT = resolve("dist/index-thread.cjs");
const script = (name: string, text: string): string => {
  const path = join(home.folder, `${name}.cjs`);
  writeFileSync(path, text);
  return path;
};
const slice = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => row(`${from + at}.md`, noteText(from + at, 1000).slice(0, 500)));
const ROWS = [slice(0, 200), slice(200, 200), slice(400, 60)];
const SLICES = ROWS.map((rows) => rows.map(newNoteOf));
const here = (each: NewSlice) => async (): Promise<PreparedNotes> => prepareNotes(openAnalyzer(), each);
const made = (at: number, first: number): PreparedNotes =>
  prepareNotes(openAnalyzer(), { notes: SLICES[at]!, first });
const expected = () => [1, 201, 401].map((first, at) => made(at, first));
const askFor = (thread: IndexThread, at: number, first: number): Promise<PreparedNotes> => {
  const each = { notes: SLICES[at]!, first };
  return thread.prepare(each, here(each));
};

describe("slices come back in order and as if made here, from", () => {
  test.for([
    ["the thread", BUILT],
    ["a thread that is not there", join(home.folder, "missing.cjs")],
    ["none", null],
    ["one that fails as it starts", script("throws", "throw new Error('no')")],
    [
      "one that ends when it is asked",
      script("ends", "require('worker_threads').parentPort.on('message', () => process.exit(3))"),
    ],
    [
      "one that cannot do it",
      script(
        "fails",
        "const { parentPort } = require('worker_threads'); parentPort.on('message', () => parentPort.postMessage('failed'))",
      ),
    ],
    [
      "one that ends after the first",
      script(
        "once",
        `const { parentPort } = require('worker_threads'); let asked = 0;
        parentPort.on('message', () => (asked++ === 0 ? parentPort.postMessage('failed') : process.exit(0)))`,
      ),
    ],
  ] as const)("%s", async ([, path]) => {
    const thread = openIndexThread(path);
    const order: number[] = [];
    const all = await Promise.all(
      [1, 201, 401].map(async (first, at) => {
        const ready = await askFor(thread, at, first);
        order.push(first);
        return ready;
      }),
    );
    expect(all).toEqual(expected());
    expect(order).toEqual([1, 201, 401]);
    await thread.end();
  });
});

test("ended in the middle, it answers nobody, and can be asked again", async () => {
  const thread = openIndexThread(BUILT);
  const asked = [1, 201].map((first, at) => askFor(thread, at, first));
  const said = Promise.allSettled(asked);
  await thread.end();
  expect((await said).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await askFor(thread, 0, 1)).toEqual(expected()[0]);
  await thread.end();
});

test("an index that is closed in the middle takes nothing more, and says so to each", async () => {
  const thread = openIndexThread(BUILT);
  const index = openIndex(await openSql(":memory:"), { prepare: thread.prepare });
  const said = Promise.allSettled(ROWS.map((rows) => index.put(rows)));
  await thread.end();
  expect((await said).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(index.count()).toBe(0);
  index.close();
});

test("the built command makes the same index with it as is made here without", async () => {
  const vault = join(home.folder, "many");
  mkdirSync(vault);
  makeVault(vault, 300);
  const found = await runToEnd([command("notewright"), "find", "unique7x", vault], home);
  expect(found).toMatchObject({ code: 0 });
  expect(found.stdout).toContain("Note 7");
  const cache = join(home.folder, "cache/notewright");
  const file = readdirSync(cache, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(`index-${SCHEMA}.db`),
  )!;
  const built = await openIndexFile(join(cache, file), indexSchema);
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  const paths = built.all<{ path: string }>("SELECT path FROM notes ORDER BY id").map(({ path }) => path);
  expect(paths.length).toBe(300);
  index.apply(paths.map((path) => row(path, noteText(Number(/\d+(?=\.md)/.exec(path)![0]), 300))));
  // Stamps, times and versions are the disk's.
  const own = "UPDATE notes SET created = 0, dated = 0, modified = 0, saved = 0, stamp = '', version = ''";
  for (const each of [built, sql]) each.exec(own);
  expect(dumpOf(built)).toEqual(dumpOf(sql));
  built.close();
  index.close();
});
