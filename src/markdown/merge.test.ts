import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/soak-size.ts";
import { merge3 } from "./merge.ts";

describe("merge3", () => {
  test.each([
    ["apart", "1\n2\n3\n4\n", "x\n2\n3\n4\n", "1\n2\n3\ny\n", "x\n2\n3\ny\n"],
    ["the same on both sides", "1\n2\n3\n", "1\nx\n3\n", "1\nx\n3\n", "1\nx\n3\n"],
    [
      "the same, and one more apart",
      "1\n2\n3\n4\n5\n",
      "x\n2\n3\n4\n5\n",
      "x\n2\n3\n4\ny\n",
      "x\n2\n3\n4\ny\n",
    ],
    ["one removes, one adds", "1\n2\n3\n4\n5\n", "1\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n", "1\n3\n4\n5\n6\n"],
    [
      "line endings are part of a line",
      "1\r\n2\n3\r\n4",
      "1\r\n2\n3\r\nx",
      "y\r\n2\n3\r\n4",
      "y\r\n2\n3\r\nx",
    ],
    ["one took the last line ending away", "1\n2\n3\n", "1\n2\n3", "x\n2\n3\n", "x\n2\n3"],
    ["both emptied it", "1\n", "", "", ""],
  ])("%s", (_, base, ours, theirs, text) => {
    expect(merge3(base, ours, theirs)).toEqual({ text });
    expect(merge3(base, theirs, ours)).toEqual({ text });
  });

  test.each([
    [
      "the same line",
      "1\n2\n3\n",
      "1\nx\n3\n",
      "1\ny\n3\n",
      { base: "2\n", ours: "x\n", theirs: "y\n", line: 2 },
    ],
    [
      "lines that adjoin",
      "1\n2\n3\n",
      "x\n2\n3\n",
      "1\ny\n3\n",
      { base: "1\n2\n", ours: "x\n2\n", theirs: "1\ny\n", line: 1 },
    ],
    ["both add at one place", "1\n", "1\nx\n", "1\ny\n", { base: "", ours: "x\n", theirs: "y\n", line: 2 }],
    [
      "one adds where one removed the last line ending",
      "1\n2\n",
      "1\n2",
      "1\n2\n3\n",
      { base: "2\n", ours: "2", theirs: "2\n3\n", line: 2 },
    ],
  ])("%s: a conflict", (_, base, ours, theirs, conflict) => {
    expect(merge3(base, ours, theirs)).toEqual({ conflicts: [conflict] });
  });

  test("every conflict is told, each with its line", () => {
    const merged = merge3("1\n2\n3\n4\n5\n", "a\n2\n3\n4\nb\n", "c\n2\n3\n4\nd\n");
    expect(merged).toEqual({
      conflicts: [
        { base: "1\n", ours: "a\n", theirs: "c\n", line: 1 },
        { base: "5\n", ours: "b\n", theirs: "d\n", line: 5 },
      ],
    });
  });
});

describe("laws", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d\n");
  const text = fc
    .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom("", "", "end"))
    .map(([lines, end]) => lines.join("") + end);
  const often = runs(2000);

  test("with an unchanged copy, the other copy is the result", () => {
    fc.assert(
      fc.property(text, text, (base, copy) => {
        expect(merge3(base, copy, base)).toEqual({ text: copy });
        expect(merge3(base, base, copy)).toEqual({ text: copy });
        expect(merge3(base, copy, copy)).toEqual({ text: copy });
      }),
      often,
    );
  });

  test("changes apart from each other are both in the result", () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.constantFrom("mid\n", "mid\r\n"),
        (one, other, mine, theirs, apart) => {
          // Lines that stand nowhere else keep the two halves apart, however alike they are.
          const middle = `<${apart}${apart}${apart}>${apart}`;
          const halves = (left: string, right: string) =>
            `${left}${left.endsWith("end") ? "\n" : ""}${middle}${right}`;
          expect(merge3(halves(one, other), halves(mine, other), halves(one, theirs))).toEqual({
            text: halves(mine, theirs),
          });
        },
      ),
      often,
    );
  });

  test("which copy is ours makes no difference to what merges", () => {
    fc.assert(
      fc.property(text, text, text, (base, one, other) => {
        const [merged, turned] = [merge3(base, one, other), merge3(base, other, one)];
        if ("text" in merged) expect(turned).toEqual(merged);
        else expect("conflicts" in turned && turned.conflicts.length).toBe(merged.conflicts.length);
      }),
      often,
    );
  });
});
