import { expect, test } from "vitest";
import { atOnce } from "../markdown/steps.ts";
import { fill, findNow, linksNow, ALL } from "../notebook/suites/index-vault.ts";
import type { Filter } from "../notebook/filter.ts";
import type { NoteIndex, Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import { openLedger } from "./ledger.ts";
import { ALSO_ELSEWHERE } from "./narrowed.ts";
import { openIndex } from "./note-index.ts";

const INSIDE = {
  "F/one.md":
    "---\naliases: [first]\ntags: [fruit]\n---\nApples and [[two]], [[secret]], [[Deep/three]] #ripe",
  "F/two.md": "Pears by [[first]] and a misspelled orchard",
  "F/Deep/three.md": "---\ncolour: red\n---\nA quince, called [the best of them](../one.md). 東京都庁",
  "F/lonely.md": "Nobody links here #ripe/very",
};
const OUTSIDE = {
  "secret.md":
    "---\naliases: [hidden]\ntags: [spy]\nwatched: yes\n---\nSecret apples, orchids, [[lonely]] #ripe 東京都庁",
  "Fx/near.md": "Beside the folder, with [[one]] and quinces #fruitless",
  "G/Deep/lonesome.md": "Far away orchestra [[secret]]",
};
const FILTERS: Filter[] = [
  { all: [] },
  { ask: "apples" },
  { ask: "orchord" },
  { ask: "orchest" },
  { ask: "secret" },
  { ask: "quinc" },
  { words: "apples" },
  { words: "spy" },
  { phrase: "apples and" },
  { holds: "東京", in: "either" },
  { ask: "東京都庁" },
  { holds: "pp", in: "body" },
  { title: "lone" },
  { tag: "ripe", under: true },
  { tag: "ripe" },
  { tag: "spy" },
  { folder: "F", deep: true },
  { folder: "G", deep: true },
  { alias: "hidden" },
  { alias: "first" },
  { linksTo: "F/lonely.md" as NotePath },
  { linksTo: "secret.md" as NotePath },
  { linksToName: "secret" },
  { is: "orphan" },
  { is: "broken" },
  { field: "watched", op: ":", value: "yes" },
  { not: { words: "apples" } },
  { any: [{ words: "spy" }, { ask: "pears" }] },
];

async function opened(notes: Record<string, string>): Promise<NoteIndex> {
  const index = openIndex(await openSql(":memory:"));
  fill(index, notes);
  return index;
}

test("an index within a folder answers as one that holds nothing else", async () => {
  const some = (await opened({ ...OUTSIDE, ...INSIDE })).within(["F"]);
  const alone = await opened(INSIDE);
  for (const filter of FILTERS)
    for (const sort of ["rank", "path", "name", "modified"] as const) {
      const [found, wanted] = [some, alone].map((index) =>
        findNow(index, filter, { ...ALL, sort, snippet: { before: 20, width: 60 } }),
      );
      expect({ filter, sort, ...found, notes: found!.notes.toSorted(byPath) }).toEqual({
        filter,
        sort,
        ...wanted,
        notes: wanted!.notes.toSorted(byPath),
      });
    }
  for (const ask of ASKED) expect(ask(some)).toEqual(ask(alone));
});

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
const path = (written: string) => written as NotePath;
const ASKED: ((index: NoteIndex) => unknown)[] = [
  (index) => index.tags("all"),
  (index) => index.tags("fields"),
  (index) => index.folders(""),
  (index) => index.folders("F"),
  (index) => index.folders("G"),
  (index) => index.count(),
  (index) => [...index.stamps().keys()].toSorted(),
  (index) => index.version(path("secret.md")),
  (index) => index.locate("secret"),
  (index) => index.locate("one"),
  (index) => index.similarNames("secrett", 5),
  (index) => index.similarNames("lonel", 5),
  (index) => index.linkSources("lonely"),
  (index) => linksNow(index, { broken: true }),
  (index) => atOnce(index.broken({ limit: 50 })),
  (index) => linksNow(index, { from: path("F/one.md") }),
  (index) => linksNow(index, { to: path("F/lonely.md") }),
  (index) => linksNow(index, { to: path("F/one.md") }),
  (index) => linksNow(index, { from: path("secret.md") }),
  (index) => linksNow(index, { written: "secret" }),
  (index) => linksNow(index, { around: path("F/one.md"), depth: 3, direction: "both" }),
  (index) => linksNow(index, { around: path("F/lonely.md"), depth: 3, direction: "in" }),
];

test("with a twin outside, a link means what it means in the whole vault, or nothing", async () => {
  const index = await opened({
    "F/Low/from.md": "[[y]] [[F/Low/Down/y]]",
    "F/Low/Down/y.md": "",
    "y.md": "",
  });
  const links = linksNow(index.within(["F"]), { broken: true });
  const whole = linksNow(index, { from: path("F/Low/from.md") }).map((link) => link.path);
  expect(whole).toEqual(["y.md", "F/Low/Down/y.md"]);
  expect(links.map((link) => [link.source, link.target])).toEqual([["F/Low/from.md", "y"]]);
});

test("a ledger within a folder begins where a note came inside, and names nothing else", async () => {
  const ledger = openLedger(await openSql(":memory:"));
  const revision = (number: number, message: string, changes: Revision["changes"]): Revision => ({
    id: String(number).repeat(40),
    author: "ada",
    date: new Date(1000 * number),
    message,
    changes,
    touched: changes.length,
  });
  const change = (at: string, version: string | null, before: string | null, from?: string) => ({
    path: path(at),
    version,
    before,
    ...(from === undefined ? {} : { from: path(from) }),
  });
  ledger.add(
    [
      revision(1, "Create note: secret", [change("secret.md", "v1", null)]),
      revision(2, "Move note: secret to F", [change("F/known.md", "v1", "v1", "secret.md")]),
      revision(3, "Update note: F/known", [change("F/known.md", "v2", "v1")]),
      revision(4, "Create 2 notes: F/other and others", [
        change("F/other.md", "v3", null),
        change("G/x.md", "v9", null),
      ]),
      revision(5, "Move note: G/known", [change("G/known.md", "v2", "v2", "F/known.md")]),
    ],
    null,
  );
  const some = ledger.within(["F"]);
  const shown = some
    .log({ limit: 10 })
    .map(({ message, changes, touched }) => ({ message, changes, touched }));
  expect(shown).toEqual([
    { message: ALSO_ELSEWHERE, changes: [change("F/known.md", null, "v2")], touched: 1 },
    { message: ALSO_ELSEWHERE, changes: [change("F/other.md", "v3", null)], touched: 1 },
    { message: "Update note: F/known", changes: [change("F/known.md", "v2", "v1")], touched: 1 },
    { message: ALSO_ELSEWHERE, changes: [change("F/known.md", "v1", null)], touched: 1 },
  ]);
  expect(some.log({ path: path("F/known.md"), limit: 10 })).toHaveLength(3);
  expect(some.find("1111")).toEqual([]);
  expect(some.movedTo(path("F/known.md"))).toBeNull();
  expect(some.movedTo(path("secret.md"))).toBeNull();
  expect(ledger.movedTo(path("secret.md"))).toBe("G/known.md");
  expect([some.holds("v1"), some.holds("v9")]).toEqual([true, false]);
});
