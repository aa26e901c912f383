/** What every index must find by fields, times, paths, links and what a note is. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Filter } from "../filter.ts";
import type { NotePath } from "../paths.ts";
import { parseQuery } from "../query.ts";
import type { NoteIndex } from "../parts.ts";
import { fill, findPaths, row, type OpenIndex, findNow } from "./index-vault.ts";

const VAULT: Record<string, string> = {
  "a.md":
    '---\nrating: 4\nstatus: Done\ndue: 2026-01-05\nauthor: John Smith\nup: "[[b]]"\ndraft: true\n---\n[[b]]\n',
  "b.md":
    "---\nrating: 3.5\nstatus: [open, In Progress]\ndue: 2025-12-31\ncreated: 2026-02-24\n---\n[[nowhere]]\n",
  "c.md":
    "---\nrating: 10\nStatus: undone\ndue: 2026-01-05T10:00\nübersicht: Ärger\nempty:\ndraft: false\n---\n",
  "Daily/2026-02-24.md": '---\nversion: "1.10"\nyear: 2026\n---\n[[a|first]] [[sub/d]]\n',
  "sub/d.md": "---\nnames: {first: Ann}\ncreated: 2026-02-25T12:00:00Z\n---\n[self](d.md)\n",
  "other/d.md": "nothing\n",
};

const FINDS: [string, string[]][] = [
  ["status:done", ["a.md"]],
  ["STATUS:DONE", ["a.md"]],
  ["status:open", ["b.md"]],
  ["status:progress", ["b.md"]],
  ["status=progress", []],
  ['status="in progress"', ["b.md"]],
  ["status:*", ["a.md", "b.md", "c.md"]],
  ["empty:*", []],
  ["author:smith", ["a.md"]],
  ["up:b", ["a.md"]],
  ["draft:true", ["a.md"]],
  ["draft:false", ["c.md"]],
  ["übersicht:ärger", ["c.md"]],
  ["rating:4", ["a.md"]],
  ["rating=4.0", ["a.md"]],
  ["rating>3", ["a.md", "b.md", "c.md"]],
  ["rating>3.5", ["a.md", "c.md"]],
  ["rating>=3.5", ["a.md", "b.md", "c.md"]],
  ["rating<10", ["a.md", "b.md"]],
  ["-rating<10 rating:*", ["c.md"]],
  ["version>1.9", []],
  ["version:1.10", ["Daily/2026-02-24.md"]],
  ["due<2026-01-01", ["b.md"]],
  ["due<=2026-01-05", ["a.md", "b.md", "c.md"]],
  ["due>2026-01-05", []],
  ["due>2025", ["a.md", "c.md"]],
  ["year>2025", ["Daily/2026-02-24.md"]],
  ["names:ann", ["sub/d.md"]],
  ["status>e", ["b.md", "c.md"]],
  ["nosuch:x", []],
  ["created:2026-02-24", ["b.md"]],
  ["created:2026-02-24..2026-02-25", ["b.md", "sub/d.md"]],
  ["created>2026-02-24", ["sub/d.md"]],
  ["created<2026-02-25", ["Daily/2026-02-24.md", "a.md", "b.md", "c.md", "other/d.md"]],
  ["modified:2025-06", ["Daily/2026-02-24.md", "a.md", "b.md", "c.md", "other/d.md", "sub/d.md"]],
  ["modified>2025-06", []],
  ["path:sub", ["sub/d.md"]],
  ["path:D.md", ["other/d.md", "sub/d.md"]],
  ["path:ther/", ["other/d.md"]],
  ["link:b", ["a.md"]],
  ["link:B.md", ["a.md"]],
  ["link:sub/d", ["Daily/2026-02-24.md", "sub/d.md"]],
  ["link:nowhere", ["b.md"]],
  ["link:none", []],
  ["is:daily", ["Daily/2026-02-24.md"]],
  ["is:broken", ["b.md"]],
  ["is:orphan", ["c.md", "other/d.md"]],
  ["-is:orphan", ["Daily/2026-02-24.md", "a.md", "b.md", "sub/d.md"]],
  ["nothing is:orphan", ["other/d.md"]],
];

export function fieldCases(open: OpenIndex): void {
  let index: NoteIndex;
  beforeEach(async () => {
    ({ index } = await open());
    const modified = new Date("2025-06-15T12:00:00Z");
    fill(index, {});
    index.apply(Object.entries(VAULT).map(([path, text]) => row(path, text, { modified })));
  });

  describe("finds by what is known of a note", () => {
    test.each(FINDS)("%s", (query, paths) => {
      const filter = parseQuery(query, { words: "any", under: true, from: "all" });
      expect(findPaths(index, filter)).toEqual(paths);
      expect(findNow(index, filter, { limit: 1, sort: "rank" }).total).toBe(paths.length);
    });

    test("some notes that are named one by one, and a cursor stays good where one more is", () => {
      const among = (...paths: string[]): Filter => ({ among: new Set(paths as NotePath[]), as: "some" });
      expect(findPaths(index, among("b.md", "sub/d.md", "gone.md"))).toEqual(["b.md", "sub/d.md"]);
      expect(findPaths(index, { not: among("a.md", "b.md", "c.md") })).not.toContain("b.md");
      expect(findPaths(index, among())).toEqual([]);
      const { cursor } = findNow(index, among("a.md", "b.md"), { limit: 1, sort: "path" });
      const next = findNow(index, among("a.md", "b.md", "c.md"), { limit: 9, sort: "path", cursor: cursor! });
      expect(next.notes.map(({ path }) => path)).toEqual(["b.md", "c.md"]);
    });

    test("signs in names and values are only text", () => {
      for (const text of ["'", '"', "$", "$.a", "[0]", "%", "\0", "*[", "a]b"])
        for (const op of [":", "=", "<", ">="] as const) {
          expect(findPaths(index, { field: text, op, value: "x" })).toEqual([]);
          expect(findPaths(index, { field: "status", op: op === ":" ? "=" : ":", value: text })).toEqual([]);
          expect(findPaths(index, { inPath: text })).toEqual([]);
        }
    });
  });
}
