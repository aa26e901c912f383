import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { contextOf, markRemoved, rewriteLinks, type LinkMark } from "./links.ts";
import { runs } from "../../test/soak-size.ts";
import { parseNote } from "./note.ts";
import { atOnce } from "./steps.ts";

const rewritten = (...given: Parameters<typeof rewriteLinks>): string => atOnce(rewriteLinks(...given));

const linksIn = (text: string): LinkMark[] => parseNote(text).links;
/** Form, target, anchor and label in one line: `!wiki a #h |x`. */
const said = ({ form, embed, target, anchor, label }: LinkMark): string =>
  `${embed ? "!" : ""}${form} ${target}${anchor && ` ${anchor}`}${label === null ? "" : ` |${label}`}`;

describe("forms that are links to notes", () => {
  test.each([
    ["[[a]]", "wiki a"],
    ["[[a|x]]", "wiki a |x"],
    ["[[a\\|x]]", "wiki a |x"],
    ["[[folder/a]]", "wiki folder/a"],
    ["[[a#h]]", "wiki a #h"],
    ["[[a#h#i]]", "wiki a #h#i"],
    ["[[a#^b]]", "wiki a #^b"],
    ["[[a#h|x y]]", "wiki a #h |x y"],
    ["![[a]]", "!wiki a"],
    ["![[a|300]]", "!wiki a |300"],
    ["[[ a b ]]", "wiki a b"],
    ["[[x]y]]", "wiki x]y"],
    ["[[a.md]]", "wiki a.md"],
    ["[[Node.js]]", "wiki Node.js"],
    ["[[v1.2]]", "wiki v1.2"],
    ["[[Note: part]]", "wiki Note: part"],
    ["[[../a]]", "wiki ../a"],
    ["[[/a]]", "wiki /a"],
    ["[[[a]]]", "wiki a"],
    ["[[a [[b]]", "wiki b"],
    ["[[a|`code`]]", "wiki a |`code`"],
    ["[[a|see ] there]]", "wiki a |see ] there"],
    ["\\![[a]]", "wiki a"],
    ["é [[ü|ö]]", "wiki ü |ö"],
    ["[x](a.md)", "markdown a.md |x"],
    ["[x](a.md#h)", "markdown a.md #h |x"],
    ["[x](<a b.md>)", "markdown a b.md |x"],
    ["[x](<a b.md#h i>)", "markdown a b.md #h i |x"],
    ["[x](a%20b.md)", "markdown a b.md |x"],
    ["[x](caf%C3%A9.md)", "markdown café.md |x"],
    ["[x](100%.md)", "markdown 100%.md |x"],
    ["[x](C%23.md)", "markdown C#.md |x"],
    ["[x](a\\_b.md)", "markdown a_b.md |x"],
    ["[x](a(b).md)", "markdown a(b).md |x"],
    ['[x](a.md "t")', "markdown a.md |x"],
    ["[x](a.md 't')", "markdown a.md |x"],
    ["[x](a.md (t))", "markdown a.md |x"],
    ["[x]( a.md )", "markdown a.md |x"],
    ["[x](./a.md)", "markdown ./a.md |x"],
    ["[x](../b/a.md)", "markdown ../b/a.md |x"],
    ["[x](/a.md)", "markdown /a.md |x"],
    ["[x](folder/note)", "markdown folder/note |x"],
    ["[x](v1.2)", "markdown v1.2 |x"],
    ["![x](a.md)", "!markdown a.md |x"],
    ["[](a.md)", "markdown a.md |"],
    ["[a [b] c](d.md)", "markdown d.md |a [b] c"],
    ["[a\nb](c.md)", "markdown c.md |a b"],
    ["> [a\n> b](c.md)", "markdown c.md |a b"],
    ["[![i](p.png)](a.md)", "markdown a.md |![i](p.png)"],
    ["[r]: a.md", "markdown a.md"],
    ['[r]: <a b.md> "t"', "markdown a b.md"],
    ["> [r]:\n> a.md", "markdown a.md"],
    ["| [[a\\|x]] | b |\n|---|---|", "wiki a |x"],
    ["# About [[a]]", "wiki a"],
    ["a `b` [[c]]", "wiki c"],
    ["<!-- x --> [[a]]", "wiki a"],
    ["US$ [[a]] and CA$", "wiki a"],
    ["[[US$]] x$", "wiki US$"],
  ])("%j", (text, expected) => {
    expect(linksIn(text).map(said)).toEqual([expected]);
  });

  test("several, in order of place", () => {
    const links = linksIn("---\nup: '[[h]]'\n---\n[r]: d.md\n\n[[a]] [x](b.md) ![[c]]\n");
    expect(links.map((link) => [link.target, link.line, link.where])).toEqual([
      ["h", 2, "fields"],
      ["d.md", 4, "body"],
      ["a", 6, "body"],
      ["b.md", 6, "body"],
      ["c", 6, "body"],
    ]);
  });

  test("a link inside a link's text is the link", () => {
    expect(linksIn("[a [b](c.md) d](e.md)").map((link) => link.target)).toEqual(["c.md"]);
    expect(linksIn("[a [[b]] d](e.md)").map((link) => link.target)).toEqual(["b"]);
  });
});

describe("what is no link to a note", () => {
  test.each([
    "[[#H]]",
    "[x](#h)",
    "[[]]",
    "[[|x]]",
    "[[a",
    "[[a\nb]]",
    "[ [a] ]",
    "\\[[a]]",
    "[\\[a]]",
    "[[p.png]]",
    "![[Clip.MP4|300]]",
    "[[doc.pdf#page=2]]",
    "[[board.canvas]]",
    "[[list.base]]",
    "[x](p.PNG)",
    "[x](data.csv)",
    "[x](page.html#top)",
    "[x](https://a.b/c.md)",
    "[x](mailto:a@b.c)",
    "[x](obsidian://open?vault=v)",
    "[x](//host/a.md)",
    "[[https://a.b]]",
    "[x](folder/)",
    "[x](..)",
    "[x]()",
    "[x] (a.md)",
    "[x](a b.md)",
    "[x](a.md",
    "[x\\](a.md)",
    "[^1]: word",
    "text\n[r]: a.md",
    "`[[a]]`",
    "`[x](a.md)`",
    "``[[a]]` [[b]]``",
    "[[a `b]] c`",
    "[[w|\\````]]```",
    "```\n[[a]]\n```",
    "~~~md\n[[a]]\n~~~",
    "    [[a]]",
    "> ```\n> [[a]]\n> ```",
    "- ```\n  [[a]]\n  ```",
    "<!-- [[a]] -->",
    "a <!-- [[b]] --> c",
    "<!--\n\n[[a]]\n\n-->",
    "%%[[a]]%%",
    "a %% [[b]]\n[[c]] %% d",
    "%%\n[[a]]\n\n# [[b]]\n%%",
    "$$[[a]]$$",
    "$$\n[[a]]\n\n[[b]]\n$$",
    "$x [[a]] y$",
    "<div>\n[[a]]\n</div>",
    "<pre>\n\n[[a]]\n</pre>",
    '<a title="[[b]]">',
    "a\n<b c='[[d]]\n'>",
    "<https://[[a]]>",
  ])("%j", (text) => {
    expect(linksIn(text)).toEqual([]);
  });
});

describe("links in fields", () => {
  test.each<[string, string[]]>([
    ["up: [[Home]]", ["Home"]],
    ["up: '[[Home|x]]'", ["Home"]],
    ['up: "[[Home#h]]"', ["Home"]],
    ["up:\n  - '[[a]]'\n  - \"[[b]]\"", ["a", "b"]],
    ["up: [ '[[a]]', [[b]] ]", ["a", "b"]],
    ["up: see [[a]] and [[b]]", ["a", "b"]],
    ["up: '[[Bob''s note]]'", ["Bob's note"]],
    ['up: "[[a \\" b]]"', ['a " b']],
    ["up: x # [[a]]", []],
    ["# [[a]]\nup: x", []],
    ["up: 'a # [[b]]'", ["b"]],
    ["up: |\n  # [[a]]\n  it's [[b]]\nx: '[[c]]'", ["a", "b", "c"]],
    ["up:\n  - a: >\n      [[b]]\n    c: it's # [[d]]", ["b"]],
    ["up: it's [[a]]\nx: don't # [[b]]", ["a"]],
    ["m: [[1, 2], [3, 4]]", []],
    ["up: '[[p.png]]'", []],
    ["up: '[[a'\nx: ']] [[b]]'", ["b"]],
  ])("%j", (yaml, expected) => {
    expect(linksIn(`---\n${yaml}\n---\n`).map((link) => link.target)).toEqual(expected);
  });

  test("none in a block that cannot be read", () => {
    expect(linksIn("---\nup: [[a\n---\n[[b]]").map((link) => link.target)).toEqual(["b"]);
  });
});

test("offsets name the whole link and the part a new target replaces", () => {
  const text = "a ![[ f/b #h|x]] and [y](<c d.md#e>) z";
  const cut = linksIn(text).map(({ start, end, targetStart, targetEnd }) => [
    text.slice(start, end),
    text.slice(targetStart, targetEnd),
  ]);
  expect(cut).toEqual([
    ["![[ f/b #h|x]]", "f/b"],
    ["[y](<c d.md#e>)", "c d.md"],
  ]);
});

const around = (text: string, width?: number): string => contextOf(text, linksIn(text)[0]!, width);

describe("contextOf", () => {
  test.each([
    ["one [[a]] two", 50, "one [[a]] two"],
    ["line\n  one   [[a]]\ttwo  \nline", 50, "one [[a]] two"],
    ["0123456789 [[a]] 0123456789", 4, "789 [[a]] 012"],
    ["🙂🙂🙂[[a]]🙂🙂🙂", 2, "🙂🙂[[a]]🙂🙂"],
    ["[b\nc](a.md) d", 50, "[b c](a.md) d"],
  ])("%j", (text, width, expected) => {
    expect(around(text, width)).toBe(expected);
  });

  test("fifty characters either side, unless told otherwise", () => {
    expect(around(`${"x".repeat(99)}[[a]]${"y".repeat(99)}`)).toBe(`${"x".repeat(50)}[[a]]${"y".repeat(50)}`);
  });

  test("never holds half a character", () => {
    const text = fc
      .array(fc.constantFrom("🙂", "a", " ", "\n"), { maxLength: 400 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, fc.nat(60), (before, after, width) => {
        const whole = `${before} [[a]] ${after}`;
        const mark = linksIn(whole)[0];
        if (mark) expect(contextOf(whole, mark, width)).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe("rewriteLinks", () => {
  test.each([
    ["[[a]] and [[b]]", "c", "[[c]] and [[b]]"],
    ["![[a#h|x]]", "f/c d", "![[f/c d#h|x]]"],
    ["| [[a\\|x]] |\n|--|", "c", "| [[c\\|x]] |\n|--|"],
    ["[x](a.md#h)", "c d.md", "[x](c%20d.md#h)"],
    ["[x](a.md 'A title')", "ü.md", "[x](ü.md 'A title')"],
    ["[x](<a.md>)", "c d.md", "[x](<c d.md>)"],
    ["[x](%61.md)", "c é.md", "[x](c%20é.md)"],
    ["[x](./a.md)", "b(.md", "[x](b%28.md)"],
    ["[x](./a.md)", "b (1).md", "[x](b%20(1).md)"],
    ["[x](./a.md)", "C# 100%.md", "[x](C%23%20100%25.md)"],
    ["[x](./a.md)", "a:b.md", "[x](a%3Ab.md)"],
    ["[r]: a.md 't'\n", "b.md", "[r]: b.md 't'\n"],
    ["---\nup: [[a]]\n---\n", "b", "---\nup: [[b]]\n---\n"],
    ["---\nup: [[a|x]]\n---\n", "b, c", '---\nup: "[[b, c|x]]"\n---\n'],
    ["---\nup: '[[a]]'\n---\n", "Bob's", "---\nup: '[[Bob''s]]'\n---\n"],
    ['---\nup: "[[a]]"\n---\n', 'b "c"', '---\nup: "[[b \\"c\\"]]"\n---\n'],
  ])("%j to %j", (text, target, expected) => {
    const first = linksIn(text)[0]!.target;
    expect(rewritten(text, linksIn(text), (mark) => (mark.target === first ? target : null))).toBe(expected);
  });

  test("letters beyond ASCII are encoded where they were before", () => {
    const text = "[x](caf%C3%A9.md)";
    expect(rewritten(text, linksIn(text), () => "thé vert.md")).toBe("[x](th%C3%A9%20vert.md)");
  });

  test("the target it has, or null, leaves every byte", () => {
    const text = "[x](%61%2Fb.md)\r\n[[ c ]] [y](<d.md>)";
    expect(rewritten(text, linksIn(text), (mark) => mark.target)).toBe(text);
    expect(rewritten(text, linksIn(text), () => null)).toBe(text);
  });
});

describe("markRemoved", () => {
  test.each([
    ["[[a]]", "[[n (deleted)]]"],
    ["![[f/a|x]]", "![[n (deleted)|x]]"],
    ["[[a#h|x]]", "[[n (deleted)#h|x]]"],
    ["[x](a.md#h%20i)", "[[n (deleted)#h i|x]]"],
    ["![x](<a.md>)", "![[n (deleted)|x]]"],
    ["[](a.md 't')", "[[n (deleted)]]"],
    ["[x[1]](a.md).", "[[n (deleted)|x[1] ]]."],
    [
      "| a | b |\n|---|---|\n| [x](a.md) | [[a\\|y]] |",
      "| a | b |\n|---|---|\n| [[n (deleted)\\|x]] | [[n (deleted)\\|y]] |",
    ],
    ["> | [x](a.md) |\n> |-|\n\n[x](a.md)", "> | [[n (deleted)\\|x]] |\n> |-|\n\n[[n (deleted)|x]]"],
    ["see [r]\n\n[r]: a.md", "see [r]\n\n[r]: n%20(deleted).md"],
    ["---\nup: [[a]]\nx: '[[a|y]]'\n---\n", "---\nup: [[n (deleted)]]\nx: '[[n (deleted)|y]]'\n---\n"],
  ])("%j", (text, expected) => {
    expect(markRemoved(text, linksIn(text), () => "n")).toBe(expected);
  });

  test("a name that YAML would take for something else is quoted", () => {
    const text = "---\nup: [[a]]\n---\n";
    const after = markRemoved(text, linksIn(text), () => "it's, #1");
    expect(after).toBe('---\nup: "[[it\'s, #1 (deleted)]]"\n---\n');
    expect(parseNote(after).front.trouble).toBeNull();
  });
});

test("whatever is put in is what is read back, and nothing else changes", () => {
  const name = fc
    .array(
      fc.constantFrom("a", "B", " ", "é", "(", ")", "'", "&", "%", "%2", "1", "-", ",", "🙂", "~", "!"),
      { minLength: 1, maxLength: 8 },
    )
    .map((all) => all.join("").trim())
    .filter((each) => each !== "" && !each.endsWith("."));
  const written = fc.constantFrom(
    "[[a]]",
    "![[a#h|l]]",
    "[x](a.md)",
    "[x](<a.md#h> 't')",
    "[x](a%20b.md)",
    "![x](a.md)",
    "\n\n[r]: a.md\n\n",
  );
  const text = fc
    .array(fc.oneof(written, fc.constantFrom(" ", "\n", "- ", "> ", "word ", "`code`", "\n\n")), {
      maxLength: 12,
    })
    .map((all) => `---\nup: '[[a]]'\nin: "[[a|x]]"\nby: [[a]]\n---\n${all.join("")}`);
  fc.assert(
    fc.property(text, name, (before, to) => {
      const marks = linksIn(before);
      const target = (mark: LinkMark) => (mark.form === "wiki" ? to : `${to}.md`);
      const after = rewritten(before, marks, target);
      const again = linksIn(after);
      expect(again.map((mark) => [mark.target, mark.anchor, mark.label])).toEqual(
        marks.map((mark) => [target(mark), mark.anchor, mark.label]),
      );
      const back = rewritten(after, again, (mark) => marks[again.indexOf(mark)]!.target);
      expect(linksIn(back).map(said)).toEqual(marks.map(said));
    }),
    runs(2000),
  );
});
