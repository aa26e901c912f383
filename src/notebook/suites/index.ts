/** What every index must do, as tests to call: the contract of NoteIndex, in its unpleasant cases. */

import { beforeEach, describe, expect, test } from "vitest";
import { makeNote } from "../note.ts";
import type { NoteIndex } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { stampOf, UNREAD, type Stamp } from "../stamp.ts";
import { attachmentCases } from "./index-attachments.ts";
import { brokenCases } from "./index-broken.ts";
import { fieldCases } from "./index-fields.ts";
import { findCases } from "./index-find.ts";
import { laws } from "./index-laws.ts";
import { linkCases } from "./index-links.ts";
import { longCases } from "./index-long.ts";
import { pageCases } from "./index-pages.ts";
import { searchCases } from "./index-search.ts";
import { findPaths, NOON, row, type OpenIndex, findNow, linksNow } from "./index-vault.ts";

export function describeIndex(name: string, open: OpenIndex): void {
  // Each with its own index: what is to be done before its tests is not done before those of the others.
  describe(name, () => {
    describe("rows", () => rowCases(open));
    describe("filters", () => findCases(open));
    describe("search", () => searchCases(open));
    describe("fields", () => fieldCases(open));
    describe("pages", () => pageCases(open));
    describe("links", () => linkCases(open));
    describe("attachments", () => attachmentCases(open));
    describe("broken links", () => brokenCases(open));
    describe("long notes", () => longCases(open));
    describe("laws", () => laws(open));
  });
}

function rowCases(open: OpenIndex): void {
  let index: NoteIndex;
  let check: () => void;
  beforeEach(async () => {
    ({ index, check } = await open());
  });
  const a = "a.md" as NotePath;

  describe("takes", () => {
    test("a new note, a changed one, and one that is gone", () => {
      expect(index.stamp(a)).toBeNull();
      expect(index.apply([row(a, "apple", { stamp: "s1" })])).toEqual([]);
      expect(index.stamp(a)).toEqual(stampOf("s1"));
      expect(index.apply([row(a, "pear", { seen: "s1", stamp: "s2" })])).toEqual([]);
      expect(findPaths(index, { words: "apple" })).toEqual([]);
      expect(findPaths(index, { words: "pear" })).toEqual([a]);
      expect(index.stamps()).toEqual(new Map([[a, stampOf("s2")]]));
      expect(index.stamps({ paths: [a, "b.md" as NotePath] })).toEqual(new Map([[a, stampOf("s2")]]));
      expect(index.stamps({ paths: [] })).toEqual(new Map());
      expect(index.apply([row(a, null, { seen: "s2" })])).toEqual([]);
      expect([index.count(), index.stamp(a), index.stamps().size]).toEqual([0, null, 0]);
      check();
    });

    test("no row that was planned on another stamp, and all the others", () => {
      index.apply([row(a, "apple", { stamp: "s1" }), row("b.md", "berry", { stamp: "s1" })]);
      const stale = index.apply([
        row(a, "old", { seen: "s0", stamp: "s2" }),
        row(a, "new", { seen: null, stamp: "s3" }),
        row("c.md", null, { seen: "s1" }),
        row("c.md", "cherry", { seen: "s1" }),
        row("b.md", "blueberry", { seen: "s1", stamp: "s2" }),
        row("d.md", "date"),
      ]);
      expect(stale).toEqual([a, a, "c.md", "c.md"]);
      expect(
        findPaths(index, { any: [{ words: "apple" }, { words: "blueberry" }, { words: "date" }] }),
      ).toEqual([a, "b.md", "d.md"]);
      expect(index.count()).toBe(3);
      check();
    });

    test("many new notes go in together; where another came between, what is there already is given back", async () => {
      const many = (word: string, count = 60) =>
        Array.from({ length: count }, (_, at) => row(`${word}${at}.md`, `${word} berry`));
      index.apply([row(a, "apple", { stamp: "s1" })]);
      expect(await index.put([...many("b"), row(a, "pear")])).toEqual([a]);
      expect(await index.put([...many("c"), row("c7.md", "twice")])).toEqual(["c7.md"]);
      expect(index.count()).toBe(121);
      const [first, second] = [index.put(many("d")), index.put(many("e"))];
      index.apply([row("d7.md", "date"), row("x.md", "elder")]);
      expect([await first, await second]).toEqual([["d7.md"], []]);
      expect(await Promise.all([index.put(many("f", 3)), index.put([])])).toEqual([[], []]);
      expect(index.stamps().size).toBe(245);
      expect(findPaths(index, { any: [{ words: "date" }, { words: "apple" }] })).toEqual([a, "d7.md"]);
      expect(findPaths(index, { words: "berry" }).length).toBe(60 + 60 + 59 + 60 + 3);
      check();
    });

    test("a note that is gone and was never there", () => {
      expect(index.apply([row(a, null)])).toEqual([]);
      expect(index.apply([])).toEqual([]);
    });

    test("one note several times at once", () => {
      const rows = [
        row(a, "apple"),
        row(a, "pear", { seen: "1", stamp: "2" }),
        row(a, null, { seen: "2" }),
        row(a, "plum"),
      ];
      expect(index.apply(rows)).toEqual([]);
      expect(findPaths(index, { words: "plum" })).toEqual([a]);
      expect(index.count()).toBe(1);
      check();
    });

    test("a new stamp and time for the same bytes", () => {
      index.apply([row(a, "apple [[b]]", { stamp: "s1" })]);
      const later = new Date(NOON.getTime() + 5000);
      index.apply([row(a, "apple [[b]]", { seen: "s1", stamp: "s2", modified: later })]);
      expect(index.stamp(a)).toEqual(stampOf("s2"));
      expect(findNow(index, { words: "apple" }, { limit: 1, sort: "rank" }).notes[0]!.modified).toEqual(
        later,
      );
      expect(linksNow(index, { broken: true }).length).toBe(1);
    });

    test("a note that could not be read keeps what was read of it, and is counted until it is read", () => {
      const b = "b.md" as NotePath;
      const unread = (path: NotePath, seen: Stamp | null) => ({
        path,
        seen,
        stamp: UNREAD,
        note: makeNote(path, new Uint8Array(), "", NOON),
      });
      index.apply([row(a, "apple", { stamp: "1" }), unread(b, null)]);
      expect([index.unread(), index.count(), index.version(b)]).toEqual([1, 2, ""]);
      const version = index.version(a);
      expect(index.apply([unread(a, stampOf("1"))])).toEqual([]);
      expect(index.apply([unread(a, UNREAD)])).toEqual([]);
      expect([index.unread(), index.version(a), index.stamp(a)]).toEqual([2, version, UNREAD]);
      expect(findPaths(index, { words: "apple" })).toEqual([a]);
      expect(index.apply([{ ...row(a, "pear", { stamp: "2" }), seen: UNREAD }])).toEqual([]);
      expect(index.apply([{ ...row(b, "plum", { stamp: "1" }), seen: UNREAD }])).toEqual([]);
      expect([index.unread(), findPaths(index, { words: "plum" })]).toEqual([0, [b]]);
      check();
    });

    test("paths that differ only by case or Unicode form, as different notes", () => {
      const paths = ["caf\u00e9.md", "cafe\u0301.md", "Caf\u00e9.md"];
      index.apply(paths.map((path) => row(path, path)));
      expect(index.count()).toBe(3);
      expect(index.lookup.byName("caf\u00e9").length).toBe(3);
      index.apply([row(paths[1]!, null, { seen: "1" })]);
      expect([...index.stamps().keys()].toSorted()).toEqual([paths[0], paths[2]].toSorted());
    });

    test("bytes that are no text, NUL characters, and keys that Object has of its own", () => {
      const bytes = Uint8Array.of(0xff, 0xfe, 0x61);
      index.apply([
        { path: a, seen: null, stamp: stampOf("1"), note: makeNote(a, bytes, "v", NOON) },
        row("nul.md", "apple\0pie\n[[a\0b]]"),
        row("proto.md", "---\n__proto__: 1\nconstructor: x\ntags: [__proto__]\naliases: [toString]\n---\n"),
      ]);
      expect(findNow(index, { name: "a" }, { limit: 1, sort: "path" }).notes[0]!.size).toBe(3);
      expect(findPaths(index, { words: "pie" })).toEqual(["nul.md"]);
      expect(findPaths(index, { tag: "__proto__" })).toEqual(["proto.md"]);
      expect(index.lookup.byAlias("tostring")).toEqual(["proto.md"]);
      check();
    });

    test("a very large note, found by its last word", () => {
      const text = `${"lorem ipsum dolor\n".repeat(200_000)}needle`;
      index.apply([row(a, text)]);
      expect(findPaths(index, { words: "needle" })).toEqual([a]);
      expect(findPaths(index, { holds: "NEEDLE", in: "body" })).toEqual([a]);
      index.apply([row(a, "short", { seen: "1" })]);
      expect(findPaths(index, { words: "needle" })).toEqual([]);
      check();
    });

    test("a note with very many links and tags", () => {
      const many = Array.from({ length: 3000 }, (_, at) => `[[to ${at}]] #t${at}`).join("\n");
      index.apply([row(a, many), row("to 2999.md", "")]);
      expect(linksNow(index, { to: "to 2999.md" as NotePath }).length).toBe(1);
      expect(index.tags("all").length).toBe(3000);
      expect(linksNow(index, { around: a, depth: 3, direction: "both", limit: 10 }).length).toBe(10);
    });
  });
}
