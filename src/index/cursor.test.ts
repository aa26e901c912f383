import { describe, expect, test } from "vitest";
import type { Filter, Page } from "../notebook/filter.ts";
import { shortHash } from "../notebook/note.ts";
import { HASHES, readCursor, writeCursor, type Place } from "./cursor.ts";

const filter: Filter = { words: "a" };
const written = (version: number, query: unknown, given: unknown, ...keys: unknown[]): string => {
  const sum = shortHash(JSON.stringify([given, keys, ""]));
  return btoa(JSON.stringify([version, query, given, sum, ...keys])).replaceAll("=", "");
};
const query = (sort: Page["sort"]): unknown =>
  (JSON.parse(atob(writeCursor(filter, sort, { given: 0, after: null, hashes: [] }))) as unknown[])[1];

describe("a cursor", () => {
  test.each<[Page["sort"], Place]>([
    ["rank", { given: 3, after: null, hashes: [0, 1, 0xffff_ffff] }],
    ["path", { given: 20, after: ["東京/é.md"], hashes: [] }],
    ["name", { given: 20, after: ["x".repeat(1000), "y".repeat(1000)], hashes: [] }],
  ])("by %s is read as it was written", (sort, place) =>
    expect(readCursor(writeCursor(filter, sort, place), filter, sort)).toMatchObject(place),
  );

  test("keeps the last of very many", () => {
    const hashes = Array.from({ length: HASHES + 5 }, (_, at) => at);
    const read = readCursor(
      writeCursor(filter, "rank", { given: 2000, after: null, hashes }),
      filter,
      "rank",
    );
    expect(read.hashes).toEqual(hashes.slice(5));
  });

  test.each<[string, Page["sort"], (sort: Page["sort"]) => string]>([
    ["keys for a list that has none", "rank", (sort) => written(1, query(sort), 2, "a.md")],
    ["too few keys", "name", (sort) => written(1, query(sort), 2, "a")],
    ["too many keys", "path", (sort) => written(1, query(sort), 2, "a", "b")],
    ["no keys", "path", (sort) => written(1, query(sort), 2)],
    ["keys that are no text", "path", (sort) => written(1, query(sort), 2, { a: 1 })],
    ["a place before the beginning", "rank", (sort) => written(1, query(sort), -2)],
    ["a place that is no number", "rank", (sort) => written(1, query(sort), "2")],
    ["half a hash", "rank", (sort) => `${written(1, query(sort), 2)}.abcd`],
    ["another version", "rank", (sort) => written(2, query(sort), 2)],
    ["no list", "rank", () => btoa("{}")],
    ["nothing", "rank", () => ""],
  ])("made up with %s is refused", (_, sort, make) =>
    expect(() => readCursor(make(sort), filter, sort)).toThrow(
      expect.objectContaining({ code: "query_malformed" }),
    ),
  );

  test("with a letter dropped or changed anywhere is refused", () => {
    const cursor = writeCursor(filter, "rank", { given: 5, after: null, hashes: [1, 2, 3, 4, 5] });
    expect(readCursor(cursor, filter, "rank").given).toBe(5);
    for (let at = 0; at < cursor.length; at++) {
      const dropped = cursor.slice(0, at) + cursor.slice(at + 1);
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
      for (const spoilt of [dropped, changed])
        expect(() => readCursor(spoilt, filter, "rank"), spoilt).toThrow();
    }
  });
});
