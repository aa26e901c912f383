/** The reading of blocks, code and Markdown links held against an independent CommonMark parser, on generated notes. */

import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { runs } from "../../test/soak-size.ts";
import { parseNote } from "./note.ts";

type Tree = ReturnType<typeof fromMarkdown>;
type Node = Tree | Tree["children"][number];

// Fragments that mean something at the beginning of a line, in running text, or as the end of either. No `%%`, `$` or `[[`:
// CommonMark does not know them.
const FRAGMENTS = [
  ["# ", "## ", "#", "###### ", "####### ", "x # ", "#tag", "===", "---", "***", "___", "==", "-", "="],
  [
    "- ",
    "* ",
    "+ ",
    "1. ",
    "1) ",
    "> ",
    ">",
    ">>",
    "    ",
    "  ",
    " ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
  ],
  ["```", "~~~", "````", "`", "``", "a", "b c", "é", "\\", "&amp;", "*", "_", '"', "'"],
  ["<div>", "</div>", "<pre>", "</pre>", "<!--", "-->", "<a>", '<a href="x">', "</a>", "<?", "?>", "<b"],
  ["<script>", "</script>", "<http://a.b>", "[x]: y.md", '[x]: y "t"', "[", "]", "]: ", "[l](m.md)"],
  ['![i](n.md "t")', "](o.md)", "](<p q.md>", ")"],
].flat();
const note = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 30 })
  .map((fragments) => fragments.join(""))
  // The oracle departs from CommonMark where an empty list item follows indented code: it reads a paragraph.
  .filter((text) => !(/ {4}|\t/.test(text) && /(?:[-+*]|\d[.)])[ \t]*\r?$/m.test(text)))
  // And where one begins a quote right after a paragraph, which it is not in and so cannot interrupt: it reads text.
  .filter((text) => !/\S.*\r?\n(?:[ \t]*>)+[ \t]*(?:[-+*]|\d[.)])[ \t]*\r?$/m.test(text))
  .filter((text) => parseNote(text).front.yaml === null);

function nodesOf(text: string): { node: Node; nested: boolean }[] {
  const found: { node: Node; nested: boolean }[] = [];
  const visit = (node: Node, nested: boolean) => {
    found.push({ node, nested });
    const inside = nested || node.type === "blockquote" || node.type === "listItem";
    if ("children" in node) for (const child of node.children) visit(child as Node, inside);
  };
  visit(fromMarkdown(text), false);
  return found;
}

const spanOf = (node: Node): [number, number] => [node.position!.start.offset!, node.position!.end.offset!];

/** Markup that CommonMark's line of a comment ends with, and that we read: the one deliberate difference. */
const followsComment = (text: string, node: Node, at: number): boolean =>
  node.type === "html" &&
  node.value.trimStart().startsWith("<!--") &&
  text.slice(spanOf(node)[0], at).includes("-->");

test("the same headings: level, place, text, nesting", () => {
  fc.assert(
    fc.property(note, (text) => {
      const lineOf = (offset: number) => text.slice(0, offset).replace(/\n$/, "").split("\n").length;
      const expected = nodesOf(text).flatMap(({ node, nested }) => {
        if (node.type !== "heading") return [];
        const [first, last] = [node.children[0], node.children.at(-1)];
        const source = first && last ? text.slice(spanOf(first as Node)[0], spanOf(last as Node)[1]) : "";
        const lines = source
          .split("\n")
          .map((line, index) => (index > 0 ? line.replace(/^[ \t>]*/, "") : line).trim());
        return [{ level: node.depth, nested, text: lines.join(" "), lastLine: node.position!.end.line }];
      });
      const found = parseNote(text).headings.map(({ level, nested, text: words, end }) => {
        return { level, nested, text: words, lastLine: lineOf(end) };
      });
      expect(found).toEqual(expected);
    }),
    runs(3000),
  );
});

test("nothing is found in code or HTML", () => {
  const wikiToo = fc
    .array(fc.oneof(note, fc.constantFrom("[[w]]", "[[w|", "]]", "![[w#h]]", " #tag", "\n#tag")), {
      maxLength: 8,
    })
    .map((pieces) => pieces.join(""))
    .filter((text) => parseNote(text).front.yaml === null);
  fc.assert(
    fc.property(wikiToo, (text) => {
      const hidden = nodesOf(text).filter(({ node }) => ["code", "inlineCode", "html"].includes(node.type));
      for (const mark of parseNote(text).links)
        for (const { node } of hidden) {
          const [start, end] = spanOf(node);
          const within = (offset: number) => offset >= start && offset < end;
          if (within(mark.start) && !followsComment(text, node, mark.start))
            expect.fail(`${JSON.stringify(text)}: link at ${mark.start} in ${node.type}`);
          if (within(mark.end - 1) && mark.start < start)
            expect.fail(`${JSON.stringify(text)}: link ends at ${mark.end} in ${node.type}`);
        }
    }),
    runs(3000),
  );
});

test("a tag is found wherever it stands after white space, and not in code", () => {
  const words = fc
    .array(fc.constantFrom("`", "``", "a", " ", "\n", "#", "\n#", "\n\n", "> ", "- ", "    ", "```", "\\"), {
      maxLength: 25,
    })
    .map((pieces) =>
      pieces.map((piece, index) => (piece.endsWith("#") ? `${piece}t${index} ` : piece)).join(""),
    );
  fc.assert(
    fc.property(words, (text) => {
      const hidden = nodesOf(text).filter(({ node }) => node.type === "code" || node.type === "inlineCode");
      const expected = [...text.matchAll(/(?<=^|\s)#(t\d+)/g)]
        .filter(
          ({ index }) => !hidden.some(({ node }) => index >= spanOf(node)[0] && index < spanOf(node)[1]),
        )
        .map(([, tag]) => tag);
      expect(parseNote(text).tags.inline).toEqual(expected);
    }),
    runs(3000),
  );
});

test("the same Markdown links, images and definitions", () => {
  fc.assert(
    fc.property(note, (text) => {
      const nodes = nodesOf(text);
      // Whether `[a]` is a link hangs on definitions anywhere in the note; we list the definition instead.
      fc.pre(!text.includes("[[") && !nodes.some(({ node }) => node.type.endsWith("Reference")));
      const expected = nodes.flatMap(({ node }) =>
        (node.type === "link" || node.type === "image" || node.type === "definition") &&
        /^(?!http)[^#]/.test(node.url)
          ? [`${node.type === "image" ? "!" : ""}${spanOf(node)[0]} ${node.url.split("#")[0]}`]
          : [],
      );
      const html = nodes.filter(({ node }) => node.type === "html");
      const found = parseNote(text)
        .links.filter(
          (mark) =>
            !html.some(({ node }) => followsComment(text, node, mark.start) && mark.end <= spanOf(node)[1]),
        )
        .map((mark) => `${mark.embed ? "!" : ""}${mark.start} ${mark.target.replaceAll("&amp;", "&")}`);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }),
    runs(3000),
  );
});
