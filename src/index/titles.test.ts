import { beforeEach, expect, test } from "vitest";
import { row, findNow } from "../notebook/suites/index-vault.ts";
import type { NoteIndex } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "./note-index.ts";
import { openSearch, type Search } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { flushWords } from "../search/text-rows.ts";
import { openTitles, type Titled } from "./titles.ts";

let sql: Sql;
let search: Search;
let titled: Titled;
let index: NoteIndex;
beforeEach(async () => {
  sql = await openSql(":memory:");
  search = openSearch(sql);
  titled = openTitles(sql);
  index = openIndex(sql, { search });
});

const put = (path: string, title: string | null): void => {
  const seen = index.stamp(path as NotePath);
  const stamp = `${seen?.file ?? ""}1`;
  index.apply([row(path, title === null ? null : `# ${title}\n`, { seen, stamp })]);
};
const found = (part: string): string[] | null => {
  flushWords(search);
  const ids = titled(part);
  return (
    ids &&
    sql
      .all<{ path: string }>(
        "SELECT path FROM notes WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path",
        JSON.stringify(ids),
      )
      .map(({ path }) => path)
  );
};

test("a piece of a title, anywhere in it, each note once, and nothing across two of them", () => {
  expect(found("a")).toEqual([]);
  put("a.md", "Banana");
  put("b.md", "Anagram");
  put("c.md", "Cherry");
  expect(found("ana")).toEqual(["a.md", "b.md"]);
  expect(found("cherry")).toEqual(["c.md"]);
  for (const none of ["bananaanagram", "banana\0anagram", "banana\nanagram", "banana\ufffdanagram", "kiwi"])
    expect(found(none), none).toEqual([]);
});

test("what has changed, come or gone since it was last asked", () => {
  put("a.md", "Banana");
  expect(found("banana")).toEqual(["a.md"]);
  put("a.md", "Cherry");
  put("b.md", "Banana split");
  expect(found("banana")).toEqual(["b.md"]);
  expect(found("cherry")).toEqual(["a.md"]);
  put("b.md", null);
  expect(found("banana")).toEqual([]);
});

test("titles that are too long to be kept, and characters that the index cannot hold", () => {
  put("long.md", `${"x".repeat(5000)} needle ${"y".repeat(5000)}`);
  put("emoji.md", "😀".repeat(150));
  put("nul.md", "Apple\0pie");
  expect(found("needle")).toEqual(["long.md"]);
  expect(found("😀😀")).toEqual(["emoji.md"]);
  expect(found("apple\0pie")).toEqual(["nul.md"]);
});

test("many blocks; and so many that a list of them would be slow", () => {
  index.apply(Array.from({ length: 1500 }, (_, at) => row(`n${at}.md`, `# Common ${at}\n`)));
  expect(found("common 149")).toHaveLength(11);
  expect(found("common")).toBeNull();
  const page = { limit: 5, sort: "path" } as const;
  expect(findNow(index, { holds: "common", in: "title" }, page).total).toBe(1500);
  expect(findNow(index, { holds: "common 149", in: "title" }, page).total).toBe(11);
});
