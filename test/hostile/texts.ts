/** Notes whose text is meant to blow up a parser, an index or an answer. */

import { soak } from "../soak-size.ts";
import { file, MARK, type Item } from "./item.ts";

/** What is not asked for at its full size in each commit is there a fifth of it. */
const fifth = (size: number): number => (soak > 1 ? size : size / 5);

/** About this many characters of each repeated mark: enough that anything worse than linear shows. */
const SIZE = fifth(200_000);
const repeated = (piece: string, size = SIZE): string => piece.repeat(Math.ceil(size / piece.length));
const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

/** Each is common, so that a search for all of them has the most to do. */
export const NINETY_WORDS = Array.from({ length: 90 }, (_, at) => `w${at}`).join(" ");

const REPEATED: Record<string, string> = {
  "open brackets": "[",
  "closed brackets": "]",
  "open images": "![",
  "open wikilinks": "[[",
  "open embeds": "![[",
  "open links": "[a](",
  "open angle links": "[a](<",
  "open titles": '[a](b "',
  "nested links": "[a [b ",
  "alternating brackets": "[]",
  "emphasis marks": "*_",
  "open emphasis": "*a ",
  "open strong": "**a **",
  "strong and emphasis": "***a* ",
  underscores: "_",
  tildes: "~~a",
  backticks: "`",
  "growing backticks": "`a``a```a",
  backslashes: "\\",
  "escaped brackets": "\\[",
  "open tags of html": "<a ",
  "open comments": "<!--",
  "open instructions": "<?",
  "open declarations": "<!A",
  "open sections": "<![CDATA[",
  "open attributes": '<a b="',
  "obsidian comments": "%%",
  "math marks": "$$",
  "open math": "$a",
  entities: "&amp;",
  "open entities": "&a",
  "number entities": "&#1;",
  quotes: "> ",
  "quotes without spaces": ">",
  "list marks": "- ",
  "numbered list marks": "1. ",
  "quotes in lists": "> - ",
  "spaces only": " ",
  "tabs only": "\t",
  "blank lines": "\n",
  "lines of spaces": "   \n",
  "empty headings": "#\n",
  "headings of every level": "# a\n## b\n### c\n",
  "underlined headings": "a\n=\n",
  rules: "---\n",
  fences: "```\n",
  "tilde fences": "~~~\n",
  "fences of growing length": "```\n````\n",
  "table pipes": "|",
  "table rows": "|a|b|\n|-|-|\n",
  tags: "#a ",
  "tags without spaces": "#a",
  "slashes in tags": "#a/",
  "block ids": "a ^b\n",
  footnotes: "[^1]: a\n",
  definitions: "[a]: b\n",
  "reference links": "[a][b]",
  callouts: "> [!note]\n",
  "task marks": "- [ ] a\n",
  "web addresses": "http://a.b/c ",
  "open addresses": "<http://a",
  colons: ":",
  "wide characters": "😀",
  "combining marks": "e\u0301\u0301",
  "zero width joiners": "\u200d",
  "right to left marks": "\u202e",
  "unspaced script": "漢字かな",
  thai: "ภาษาไทย",
  "line separators": "\u2028",
  "form feeds": "\f",
};

const LARGE: Record<string, () => string> = {
  "a million headings": () => "# h\n".repeat(1_000_000),
  "a hundred thousand quotes deep": () => `${">".repeat(100_000)} ${MARK}`,
  "a hundred thousand lists deep": () => `${"- ".repeat(100_000)}${MARK}`,
  "indented ever deeper": () => many(1500, (at) => `${"  ".repeat(at)}- x\n`),
  "one line of eight megabytes": () => "a".repeat(8 * 1024 * 1024 - 10),
  "one line of words": () => repeated("word ", fifth(4_000_000)),
  "half a million links": () => "[[a]] ".repeat(fifth(500_000)),
  "a hundred thousand different links": () => many(fifth(100_000), (at) => `[[none ${at}]] `),
  "a hundred thousand different tags": () => many(100_000, (at) => `#tag${at} `),
  "a hundred thousand definitions": () => many(fifth(100_000), (at) => `[${at}]: none${at}.md\n`),
  "a hundred thousand lines of code": () => `\`\`\`\n${"code\n".repeat(fifth(100_000))}`,
  "a table of ten thousand columns": () =>
    `${"|a".repeat(10_000)}|\n${"|-".repeat(10_000)}|\n${"|b".repeat(10_000)}|\n`,
  "ninety words over and over": () => repeated(`${NINETY_WORDS} `, fifth(2_000_000)),
  "a word of a megabyte": () => "x".repeat(1_000_000),
  "a heading of a megabyte": () => `# ${"x".repeat(1_000_000)}\n`,
  "a link of a megabyte": () => `[[${"x".repeat(1_000_000)}]]\n`,
  "a tag of a megabyte": () => `#${"x".repeat(1_000_000)}\n`,
  "the same heading often": () => `${"# Same\n\ntext\n\n".repeat(fifth(20_000))}`,
};

export const texts = (): Item[] => [
  ...Object.entries(REPEATED).map(([name, piece]) =>
    file(`texts/${name}.md`, `${MARK}\n\n${repeated(piece)}\n`),
  ),
  ...Object.entries(LARGE).map(([name, text]) => file(`texts/${name}.md`, text())),
];
