/** Frontmatter made to be executed, to unfold without end, or to change what objects are. */

import { file, MARK, type Item } from "./item.ts";

const note = (name: string, yaml: string, trouble = false): Item =>
  file(`yaml/${name}.md`, `---\n${yaml}\n---\n\n${MARK}\n`, trouble ? "bad_fields" : undefined);

const aliases = (levels: number, each: number): string =>
  [
    "l0: &l0 lol",
    ...Array.from(
      { length: levels },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array.from({ length: each }, () => `*l${at}`).join(", ")}]`,
    ),
  ].join("\n");

const UNREADABLE: Record<string, string> = {
  "billion laughs": aliases(9, 9),
  "aliases nine to the eighth": aliases(8, 9),
  "a map nested fifty thousand deep": `a: ${"{a: ".repeat(50_000)}1${"}".repeat(50_000)}`,
  "a list nested fifty thousand deep": `a: ${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  "unclosed lists": `a: ${"[".repeat(50_000)}`,
  "unclosed maps": `a: ${"{".repeat(50_000)}`,
  "duplicate keys": "a: 1\na: 2",
  "a tab for indentation": "a:\n\tb: 1",
  "an open quotation": 'a: "b',
  "an unknown alias": "a: *nothing",
  "an alias of itself": "a: &a [*a]",
  "a list at the top": "- a\n- b",
  "text at the top": "just text",
  "a bad indentation": "a: 1\n  b: 2",
  "a colon too many": "a: b: c",
  "an open bracket": "tags: [a, b",
};

const READ: Record<string, string> = {
  "run a function": 'a: !!js/function "function () { process.exit(3) }"',
  "run a regular expression": "a: !!js/regexp /(a+)+$/",
  "run python": "a: !!python/object/apply:os.system ['touch pwned']",
  "make a ruby object": "a: !ruby/object:Gem::Requirement {}",
  "a java class": "a: !!javax.script.ScriptEngineManager [x]",
  "a merge of everything": "base: &b {x: 1}\nother:\n  <<: *b\n  y: 2",
  "a huge omap": `a: !!omap [${Array.from({ length: 5000 }, (_, at) => `k${at}: ${at}`).join(", ")}]`,
  "a set": "a: !!set {x, y}",
  binary: "a: !!binary aGVsbG8=",
  __proto__: "__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}",
  "__proto__ in a list": "a:\n  - __proto__: {polluted: yes}",
  "names of machinery": "toString: a\nhasOwnProperty: b\nvalueOf: c\n__defineGetter__: d",
  "numbers that are not": "a: .inf\nb: .nan\nc: 0x7fffffffffffffffff\nd: 1e999\ne: -0",
  "dates that are not": "created: 9999-99-99\nmodified: 0000-00-00\nupdated: 2026-13-45T99:99:99Z",
  "wrong types": "title: {a: 1}\ntags: {b: 2}\naliases: 7\nid: [1]\ntype: [x]\ncreated: {}",
  "tags that are not": "tags: [null, 1, true, [nested], {a: b}, '', '#', '##x', 'with space', 'a/b/c']",
  "ten thousand tags": `tags: [${Array.from({ length: 10_000 }, (_, at) => `t${at}`).join(", ")}]`,
  "ten thousand fields": Array.from({ length: 10_000 }, (_, at) => `field${at}: ${at}`).join("\n"),
  "ten thousand aliases": `aliases: [${Array.from({ length: 10_000 }, (_, at) => `other name ${at}`).join(", ")}]`,
  "a scalar of a megabyte": `a: ${"x".repeat(1_000_000)}`,
  "a folded scalar": `a: >\n${"  word word word\n".repeat(20_000)}`,
  "a comment of a megabyte": `# ${"x".repeat(1_000_000)}\na: 1`,
  "an id of somebody else's": "id: 00000000",
  "a title with a line break": 'title: "one\\ntwo"',
  "a title with escapes": 'title: "\\e[31mred\\a\\0"',
  "an anchor on everything": "a: &a 1\nb: *a\nc: *a",
  "a web address": "source: http://169.254.169.254/latest/meta-data/\nimage: file:///etc/passwd",
  "an empty block": "",
  "only comments": "# nothing here",
  "a key that is a list": "? [a, b]\n: c",
  "an empty key": ": a",
  "a key of ten thousand letters": `${"k".repeat(10_000)}: 1`,
};

/** No frontmatter at all, whatever they look like: another language is named, or the block never ends. */
const NONE: Record<string, string> = {
  "language js": `---js\n{ title: process.exit(3) }\n---\n${MARK}\n`,
  "language javascript": `---javascript\nrequire("child_process").execSync("touch pwned")\n---\n${MARK}\n`,
  "language coffee": `---coffee\nprocess.exit 3\n---\n${MARK}\n`,
  "language json": `---json\n{"title": "x"}\n---\n${MARK}\n`,
  "language toml": `+++\ntitle = "x"\n+++\n${MARK}\n`,
  "never closed": `---\ntitle: x\n${MARK}\n`,
  "never closed and long": `---\n${`title: ${MARK}\n`.repeat(100_000)}`,
  "opened late": `\n---\ntitle: x\n---\n${MARK}\n`,
  "four dashes": `----\ntitle: x\n----\n${MARK}\n`,
  "only a fence": "---",
  "two fences": "---\n---",
};

export const frontmatters = (): Item[] => [
  ...Object.entries(UNREADABLE).map(([name, yaml]) => note(name, yaml, true)),
  ...Object.entries(READ).map(([name, yaml]) => note(name, yaml)),
  ...Object.entries(NONE).map(([name, text]) => file(`yaml/${name}.md`, text)),
  // Over the size of a note that is read at all.
  file("yaml/a scalar of ten megabytes.md", `---\na: ${"x".repeat(10_000_000)}\n---\n`, "too_large"),
];
