/** Names that some system, shell, script or reader of ours could trip over. */

import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { file, MARK, type Item } from "./item.ts";

const DEVICES = ["con", "prn", "aux", "nul", "COM1", "com9", "COM¹", "lpt1", "LPT³", "con.txt", "Nul.tar.gz"];
const UNPORTABLE = [
  ...DEVICES,
  " leading space",
  "less<than",
  "greater>than",
  "colon:stream",
  'quote"quote',
  "pipe|pipe",
  "question?",
  "star*",
  "back\\slash",
  "a\\..\\..\\up",
  "newline\nin name",
  "tab\tin name",
  "carriage\rreturn",
  "bell\u0007",
  "escape\u001b[31mred",
  "delete\u007f",
  "c1\u009b31m",
  "line\u2028separator",
  "turned\u202egnp",
  "left\u202aright",
  "isolate\u2066x\u2069",
  "mark\u200f",
  "arabic\u061c",
  "%2e%2e",
  "%2e%2e%2fup",
  "\uff0e\uff0e",
  "\u2024\u2024",
  "\u200b.hidden",
];
/** Nothing is wrong with these on any system; they only look like something else. */
const HARMLESS = [
  "trailing dot.",
  "trailing space ",
  "~",
  "-rf",
  "--output=x",
  "--all",
  ":(top)x",
  "@{u}",
  "HEAD",
  "$(touch pwned)",
  "`touch pwned`",
  "; rm -rf .",
  "& calc",
  "a && b",
  "'; DROP TABLE notes; --",
  "') OR 1=1 --",
  "%s%n%x",
  "{{7*7}}",
  "${7*7}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "[brackets]",
  "{a,b}",
  "[[wiki]]",
  "hash#tag",
  "caret^block",
  "percent%",
  "100%25",
  "emoji 😀👩‍👩‍👧‍👦",
  "combining z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠",
  "zero\u200bwidth",
  "soft\u00adhyphen",
  "tag\u{e0041}\u{e0042}",
  "full width Ｎｏｔｅ",
  "cyrillic аdmin",
  "NEAR(a b)",
  'OR"',
  "readme.md",
  "index.js",
  "CLAUDE",
  "AGENTS",
];

const TWINS: [string, string][] = [
  ["caf\u00e9", "cafe\u0301"],
  ["\u00c5ngstr\u00f6m", "A\u030angstro\u0308m"],
  ["\u1e9b\u0323", "\u017f\u0323\u0307"],
  ["Case", "case"],
  ["STRA\u1e9eE", "stra\u00dfe"],
  ["\u03a3\u03c2", "\u03c3\u03c3"],
  ["\u0416ук", "\u0436ук"],
];

export const names = (): Item[] => [
  ...UNPORTABLE.map((name) => file(`names/${name}.md`, `# Odd name\n\n${MARK}\n`, "odd_names")),
  ...HARMLESS.map((name) => file(`names/${name}.md`, `# Odd looks\n\n${MARK}\n`)),
  ...TWINS.flat().map((name) => file(`twins/${name}.md`, MARK, "twins")),
  // Of folders that are twins the folders are told, not what is in them.
  ...["twins/folder A", "twins/folder a"].map((told) => ({ ...file(`${told}/x.md`, MARK, "twins"), told })),
  file(`names/${"x".repeat(252)}.md`, MARK),
  file(`names/${"é".repeat(126)}.md`, MARK),
  file("names/upper.MD", MARK),
  file("names/.md", MARK),
  file("names/..md", MARK),
  file("names/.hidden.md", MARK),
  file(`${Array.from({ length: 60 }, (_, at) => `down ${at}`).join("/")}/bottom.md`, MARK),
  { ...file("git~1/x.md", MARK, "odd_names"), told: "git~1" },
  {
    path: "names/not utf8 \ufffd\ufffd.md",
    listed: "odd_names",
    plant(at) {
      const folder = Buffer.from(`${dirname(at)}/not utf8 `);
      writeFileSync(Buffer.concat([folder, Buffer.from([0xff, 0xfe]), Buffer.from(".md")]), MARK);
    },
  },
];
