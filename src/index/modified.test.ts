import fc from "fast-check";
import { expect, test } from "vitest";
import { shortHash } from "../notebook/note.ts";
import type { Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { row, findNow } from "../notebook/suites/index-vault.ts";
import { openLedger } from "./ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "./note-index.ts";
import type { Sql } from "../sqlite/sql.ts";

const day = (number: number): Date => new Date(Date.UTC(2025, 0, number));
const PATHS = ["a.md", "b.md", "c/d.md"];
const textOf = (number: number): string =>
  `${number % 3 === 0 ? `---\nupdated: 2025-01-${String(number + 1).padStart(2, "0")}\n---\n` : ""}text ${number}\n`;

type Step = {
  do: "write" | "save" | "move" | "remove";
  path: number;
  to: number;
  text: number;
  late: boolean;
};
const steps = fc.array(
  fc.record({
    do: fc.constantFrom("write", "save", "save", "move", "remove"),
    path: fc.nat(PATHS.length - 1),
    to: fc.nat(PATHS.length - 1),
    text: fc.nat(8),
    late: fc.boolean(),
  }) as fc.Arbitrary<Step>,
  { maxLength: 12 },
);

/** Revisions of a day each, and the vault they leave. */
function played(all: readonly Step[]): { revisions: Revision[]; vault: Map<string, number> } {
  const vault = new Map<string, number>();
  const revisions: Revision[] = [];
  const versionOf = (text: number | undefined) => (text === undefined ? null : shortHash(textOf(text)));
  all.forEach((step, at) => {
    const [path, to] = [PATHS[step.path]!, PATHS[step.to]!];
    const held = vault.get(path);
    const before = versionOf(held);
    const made = (surface: string, change: object): void =>
      void revisions.push({
        id: at.toString(16).padStart(40, "0"),
        author: "x",
        date: day(at + 1),
        message: "m",
        surface,
        changes: [change as Revision["changes"][number]],
        touched: 1,
      });
    if (step.do === "move" && held !== undefined && !vault.has(to)) {
      vault.delete(path);
      vault.set(to, held);
      made("native", { path: to, from: path, before, version: before });
    } else if (step.do === "remove" && held !== undefined) {
      vault.delete(path);
      made("outside", { path, before, version: null });
    } else if (step.do === "write" || (step.do === "save" && held !== step.text)) {
      vault.set(path, step.text);
      const saved = step.do === "save" && step.late ? { saved: day(at) } : {};
      made(step.do === "save" ? "outside" : "native", {
        path: path as NotePath,
        before,
        version: versionOf(step.text),
        ...saved,
      });
    }
  });
  return { revisions, vault };
}

const timesIn = (sql: Sql) => sql.all("SELECT path, modified, counted, due, saved FROM notes ORDER BY path");

test("whichever comes first, notes or their past, in whatever pieces, their times are the same", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(12), fc.boolean(), async (all, cut, unrecorded) => {
      const { revisions, vault } = played(all);
      // Sometimes with a change that nobody has recorded.
      if (unrecorded) vault.set(PATHS[0]!, 8);
      const rows = [...vault].map(([path, text], at) => row(path, textOf(text), { modified: day(20 + at) }));
      const opened = async () => {
        const sql = await openSql(":memory:");
        return { sql, index: openIndex(sql), ledger: openLedger(sql) };
      };
      const [past, now, never] = [await opened(), await opened(), await opened()];
      past.ledger.add(revisions, null);
      past.index.apply(rows);
      now.index.apply(rows);
      now.ledger.add(revisions.slice(0, cut), null);
      now.ledger.add(revisions.slice(cut), revisions[Math.min(cut, revisions.length) - 1]?.id ?? null);
      expect(timesIn(now.sql)).toEqual(timesIn(past.sql));
      never.index.apply(rows);
      now.ledger.clear();
      expect(timesIn(now.sql)).toEqual(timesIn(never.sql));
      for (const { index } of [past, now, never]) index.close();
    }),
    { numRuns: 50 },
  );
});

test("a field in the future counts from its own moment on, in an index that was there before as in a new one", async () => {
  let now = new Date("2026-02-01T00:00:00Z");
  const clock = { now: () => now, timeZone: "UTC" };
  const text = "---\nupdated: 2026-03-01\nmodified: 2026-02-10T10:00:00Z\n---\n";
  const rows = [row("a.md", text, { modified: day(1) }), row("b.md", "x", { modified: day(2) })];
  const sql = await openSql(":memory:");
  const index = openIndex(sql, { clock });
  index.apply(rows);
  const list = (from = index) =>
    findNow(from, { all: [] }, { limit: 9, sort: "modified" }).notes.map(
      ({ path, modified }) => `${path} ${modified.toISOString().slice(0, 10)}`,
    );
  expect(list()).toEqual(["b.md 2025-01-02", "a.md 2025-01-01"]);
  for (const [at, expected] of [
    ["2026-02-10T10:00:00Z", "2026-02-10"],
    ["2026-02-28T23:59:59Z", "2026-02-10"],
    ["2026-03-01T00:00:00Z", "2026-03-01"],
  ]) {
    now = new Date(at!);
    expect(list()).toEqual([`a.md ${expected}`, "b.md 2025-01-02"]);
    const anew = await openSql(":memory:");
    const other = openIndex(anew, { clock });
    other.apply(rows);
    expect(list(other)).toEqual(list());
    expect(timesIn(anew)).toEqual(timesIn(sql));
    other.close();
  }
  index.close();
});

test("of notes modified in one second the one whose file was saved last comes first", async () => {
  const index = openIndex(await openSql(":memory:"));
  const at = (milliseconds: number) => new Date(day(1).getTime() + milliseconds);
  index.apply([row("a.md", "x", { modified: at(100) }), row("b.md", "x", { modified: at(900) })]);
  const { notes } = findNow(index, { all: [] }, { limit: 9, sort: "modified" });
  expect(notes.map(({ path, modified }) => [path, modified])).toEqual([
    ["b.md", day(1)],
    ["a.md", day(1)],
  ]);
  index.close();
});
