/** The ledger on its own: what it takes, and what it answers. That it follows notes is shown by the history's suite. */

import { expect, test } from "vitest";
import type { Ledger, Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openLedger } from "./ledger.ts";
import { openIndex } from "./note-index.ts";
import { openPendingEdits } from "./pending-edits.ts";
import { openSql } from "../sqlite/node.ts";

const path = (name: string): NotePath => name as NotePath;
const id = (number: number): string => (0xabcd0000 + number).toString(16).padEnd(40, "0");
const version = (text: string): string => Buffer.from(text).toString("hex").padEnd(40, "0").slice(0, 40);

function revision(
  number: number,
  changes: [path: string, text: string | null, from?: string][],
  more: Partial<Revision> = {},
): Revision {
  return {
    id: id(number),
    author: "Ada",
    date: new Date(number * 1000),
    message: `revision ${number}`,
    changes: changes.map(([name, text, from]) => ({
      path: path(name),
      ...(from === undefined ? {} : { from: path(from) }),
      version: text === null ? null : version(text),
      before: null,
    })),
    touched: changes.length,
    ...more,
  };
}

const ids = (found: Revision[]): string[] => found.map((one) => one.id);

async function filled(...revisions: Revision[]): Promise<Ledger> {
  const ledger = openLedger(await openSql(":memory:"));
  expect(ledger.add(revisions, null)).toBe(true);
  return ledger;
}

test("gives back what it took", async () => {
  const one = revision(1, [["a.md", "a"]], { surface: "wiki", tool: "t", connection: "c" });
  const two = revision(2, [
    ["b.md", "a", "a.md"],
    ["c.md", null],
  ]);
  const ledger = await filled(one, two);
  expect(ledger.log({ limit: 10 })).toEqual([two, one]);
  expect(ledger.revision(id(2))).toEqual(two);
  expect(ledger.head()).toBe(id(2));
  expect(ledger.recent(1)).toEqual([id(2)]);
});

test("takes nothing on top of another head", async () => {
  const ledger = await filled(revision(1, [["a.md", "a"]]));
  expect(ledger.add([revision(2, [["a.md", "b"]])], null)).toBe(false);
  expect(ledger.add([revision(2, [["a.md", "b"]])], id(9))).toBe(false);
  expect(ledger.head()).toBe(id(1));
  expect(ledger.add([revision(2, [["a.md", "b"]])], id(1))).toBe(true);
});

test("takes all of a list or nothing", async () => {
  const ledger = await filled(revision(1, [["a.md", "a"]]));
  expect(() => ledger.add([revision(2, [["a.md", "b"]]), revision(1, [])], id(1))).toThrow();
  expect(ledger.head()).toBe(id(1));
});

test("finds by the first digits, and says where they are too few", async () => {
  const ledger = await filled(revision(1, []), revision(2, []), revision(0x100, []));
  expect(ledger.find(id(1))).toEqual([id(1)]);
  expect(ledger.find("abcd01")).toEqual([id(0x100)]);
  expect(ledger.find("abcd")).toHaveLength(2);
  expect(ledger.find("ffff")).toEqual([]);
});

test("filters by author and time, and lists of a revision only what is about the note asked for", async () => {
  const ledger = await filled(
    revision(1, [
      ["a.md", "a"],
      ["b.md", "b"],
    ]),
    revision(2, [["a.md", "c"]], { author: "Bob" }),
    revision(3, [["a.md", "d"]]),
  );
  expect(ids(ledger.log({ author: "Ada", limit: 10 }))).toEqual([id(3), id(1)]);
  expect(ids(ledger.log({ since: new Date(2000), limit: 10 }))).toEqual([id(3), id(2)]);
  expect(ids(ledger.log({ path: path("a.md"), author: "Ada", since: new Date(2000), limit: 10 }))).toEqual([
    id(3),
  ]);
  const [first] = ledger.log({ path: path("b.md"), limit: 10 });
  expect([first!.changes.length, first!.touched]).toEqual([1, 2]);
});

test("names every path that later revisions named", async () => {
  const ledger = await filled(
    revision(1, [["a.md", "a"]]),
    revision(2, [["c.md", "a", "b.md"]]),
    revision(3, [["d.md", null]]),
  );
  expect(ledger.touchedSince(id(1))).toEqual(new Set(["b.md", "c.md", "d.md"]));
  expect(ledger.touchedSince(null).size).toBe(4);
});

test("begins anew when it is cleared, and forgets that it was whole", async () => {
  const ledger = await filled(revision(1, [["a.md", "a"]]));
  ledger.setWhole(true);
  expect(ledger.whole()).toBe(true);
  ledger.clear();
  expect([ledger.head(), ledger.whole(), ledger.log({ limit: 1 })]).toEqual([null, false, []]);
  expect(ledger.add([revision(5, [])], null)).toBe(true);
});

test("opens on tables that are there already", async () => {
  const sql = await openSql(":memory:");
  openLedger(sql).add([revision(1, [])], null);
  expect(openLedger(sql).head()).toBe(id(1));
});

test("opens before the index on an empty database; both then have their tables", async () => {
  const sql = await openSql(":memory:");
  const ledger = openLedger(sql);
  const index = openIndex(sql);
  expect(ledger.add([revision(1, [["a.md", "a"]])], null)).toBe(true);
  expect([index.count(), index.complete()]).toEqual([0, false]);
  openPendingEdits(sql).add([path("a.md")], new Date(0));
});

test("a thousand moves back and forth are followed, and end", async () => {
  const moves = Array.from({ length: 1500 }, (_, at) =>
    revision(at + 2, [at % 2 ? ["a.md", "x", "b.md"] : ["b.md", "x", "a.md"]]),
  );
  const ledger = await filled(revision(1, [["a.md", "x"]]), ...moves);
  expect(ledger.log({ path: path("a.md"), limit: 5000 }).length).toBeGreaterThanOrEqual(1000);
  expect(ledger.movedTo(path("b.md"))).toBe("a.md");
});
