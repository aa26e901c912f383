import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoteError } from "./errors.ts";
import { withEol } from "./line-bounds.ts";
import {
  appendToSection,
  deleteSection,
  prependToSection,
  replaceSection,
  sectionText,
  wholeSection,
} from "./section-edits.ts";
import { runs } from "../../test/soak-size.ts";
import { headingsOf } from "./sections.ts";

const A = { text: "A" };
const names = (text: string) => headingsOf(text).map((heading) => [heading.level, heading.text]);

test.each([
  ["# A\nHello\n# B\nWorld", "Hello\n"],
  ["# A\nHello\n\n## Sub\nx\n\n# B\n", "Hello\n\n## Sub\nx\n\n"],
  ["# A", ""],
  ["x\n\nA\n===\nHello", "Hello"],
  ["```\n# A\n```\n# A\nreal", "real"],
])("the text of A in %j", (text, content) => {
  expect(sectionText(text, A)).toBe(content);
  expect(wholeSection(text, A)).toMatch(/^(?:# A|A\n===)\n?/);
  expect(wholeSection(text, A).endsWith(content)).toBe(true);
});

describe("replaceSection", () => {
  test.each([
    ["# A\nOld content\n# B\nKeep", "New content", "# A\nNew content\n# B\nKeep"],
    ["# A\n\nOld\n\n\n# B\n", "New", "# A\n\nNew\n\n\n# B\n"],
    ["# A\n\nOld\n\n# B\n", "\nNew\n", "# A\n\nNew\n\n# B\n"],
    ["# A\nOld", "New", "# A\nNew"],
    ["# A\nOld", "New\n", "# A\nNew"],
    ["# A\nOld\n", "New", "# A\nNew\n"],
    ["# A", "New", "# A\nNew"],
    ["# A\n", "New", "# A\nNew\n"],
    ["# A\n# B", "New", "# A\nNew\n# B"],
    ["# A\n\n# B", "New", "# A\n\nNew\n\n# B"],
    ["# A\n\n", "New", "# A\n\nNew\n"],
    ["# A\nOld\n## Sub\nx\n# B\n", "New", "# A\nNew\n# B\n"],
    ["# A\nOld\n# B", "", "# A\n# B"],
    ["# A\n\nOld\n\n# B", "", "# A\n\n# B"],
    ["# A\nOld", "", "# A"],
    ["# A\n```\nx\n```\nB\n===\n", "New", "# A\nNew\n\nB\n===\n"],
    ["# A\nB\n===\n", "New", "# A\nNew\n\nB\n===\n"],
    ["---\nx: 1\n---\nA\n---\nOld\r\n", "$& $1", "---\nx: 1\n---\nA\n---\n$& $1\n"],
    ["# A\r\nOld\r\n# B", "1\n2", "# A\r\n1\r\n2\r\n# B"],
  ])("in %j by %j", (before, content, after) => {
    expect(replaceSection(A, content)(before)).toBe(after);
  });
});

describe("appendToSection", () => {
  test.each([
    ["# A\nHello\n# B\nWorld", "# A\nHello\nMore\n# B\nWorld", "# A\nHello\n\nMore\n# B\nWorld"],
    ["# A\nHello\n\n\n# B", "# A\nHello\nMore\n\n\n# B", "# A\nHello\n\nMore\n\n\n# B"],
    ["# A\nHello", "# A\nHello\nMore", "# A\nHello\n\nMore"],
    ["# A\nHello\n", "# A\nHello\nMore\n", "# A\nHello\n\nMore\n"],
    ["# A\nHello\n\n", "# A\nHello\nMore\n\n", "# A\nHello\n\nMore\n\n"],
    ["# A", "# A\nMore", "# A\nMore"],
    ["# A\n\n# B", "# A\nMore\n\n# B", "# A\nMore\n\n# B"],
    ["# A\nx\n## Sub\ny\n# B", "# A\nx\n## Sub\ny\nMore\n# B", "# A\nx\n## Sub\ny\n\nMore\n# B"],
    ["# A\nB\n===", "# A\nMore\n\nB\n===", "# A\nMore\n\nB\n==="],
    ["# A\r\nHello\r\n# B", "# A\r\nHello\r\nMore\r\n# B", "# A\r\nHello\r\n\r\nMore\r\n# B"],
  ])("to %j as a line, as a block", (before, line, block) => {
    expect(appendToSection(A, "More", "line")(before)).toBe(line);
    expect(appendToSection(A, "More\n", "line")(before)).toBe(line);
    expect(appendToSection(A, "More", "block")(before)).toBe(block);
  });

  test.each([
    ["- one", "- two", ""],
    ["1. one\n   more", "2. two", ""],
    ["* [ ] one", "* [x] two", ""],
    ["| a | b |", "| c | d |", ""],
    ["> one", "> two", ""],
    ["- one", "two", "\n"],
    ["one", "- two", "\n"],
    ["| a |", "- two", "\n"],
    ["one", "---", "\n"],
    ["- one", "---", "\n"],
  ])("%j goes on with %j after %j", (before, added, gap) => {
    expect(appendToSection(A, added, "block")(`# A\n${before}\n\n# B\n`)).toBe(
      `# A\n${before}\n${gap}${added}\n\n# B\n`,
    );
  });

  test("a rule does not turn the line above it into a heading", () => {
    expect(appendToSection(A, "---\nMore", "line")("# A\nHello\n")).toBe("# A\nHello\n\n---\nMore\n");
  });
});

test.each([
  ["# A\nHello\n# B", "New", "# A\nNew\n\nHello\n# B"],
  ["# A\n\nHello", "New", "# A\n\nNew\n\nHello"],
  ["# A\n\n- one\n", "- new", "# A\n\n- new\n- one\n"],
  ["# A\n\n# B", "New", "# A\nNew\n\n# B"],
  ["# A", "New", "# A\nNew"],
  ["# A\nB\n===", "New", "# A\nNew\n\nB\n==="],
  ["# A\nx", "New\n\n", "# A\nNew\n\nx"],
  ["# A\r\nHello", "1\n2", "# A\r\n1\r\n2\r\n\r\nHello"],
])("prependToSection to %j of %j", (before, added, after) => {
  expect(prependToSection(A, added)(before)).toBe(after);
});

test.each([
  ["# A\nContent\n# B\nKeep", "# B\nKeep"],
  ["x\n\n# A\nContent\n\n# B\nKeep", "x\n\n# B\nKeep"],
  ["# B\nKeep\n\n# A\nContent\n", "# B\nKeep\n"],
  ["# B\nKeep\n\n# A\nContent", "# B\nKeep"],
  ["# B\r\nKeep\r\n# A", "# B\r\nKeep"],
  ["# A\nContent", ""],
  ["---\nx: 1\n---\n\n# A\nContent\n", "---\nx: 1\n---\n"],
  ["# B\n## A\nx\n### Sub\ny\n## C\n", "# B\n## C\n"],
  ["text\n# A\nx\n\nB\n===\n", "text\n\nB\n===\n"],
])("deleteSection in %j", (before, after) => {
  expect(deleteSection(A)(before)).toBe(after);
});

test("a section that is not there is refused with the ones that are", () => {
  const text = `${Array.from({ length: 30 }, (_, i) => `# H${i}\n`).join("")}> # quoted\n`;
  const edits = [
    replaceSection(A, ""),
    appendToSection(A, "x", "line"),
    prependToSection(A, "x"),
    deleteSection(A),
  ];
  for (const edit of [...edits, (each: string) => sectionText(each, A)]) {
    const headings = Array.from({ length: 20 }, (_, i) => `H${i}`);
    expect(() => edit(text)).toThrow(
      expect.objectContaining({ code: "section_missing", details: { section: "A", headings } }) as NoteError,
    );
  }
});

describe("laws", () => {
  const block = fc.constantFrom(
    "text\n",
    "two\nlines\n",
    "\n",
    "\n\n",
    "- item\n",
    "> quote\n",
    "| a |\n",
    "```\n# no\n```\n",
  );
  const heading = fc.constantFrom("# A\n", "## B\n", "# C\n", "### D\n", "\nE\n===\n", "\nF\n---\n");
  const note = fc
    .tuple(
      fc.constantFrom("", "---\nx: 1\n---\n", "\uFEFF"),
      fc.array(fc.oneof(block, heading), { maxLength: 10 }),
      fc.constantFrom("", "last", "# A"),
      fc.constantFrom<"\n" | "\r\n">("\n", "\r\n"),
    )
    .map(([front, parts, last, eol]) => withEol(front + parts.join("") + last, eol))
    .filter((text) => headingsOf(text).some((each) => each.text === "A"));
  const added = fc.constantFrom("new", "new\nlines\n", "- new", "---", "> new\n\nmore");

  test("the other headings stay, and so does every byte outside the section", () => {
    fc.assert(
      fc.property(note, added, (text, addition) => {
        const all = headingsOf(text);
        const index = all.findIndex((each) => each.text === "A");
        const start = all[index]!.end;
        const end = start + sectionText(text, A).length;
        const outside = all
          .filter((each) => each.start < start || each.start >= end)
          .map(({ level, text }) => [level, text]);
        for (const gap of ["line", "block"] as const) {
          const after = appendToSection(A, addition, gap)(text);
          expect(names(after)).toEqual(names(text));
          expect(after.startsWith(text.slice(0, start)) && after.endsWith(text.slice(end))).toBe(true);
        }
        const replaced = replaceSection(A, addition)(text);
        const prepended = prependToSection(A, addition)(text);
        for (const after of [replaced, prepended]) {
          expect(after.startsWith(text.slice(0, start)) && after.endsWith(text.slice(end))).toBe(true);
        }
        expect(names(replaced)).toEqual(outside);
        expect(names(prepended)).toEqual(names(text));
        expect(names(deleteSection(A)(text))).toEqual(outside.toSpliced(index, 1));
        expect(withEol(deleteSection(A)(text), text.includes("\r\n") ? "\r\n" : "\n")).toBe(
          deleteSection(A)(text),
        );
      }),
      runs(2000),
    );
  });
});
