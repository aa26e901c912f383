import { beforeEach, describe, expect, test } from "vitest";
import { dumpOf } from "../../test/index-dump.ts";
import { atOnce, type Steps } from "../markdown/steps.ts";
import type { IndexRow, NoteIndex } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { expectedDump, NEW, OLD, PATH, putOld } from "../notebook/suites/index-long.ts";
import { findPaths, row } from "../notebook/suites/index-vault.ts";
import { openSearch } from "../search/search.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import { isLong, putLong } from "./long-notes.ts";
import { openIndex } from "./note-index.ts";

/** More than there are in any of these. */
const STEPS = 20;

type Opened = {
  sql: Sql;
  index: NoteIndex;
  long(row: IndexRow): Steps<NotePath[]>;
  dump(): unknown;
  check(): void;
};

async function open(): Promise<Opened> {
  const sql = await openSql(":memory:");
  const search = openSearch(sql);
  const clock = { now: () => new Date(), timeZone: "UTC" };
  return {
    sql,
    index: openIndex(sql, { search, clock }),
    long: (each) => putLong(search, each, clock),
    dump: () => dumpOf(sql),
    check: () => sql.exec("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)"),
  };
}

let opened: Opened;
beforeEach(async () => {
  opened = await open();
});

const begun = { seen: "s1", stamp: "s2" };
const expected = (text: string, stamp: string) => expectedDump(open, text, stamp);

describe("a long note in steps", () => {
  test("is told by its length and by its links, or by those of the note in its place", () => {
    const texts = ["short", "x".repeat(70_000), "[[a]]".repeat(2001), null];
    expect(texts.map((text) => isLong(opened.sql, row(PATH, text)))).toEqual([false, true, true, false]);
    opened.index.apply([row(PATH, "x".repeat(70_000), { stamp: "s1" })]);
    expect(texts.map((text) => isLong(opened.sql, row(PATH, text, begun)))).toEqual([true, true, true, true]);
  });

  test("is taken out in steps; left half-way it is taken out anew, either way", async () => {
    for (let steps = 0; steps < STEPS; steps++)
      for (const way of ["apply", "putLong"] as const) {
        opened = await open();
        const { index, long, dump, check } = opened;
        index.apply([row("other.md", "other words")]);
        const empty = dump();
        index.apply([row(PATH, OLD, { stamp: "s1" })]);
        const work = long(row(PATH, null, { seen: "s1", stamp: "" }));
        let ended = false;
        for (let step = 0; step < steps; step++) ended ||= work.next().done === true;
        check();
        const seen = index.stamp(PATH);
        expect(seen === null).toBe(ended);
        const again = row(PATH, null, { seen, stamp: "" });
        expect(way === "apply" ? index.apply([again]) : atOnce(long(again))).toEqual([]);
        findPaths(index, { words: "other" });
        expect(dump()).toEqual(empty);
        check();
        if (ended && way === "putLong") return;
      }
    expect.unreachable("it has more steps than there should be");
  });

  test("ends up as if it had been put in at once: new, changed, and the same again", async () => {
    const { index, long, dump, check } = opened;
    index.apply([row("other.md", "other words")]);
    expect(atOnce(long(row(PATH, OLD, { stamp: "s1" })))).toEqual([]);
    expect(dump()).toEqual(await expected(OLD, "s1"));
    expect(atOnce(long(row(PATH, NEW, begun)))).toEqual([]);
    expect(dump()).toEqual(await expected(NEW, "s2"));
    expect(atOnce(long(row(PATH, NEW, { seen: "s2", stamp: "s3" })))).toEqual([]);
    expect(dump()).toEqual(await expected(NEW, "s3"));
    check();
  });

  test("left half-way it counts as not read, and can be put in anew, either way", async () => {
    const whole = await expected(NEW, "s2");
    for (let steps = 1; steps < STEPS; steps++)
      for (const way of ["apply", "putLong"] as const) {
        opened = await open();
        const { index, long, dump, check } = opened;
        putOld(opened);
        const work = long(row(PATH, NEW, begun));
        let ended = false;
        for (let step = 0; step < steps; step++) ended ||= work.next().done === true;
        if (ended) return;
        const seen = index.stamp(PATH);
        expect(["s1", "s2"]).not.toContain(seen);
        expect(index.version(PATH)).toBe("");
        check();
        const again = row(PATH, NEW, { seen, stamp: "s2" });
        expect(way === "apply" ? index.apply([again]) : atOnce(long(again))).toEqual([]);
        expect(dump()).toEqual(whole);
        check();
      }
    expect.unreachable("it has more steps than there should be");
  });

  test("gives way to whoever changes the note meanwhile", async () => {
    const { index, long, dump, check } = opened;
    putOld(opened);
    const work = long(row(PATH, NEW, begun));
    for (let step = 0; step < 3; step++) work.next();
    expect(index.apply([row(PATH, "another", { seen: index.stamp(PATH), stamp: "s9" })])).toEqual([]);
    expect(atOnce(work)).toEqual([PATH]);
    expect(dump()).toEqual(await expected("another", "s9"));
    expect(atOnce(long(row(PATH, NEW, begun)))).toEqual([PATH]);
    check();
  });

  test("two that put in the same do not disturb each other, nor do questions asked meanwhile", async () => {
    const { index, long, dump, check } = opened;
    putOld(opened);
    const one = long(row(PATH, NEW, begun));
    one.next();
    const other = long(row(PATH, NEW, { seen: index.stamp(PATH), stamp: "s2" }));
    for (let [first, second] = [false, false]; !first || !second;) {
      first ||= one.next().done === true;
      second ||= other.next().done === true;
      expect(findPaths(index, { words: "other" })).toContain("other.md");
      findPaths(index, { ask: "new17" }, { sort: "rank" });
    }
    expect(dump()).toEqual(await expected(NEW, "s2"));
    expect(findPaths(index, { ask: "new17" }, { sort: "rank" })).toEqual([PATH]);
    check();
  });
});
