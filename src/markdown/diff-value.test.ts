import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffValue, SHOWN_LIMIT, type DiffPart, type Piece, type TextDiff } from "./diff-value.ts";

/** Pieces as one line: `[-old-]` and `{+new+}`. */
const shown = (pieces: readonly Piece[]): string =>
  pieces
    .map(({ kind, text, unseen }) => {
      const words = unseen ? `<${unseen.code}${unseen.turns ? " turns" : ""}>` : text;
      return kind === "same" ? words : kind === "added" ? `{+${words}+}` : `[-${words}-]`;
    })
    .join("");
const partOf = <K extends DiffPart["kind"]>({ parts }: TextDiff, kind: K) =>
  parts.find((part): part is Extract<DiffPart, { kind: K }> => part.kind === kind);
const prose = (before: string, after: string): string =>
  shown(partOf(diffValue(before, after), "prose")?.pieces ?? []);

describe("a diff as a value", () => {
  it("is of words in prose", () => {
    expect(prose("The cat sat.\n", "The old cat stood.\n")).toBe("The {+old +}cat [-sat-]{+stood+}.\n");
    expect(diffValue("The cat sat.\n", "The old cat stood.\n").words).toEqual({ added: 2, removed: 1 });
  });
  it("shows words that were replaced one after another as one phrase", () => {
    expect(prose("Use callouts to add an aside.\n", "Let this note add an aside.\n")).toBe(
      "[-Use callouts to-]{+Let this note+} add an aside.\n",
    );
    expect(prose("It was red and big.\n", "It was blue and small.\n")).toBe(
      "It was [-red-]{+blue+} and [-big-]{+small+}.\n",
    );
    expect(prose("one two three\n", "one 2 two three\n")).toBe("one {+2 +}two three\n");
    expect(prose("red\nbig\n", "blue\nsmall\n")).toBe("[-red-]{+blue+}\n[-big-]{+small+}\n");
  });
  it("is of lines in code and in tables", () => {
    for (const [open, close] of [
      ["```js\n", "```\n"],
      ["| a | b |\n| - | - |\n", ""],
      ["$$\n", "$$\n"],
    ]) {
      const row = open!.startsWith("|") ? "| one | two |" : "one two";
      const diff = diffValue(`${open}${row}\n${close}`, `${open}${row.replace("one", "three")}\n${close}`);
      const rows = partOf(diff, "lines")!.rows.filter(({ kind }) => kind !== "same");
      expect(rows.map(({ kind }) => kind)).toEqual(["removed", "added"]);
    }
  });
  it("is of blocks: a note with one fence is no list of lines", () => {
    const text = "# Title\n\nWords.\n\n```js\nlet a;\n\nlet b;\n```\n\n---\n\nMore words.\n";
    const kinds = (diff: TextDiff): string[] => diff.parts.map(({ kind }) => kind);
    for (const [before, after] of [
      ["", text],
      [text, ""],
      [text, text.replace("Words", "Other").replace("let a", "var a").replace("More", "Some")],
    ])
      expect(kinds(diffValue(before!, after!))).toEqual(["prose", "lines", "prose"]);
    expect(diffValue("", text).whole).toBe("added");
    expect(diffValue(text, "").whole).toBe("removed");
    expect(diffValue(text, `${text}x`).whole).toBeUndefined();
  });
  it("marks words within lines of code and of tables that are alike", () => {
    const rows = (before: string, after: string) =>
      partOf(diffValue(before, after), "lines")!
        .rows.filter(({ kind }) => kind !== "same")
        .map(({ kind, pieces }) => `${kind}: ${shown(pieces)}`);
    const table = "| a | b |\n| - | - |\n";
    expect(rows(`${table}| Pears | 2 |\n`, `${table}| Pears | 5 |\n| Plums | 9 |\n`)).toEqual([
      "removed: | Pears | [-2-] |\n",
      "added: | Pears | {+5+} |\n",
      "added: {+| Plums | 9 |\n+}",
    ]);
    expect(rows("```\nlet a = 1;\n```\n", "```\nreturn f();\n```\n")).toEqual([
      "removed: [-let a = 1;\n-]",
      "added: {+return f();\n+}",
    ]);
  });
  it("says fields in words: lists by their members, nothing as empty, and as written where two would read alike", () => {
    const field = (before: string, after: string): string =>
      partOf(diffValue(`---\na: ${before}\n---\n`, `---\na: ${after}\n---\n`), "fields")!
        .fields.map(({ pieces }) => shown(pieces))
        .join();
    expect(field("[new]", "[new, plan]")).toBe("new{+, plan+}");
    expect(field("[x]", "[]")).toBe("[-x-]{+empty+}");
    expect(field("2026-12-01", "")).toBe("[-2026-12-01-]{+empty+}");
    expect(field("4", '"4"')).toBe('{+"+}4{+"+}');
    expect(field("[]", "")).toBe("[-[]-]{+null+}");
  });
  it("is of fields in frontmatter", () => {
    const diff = diffValue(
      "---\nstatus: open\ntags: [a]\n---\nText\n",
      "---\nstatus: done\ntags: [a]\nby: Ada\n---\nText\n",
    );
    expect(diff.parts).toMatchObject([
      {
        kind: "fields",
        fields: [
          { name: "status", kind: "changed" },
          { name: "by", kind: "added" },
        ],
      },
      { kind: "skipped", lines: 1 },
    ]);
  });
  it.each([
    ["a comment", "---\na: 1\n---\n", "---\na: 1 # hidden\n---\n"],
    ["a comment beside a change", "---\na: 1\n---\n", "---\n# hidden\na: 2\n---\n"],
    ["an order", "---\na: 1\nb: 2\n---\n", "---\nb: 2\na: 1\n---\n"],
    ["what is no YAML", "---\na: 1\n---\n", "---\na: [1\n---\n"],
    ["a block of nothing", "Text\n", "---\n---\nText\n"],
    ["another fence", "---\na: 1\n---\n", "---\na: 1\n...\n"],
  ])("is of lines where fields would hide %s", (_, before, after) => {
    expect(partOf(diffValue(before, after), "fields")).toBeUndefined();
    expect(partOf(diffValue(before, after), "lines")).toBeDefined();
  });
  it("attack 98: marks what is not seen, and what turns the order of what is", () => {
    expect(prose("ab\n", "a\u200Bb\n")).toBe("[-ab-]{+a+}{+<U+200B>+}{+b+}\n");
    expect(prose("x y\n", "x \u202Ey\n")).toContain("{+<U+202E turns>+}");
    expect(prose("a\u200Bb c\n", "a\u200Bb d\n")).toContain("<U+200B>");
    expect(prose("same\n", "same\r\n")).toContain("<U+000D>");
  });
  it("shows HTML and the targets of links, because it is of the source", () => {
    const text = shown(
      diffValue(
        "See [it](https://a.example).\n",
        'See [it](https://b.example).<img src="x">\n',
      ).parts.flatMap((part) => (part.kind === "prose" ? part.pieces : [])),
    );
    expect(text).toContain("[-a-]{+b+}");
    expect(text).toContain("{+<img src");
  });
  it("counts the lines that it passes over", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `Line ${at}.\n`);
    const { parts } = diffValue(lines.join(""), lines.with(50, "Other.\n").join(""));
    expect(parts.map((part) => (part.kind === "skipped" ? part.lines : part.kind))).toEqual([
      47,
      "prose",
      46,
    ]);
  });
  it("says how much it does not show of what is too long", () => {
    const { parts, unshown } = diffValue("a\n", `${"word ".repeat(SHOWN_LIMIT / 4)}\nb\n`);
    expect([parts.length, unshown]).toEqual([0, 3]);
  });
  it("loses nothing: of what is the same or removed comes the old text, of what is the same or added the new one", () => {
    const line = fc.constantFrom(
      "one two\n",
      "# Three\n",
      "```\n",
      "| a |\n",
      "",
      "- x\r\n",
      "y\u202Ez\n",
      "four",
    );
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const sides = { same: "", added: "", removed: "" };
        for (const part of diffValue(before, after).parts) {
          if (part.kind === "skipped" || part.kind === "fields") continue;
          const pieces = part.kind === "prose" ? part.pieces : part.rows.flatMap((row) => row.pieces);
          for (const { kind, text: words } of pieces) sides[kind] += words;
        }
        const letters = (words: string): string => [...words].toSorted().join("");
        const grown = letters(before + sides.added);
        expect(grown).toBe(letters(after + sides.removed));
      }),
      { numRuns: 500 },
    );
  });
});
