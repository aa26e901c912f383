import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/soak-size.ts";
import { lineChanges, linesOf, unifiedDiff } from "./diff.ts";

const NAMES = { from: "a/x.md", to: "b/x.md" };

/** What `patch` does, as strictly as it can be done: every line of context and every removed line has to be there. */
function patched(before: string, diff: string): string {
  if (diff === "") return before;
  const old = linesOf(before);
  const [from, to, ...rows] = linesOf(diff);
  expect([from, to]).toEqual(["--- a/x.md\n", "+++ b/x.md\n"]);
  const result: string[] = [];
  let at = 0;
  for (let row = 0; row < rows.length; row++) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(rows[row]!);
    if (head) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      result.push(...old.slice(at, start));
      at = start;
      expect(result.length).toBe(Number(head[3]) - (head[4] === "0" ? 0 : 1));
      continue;
    }
    const bare = rows[row + 1] === "\\ No newline at end of file\n";
    const line = bare ? rows[row]!.slice(1, -1) : rows[row]!.slice(1);
    if (rows[row]![0] !== "+") expect(old[at++]).toBe(line);
    if (rows[row]![0] !== "-") result.push(line);
    if (bare) row++;
  }
  return [...result, ...old.slice(at)].join("");
}

const twenty = (marks: number[]) =>
  Array.from({ length: 20 }, (_, i) => (marks.includes(i) ? "x\n" : `${i}\n`)).join("");

describe("unifiedDiff", () => {
  test.each([
    ["a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", 1, 1],
    ["", "a\n", "@@ -0,0 +1 @@\n+a\n", 1, 0],
    ["a\n", "", "@@ -1 +0,0 @@\n-a\n", 0, 1],
    ["a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", 1, 1],
    ["a\nb", "x\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n", 1, 1],
    ["a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n", 1, 1],
    [
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
      1,
      1,
    ],
  ])("of %j and %j", (before, after, hunks, added, removed) => {
    expect(unifiedDiff(before, after, NAMES)).toEqual({
      text: `--- a/x.md\n+++ b/x.md\n${hunks}`,
      added,
      removed,
    });
  });

  test("equal texts have none", () => {
    expect(unifiedDiff("a\n", "a\n", NAMES)).toEqual({ text: "", added: 0, removed: 0 });
  });

  test("changes up to six lines apart share a hunk", () => {
    expect(unifiedDiff(twenty([]), twenty([5, 12]), NAMES).text.match(/^@@/gm)).toHaveLength(1);
    expect(unifiedDiff(twenty([]), twenty([5, 13]), NAMES).text.match(/^@@/gm)).toHaveLength(2);
  });

  test("texts too different to compare are replaced in the middle, and still patch", () => {
    const before = `same\n${Array.from({ length: 30_000 }, (_, i) => `old ${i}\n`).join("")}end\n`;
    const after = `same\n${Array.from({ length: 30_000 }, (_, i) => `new ${i}\n`).join("")}end\n`;
    expect(lineChanges(linesOf(before), linesOf(after))).toEqual([
      { from: 1, to: 30_001, newFrom: 1, newTo: 30_001 },
    ]);
    const { text, added, removed } = unifiedDiff(before, after, NAMES);
    expect([added, removed]).toEqual([30_000, 30_000]);
    expect(patched(before, text) === after).toBe(true);
  });

  const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "- x\r\n", "+y\n", "@@\n", "\\ z\n"), {
    maxLength: 30,
  });
  const text = fc.tuple(lines, fc.constantFrom("", "", "end")).map(([rows, end]) => rows.join("") + end);

  test("applied to the text before, it gives the text after", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff(before, after, NAMES);
        expect(patched(before, diff.text)).toBe(after);
        expect(linesOf(after).length - linesOf(before).length).toBe(diff.added - diff.removed);
      }),
      runs(2000),
    );
  });
});
