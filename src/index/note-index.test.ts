import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atOnce } from "../markdown/steps.ts";
import { dumpOf } from "../../test/index-dump.ts";
import { describeIndex } from "../notebook/suites/index.ts";
import { findPaths, row, type OpenedIndex, findNow } from "../notebook/suites/index-vault.ts";
import type { NotePath } from "../notebook/paths.ts";
import { holding } from "../search/holding.ts";
import { openLedger } from "./ledger.ts";
import { openIndexFile } from "../sqlite/index-file.ts";
import { indexSchema } from "./schema.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "./note-index.ts";
import { openSearch } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { flushWords } from "../search/text-rows.ts";

const opened = (sql: Sql): OpenedIndex => ({
  index: openIndex(sql),
  dump: () => dumpOf(sql),
  check: () => sql.exec("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)"),
});

describeIndex("an index in memory", async () => opened(await openSql(":memory:")));

test("two processes share one file, and each sees what the other wrote", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-index-"));
  const [one, other] = [
    opened(await openIndexFile(join(folder, "i.db"), indexSchema)),
    opened(await openIndexFile(join(folder, "i.db"), indexSchema)),
  ];
  one.index.apply([row("a.md", "apple")]);
  expect(findPaths(other.index, { words: "apple" })).toEqual(["a.md"]);
  expect(other.index.apply([row("a.md", "stale")])).toEqual(["a.md"]);
  other.index.apply([row("a.md", "pear", { seen: "1", stamp: "2" })]);
  expect(findPaths(one.index, { words: "pear" })).toEqual(["a.md"]);
  one.check();
  one.index.close();
  other.index.close();
  rmSync(folder, { recursive: true });
});

test("where a row may not be large, the beginning of a note is searched", async () => {
  const sql = { ...(await openSql(":memory:")), valueLimit: 30_000 };
  const { index, check } = opened(sql);
  index.apply([row("a.md", `first ${"東京 ".repeat(5000)} last`)]);
  expect(findPaths(index, { words: "first 東京" })).toEqual(["a.md"]);
  expect(findPaths(index, { words: "last" })).toEqual([]);
  const size = sql.get<{ size: number }>(
    "SELECT length(CAST(body AS BLOB)) + length(CAST(extra AS BLOB)) AS size FROM texts",
  )!;
  expect(size.size).toBeLessThanOrEqual(30_000);
  check();
});

test("looking into bodies stops at its limit, and says so", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  index.apply(Array.from({ length: 450 }, (_, at) => row(`${at}.md`, "x".repeat(100))));
  expect(atOnce(holding(sql, "x")).ids.length).toBe(450);
  expect(atOnce(holding(sql, "x", 10_000))).toMatchObject({ whole: false });
  expect(atOnce(holding(sql, "x", 10_000)).ids.length).toBe(200);
});

test("large bodies are looked into one or two at a time", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  const sizes = [3, 1, 3, 5, 0.001, 0.001].map((mib) => Math.round(mib * 1024 * 1024));
  index.apply(sizes.map((size, at) => row(`${at}.md`, "x".repeat(size))));
  flushWords(openSearch(sql));
  const asked: number[] = [];
  const counting = {
    ...sql,
    all: <T>(text: string, ...values: SqlValue[]) => {
      const rows = sql.all<T>(text, ...values);
      if (text.includes("body")) asked.push(rows.length);
      return rows;
    },
  };
  expect(atOnce(holding(counting, "x"))).toMatchObject({ ids: [1, 2, 3, 4, 5, 6], whole: true });
  expect(asked).toEqual([2, 1, 1, 2]);
});

test("of a note with very many sections, a hit far down is told without its section", async () => {
  const index = openIndex(await openSql(":memory:"));
  const lines = Array.from({ length: 10_050 }, (_, at) => `# Heading ${at}\n\nword${at}\n`);
  index.apply([row("many.md", `> # Quoted\n\n${lines.join("\n")}`)]);
  const sectionOf = (words: string) =>
    findNow(index, { words }, { limit: 1, sort: "rank", snippet: { before: 10, width: 50 } }).notes[0]!
      .section;
  expect(sectionOf("word9000")?.heading).toBe("Heading 9000");
  expect(sectionOf("word10040")).toBe(null);
});

const revision = (
  id: string,
  day: number,
  change: { path: string; from?: string; before: string | null; version: string },
) => ({
  id,
  author: "a",
  date: new Date(Date.UTC(2020, 0, day)),
  message: "m",
  changes: [
    {
      ...change,
      path: change.path as NotePath,
      ...(change.from ? { from: change.from as NotePath } : {}),
    } as never,
  ],
  touched: 1,
});

test("a note without a date of its own is as old as its first revision, under whatever name", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  const ledger = openLedger(sql);
  ledger.add([revision("1".repeat(40), 1, { path: "old.md", before: null, version: "v1" })], null);
  ledger.add(
    [revision("2".repeat(40), 2, { path: "new.md", from: "old.md", before: "v1", version: "v1" })],
    "1".repeat(40),
  );
  ledger.add([revision("3".repeat(40), 3, { path: "new.md", before: "v1", version: "v2" })], "2".repeat(40));
  index.apply([row("new.md", "text"), row("other.md", "text")]);
  expect(index.created("new.md" as NotePath)).toEqual(new Date(Date.UTC(2020, 0, 1)));
  expect(index.created("other.md" as NotePath)).toBeNull();
  expect(findPaths(index, { all: [] }, { sort: "created" })).toEqual(["other.md", "new.md"]);
});

test("the same where the history is read after the notes, and where it is forgotten", async () => {
  const made = revision("1".repeat(40), 1, { path: "old.md", before: null, version: "v1" });
  const moved = revision("2".repeat(40), 2, { path: "new.md", from: "old.md", before: "v1", version: "v1" });
  const other = revision("3".repeat(40), 3, { path: "own.md", before: null, version: "v1" });
  const rows = [
    row("new.md", "text"),
    row("own.md", "---\ncreated: 2001-02-03\n---\n"),
    row("new.md", "more"),
  ];
  const opened = async () => {
    const sql = await openSql(":memory:");
    return { sql, index: openIndex(sql), ledger: openLedger(sql) };
  };
  const dates = ({ sql }: { sql: Sql }) => sql.all("SELECT path, created, dated FROM notes ORDER BY path");
  const first = await opened();
  first.ledger.add([made, moved, other], null);
  first.index.apply(rows);
  const last = await opened();
  last.index.apply(rows);
  last.ledger.add([made], null);
  last.ledger.add([moved, other], made.id);
  expect(dates(last)).toEqual(dates(first));
  expect(last.index.created("new.md" as NotePath)).toEqual(new Date(Date.UTC(2020, 0, 1)));
  expect(last.index.created("own.md" as NotePath)).toEqual(new Date(Date.UTC(2001, 1, 3)));
  const never = await opened();
  never.index.apply(rows);
  last.ledger.clear();
  expect(dates(last)).toEqual(dates(never));
  expect(last.index.created("new.md" as NotePath)).toBeNull();
});

test("a word that no note has is part of one: of a text in a small vault, of a title in any", async () => {
  const index = openIndex(await openSql(":memory:"));
  index.apply([row("Kindergarten.md", "# Kindergarten"), row("a.md", "ein Kleingartenverein")]);
  expect(findPaths(index, { ask: "indergart" })).toEqual(["Kindergarten.md"]);
  expect(findPaths(index, { ask: "leingart" })).toEqual(["a.md"]);
  index.apply(Array.from({ length: 2000 }, (_, at) => row(`n${at}.md`, "other")));
  expect(findPaths(index, { ask: "indergart" })).toEqual(["Kindergarten.md"]);
  expect(findPaths(index, { ask: "leingart" })).toEqual([]);
  index.close();
});

test("pending texts are put in for a search, and not for a list", async () => {
  const sql = await openSql(":memory:");
  const { index } = opened(sql);
  const isPending = () => sql.get("SELECT 1 FROM pending_texts") !== undefined;
  index.apply([row("a.md", "apple")]);
  const page = { limit: 10, sort: "path" as const };
  const folder = { folder: "", deep: true };
  expect(findNow(index, folder, page).total).toBe(1);
  expect(findNow(index, { all: [folder, { not: { tag: "none" } }] }, page).total).toBe(1);
  expect(isPending()).toBe(true);
  expect(findNow(index, folder, { ...page, snippet: { before: 10, width: 50 } }).notes[0]!.snippet).not.toBe(
    null,
  );
  expect(isPending()).toBe(false);
  for (const [at, filter] of [
    { ask: "pear" },
    { words: "pear" },
    { phrase: "pear" },
    { holds: "pea", in: "body" as const },
    { any: [{ title: "none" }, { all: [{ words: "pear" }] }] },
  ].entries()) {
    index.apply([row(`${at}.md`, "pear")]);
    expect(findNow(index, filter, page).notes.map(({ path }) => path)).toContain(`${at}.md`);
  }
});

test("few texts are pending at a time, none of them long; a pending one that changes again counts once", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  const pending = () => sql.get<{ count: number }>("SELECT count(*) AS count FROM pending_texts")!.count;
  index.apply([row("a.md", "apple")]);
  index.apply([row("a.md", "pear", { seen: "1", stamp: "2" })]);
  expect(pending()).toBe(1);
  index.apply([row("long.md", "x ".repeat(50_000))]);
  expect(pending()).toBe(0);
  for (let at = 0; at < 50; at++) index.apply([row(`n${at}.md`, "plum")]);
  expect(pending()).toBe(50);
  index.apply([row("last.md", "plum")]);
  expect(pending()).toBe(0);
  expect(findPaths(index, { words: "apple" })).toEqual([]);
  expect(findPaths(index, { words: "pear" })).toEqual(["a.md"]);
  index.close();
});

test("of what is put, a few notes go in at a time and a long one alone, so that a call waits for little", async () => {
  const sql = await openSql(":memory:");
  const sizes: number[] = [];
  let rows = 0;
  const counting: Sql = {
    ...sql,
    run: (text, ...values) => {
      if (text.startsWith("INSERT INTO notes")) rows++;
      sql.run(text, ...values);
    },
    transaction: (work) => {
      rows = 0;
      const result = sql.transaction(work);
      if (rows > 0) sizes.push(rows);
      return result;
    },
  };
  const index = openIndex(counting);
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => row(`${name}${at}.md`, name));
  await index.put([...many(40, "a"), row("long.md", "x".repeat(70_000))]);
  expect(sizes.splice(0)).toEqual([16, 16, 8, 1]);
  await index.put(many(60, "b"));
  expect(sizes).toEqual([60]);
  index.close();
});
