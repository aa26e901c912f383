/** The pages for people: their lines are short, their links lead somewhere, and the tests they name exist. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { commandHelp, mainHelp } from "../src/cli/help.ts";
import { loadSurfaces } from "../src/surfaces/all.ts";

const COLUMNS = 120;
/** Pages that `npm run docs` makes. */
const MADE = ["docs/MAP.md", "docs/TOOLS.md"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !MADE.includes(path)),
].toSorted();

/** A page without its fenced code, each line with its number. */
const prose = (text: string): { line: string; at: number }[] => {
  let fence = "";
  return text.split("\n").flatMap((line, index) => {
    const [, mark = ""] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (mark && (!fence || mark === fence)) fence = fence ? "" : mark;
    return fence || mark ? [] : [{ line, at: index + 1 }];
  });
};

/** What cannot be parted: a span of code, or a link. */
const WHOLE = /`[^`]*`|\[[^\]]*\]\([^)]*\)/g;
/** Whether a line is too long although a blank stands where it could be parted. A row of a table cannot be. */
const isTooLong = (line: string): boolean =>
  line.length > COLUMNS &&
  !line.startsWith("|") &&
  /\S\s+\S/.test(line.replace(/^\s*(?:[-*]|\d+\.)?\s*/, "").replace(WHOLE, "x"));

test("prose is wrapped at 120 columns", () => {
  expect(isTooLong(`${"word ".repeat(30)}end`)).toBe(true);
  expect(isTooLong(`- [${"word ".repeat(30)}](x.md)`)).toBe(false);
  expect(isTooLong(`| ${"word ".repeat(30)} |`)).toBe(false);
  expect(pages.length).toBeGreaterThan(20);
  const long = pages.flatMap((path) =>
    prose(readFileSync(path, "utf8"))
      .filter(({ line }) => isTooLong(line))
      .map(({ at }) => `${path}:${at}`),
  );
  expect(long).toEqual([]);
});

test.each([40, 80, 100])("help fits a screen of %i columns, and parts flags from words", (width) => {
  const texts = Object.entries(COMMANDS).map(([name, command]) => commandHelp(name, command, width));
  const lines = [mainHelp(width), ...texts].flatMap((text) => text.split("\n"));
  // A line to be pasted, and a word longer than the screen, stay whole.
  const long = lines.filter((line) => line.length > width && !/^ {2}.*\bnotewright |^ *\S+$/.test(line));
  expect(long).toEqual([]);
  const flags = lines.filter((line) => /^ {2}-/.test(line));
  expect(flags.length).toBeGreaterThan(40);
  const form = /^ {2}(?:-\w, )?--[\w-]+(?: [A-Z[\]:]+)?/;
  expect(flags.filter((line) => !/^$|^ {2,}[^A-Z\s]/.test(line.replace(form, "")))).toEqual([]);
});

/** Words of our own for which the field has one: pending, flush, repair, fix, deflate. */
const RETIRED = /\b(?:owed|owes|settles?|settled|settling|mend(?:s|ed|ing)?|wanderers?|foreseen)\b/i;

test("pages speak the words of the field", () => {
  expect("what is owed").toMatch(RETIRED);
  const used = pages.flatMap((path) =>
    prose(readFileSync(path, "utf8")).flatMap(({ line, at }) =>
      RETIRED.test(line) ? [`${path}:${at}`] : [],
    ),
  );
  expect(used).toEqual([]);
});

/** The anchor that a heading gets: its words in lower case, joined by dashes. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = (path: string): string[] =>
  prose(readFileSync(path, "utf8")).flatMap(({ line }) => {
    const [, heading] = /^#{1,6} (.*)$/.exec(line) ?? [];
    return heading === undefined ? [] : [anchorOf(heading)];
  });

test("links between the pages lead to a file, and to a heading in it", () => {
  const dead: string[] = [];
  for (const path of pages) {
    const text = prose(readFileSync(path, "utf8"))
      .map(({ line }) => line.replace(/`[^`]*`/g, ""))
      .join("\n");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = "", anchor] = target.split("#");
      const to = file ? posix.join(posix.dirname(path), file) : path;
      if (!existsSync(to)) dead.push(`${path}: ${target}`);
      else if (anchor !== undefined && !anchorsOf(to).includes(anchor)) dead.push(`${path}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

/** The rows of the tables below a heading, each as its cells, without heads and rules. */
const rowsBelow = (path: string, heading: string): string[][] => {
  const text = readFileSync(path, "utf8");
  const from = text.indexOf(`${heading}\n`);
  expect(from, `${path}: ${heading}`).toBeGreaterThanOrEqual(0);
  const [section = ""] = text.slice(from + heading.length).split(/\n#{1,3} /, 1);
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells, at, all) => !isRule(cells) && !isRule(all[at + 1] ?? []));
};
const isRule = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));

test("every promise names tests that exist, by file and title", () => {
  const promises = rowsBelow("docs/GUARANTEES.md", "## The promises");
  expect(promises.length).toBeGreaterThan(15);
  for (const [id, , shown = ""] of promises) {
    const named = [...shown.matchAll(/`([^`]+)` "([^"]+)"/g)];
    expect(named.length, `${id}: ${shown}`).toBeGreaterThan(0);
    expect(shown.replace(/`[^`]+` "[^"]+"/g, "").replace(/[,;\s]/g, ""), id).toBe("");
    for (const [, file = "", title = ""] of named)
      expect(readFileSync(file, "utf8").includes(title), `${id}: ${file} has no "${title}"`).toBe(true);
  }
  const ids = promises.map(([id]) => id);
  for (const [what, , by = ""] of rowsBelow("docs/GUARANTEES.md", "# What happens to my notes if …"))
    expect(
      by.split(", ").every((id) => ids.includes(id) || id === "[SECURITY.md](../SECURITY.md)"),
      what,
    ).toBe(true);
});

/** A title of a test that carries the number of an attack. */
const carries = (number: string): RegExp =>
  new RegExp(`["\`](?:[^"\`\\n]*\\battacks? (?:\\d+(?:, | and ))*${number}\\b|${number}: )`);

test("every attack names tests that exist, and one of them carries its number", () => {
  expect('test("attacks 46 and 47: set aside", () => {').toMatch(carries("47"));
  expect('test("more than 47 at once", () => {').not.toMatch(carries("47"));
  const attacks = rowsBelow("SECURITY.md", "## Attacks, and the test of each");
  expect(attacks.length).toBeGreaterThan(50);
  for (const [number = "", what, , shown = ""] of attacks) {
    if (shown === "not there yet") continue;
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(files.length, `${number}: ${what}`).toBeGreaterThan(0);
    expect(
      files.map((file) => readFileSync(file, "utf8")).filter((text) => carries(number).test(text)).length,
      `${number}: ${shown}`,
    ).toBeGreaterThan(0);
  }
});

const architecture = readFileSync("docs/ARCHITECTURE.md", "utf8");
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("/suites/"));

test("ARCHITECTURE.md lists every file outside disk/, vault/ and cli/ that imports node:fs", () => {
  const [list = ""] = /\*\*Files\.\*\*[\s\S]*?\n\n/.exec(architecture) ?? [];
  const [, named = ""] = list.split("Outside of it");
  const listed = [...named.matchAll(/`(\w+\/[\w-]+\.ts)`/g)].map(([, file]) => `src/${file}`);
  const importing = sources.filter(
    (path) =>
      !/^src\/(?:disk|vault|cli)\//.test(path) && /"node:fs(?:\/promises)?"/.test(readFileSync(path, "utf8")),
  );
  expect(listed.filter((path) => !path.startsWith("src/test/")).toSorted()).toEqual(importing.toSorted());
});

test("types that ARCHITECTURE.md shows have the members it names", () => {
  let file = "";
  let checked = 0;
  for (const line of architecture.split("\n")) {
    file = /^\/\/ (\S+\.ts)/.exec(line)?.[1] ?? file;
    const [, name, members] = /^type (\w+) = (\{.*\});/.exec(line) ?? [];
    if (!members) continue;
    const text = readFileSync(`src/${file}`, "utf8");
    expect(text, file).toMatch(new RegExp(`\\btype ${name}\\b`));
    for (const [, member] of members.matchAll(/[{;] (\w+)(?=[;( ])/g)) {
      expect(text, `${file}: ${name}.${member}`).toMatch(new RegExp(`\\b${member}\\??[:(<]`));
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(50);
});

test("ARCHITECTURE.md files every tool of every surface under a verb", async () => {
  const [heads = [], ...rows] = architecture
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .reduce<string[][]>(
      (table, cells) => (cells[1] === "verb" || table.length > 0 ? [...table, cells] : table),
      [],
    )
    .slice(0, 12);
  for (const surface of await loadSurfaces()) {
    const column = heads.findIndex((head) => head.startsWith(`${surface.name} `));
    expect(heads[column]).toBe(`${surface.name} ${surface.tools.length}`);
    const named = rows.slice(1).flatMap((row) => row[column]!.replace(/\(.*?\)/g, "").match(/\w+/g) ?? []);
    expect([...new Set(named)].toSorted()).toEqual(surface.tools.map(({ name }) => name).toSorted());
  }
});

test("every term of the glossary occurs in the source", () => {
  const terms = rowsBelow("docs/ARCHITECTURE.md", "### Glossary").flatMap(([term = ""]) => term.split(", "));
  expect(terms.length).toBeGreaterThan(20);
  const all = sources
    .map((path) =>
      readFileSync(path, "utf8")
        .toLowerCase()
        .replace(/\s+(?:\*\s+)?/g, " "),
    )
    .join("\n");
  expect(terms.filter((term) => !new RegExp(`\\b${term}(?:s|es)?\\b`).test(all))).toEqual([]);
});
