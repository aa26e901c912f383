/** What every index must know of links, names, tags and folders. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Link, LinkQuery } from "../link-graph.ts";
import type { NoteIndex } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { fill, findPaths, row, type OpenIndex, linksNow } from "./index-vault.ts";

const VAULT: Record<string, string> = {
  "hub.md":
    "---\nrelated: '[[People/Ada]]'\n---\n# Hub\n\nTo [[Ada|her]], [b](sub/b.md#part) and [[Nowhere]].\n",
  "People/Ada.md": "---\ntitle: Ada Lovelace\naliases: [Countess]\n---\nBack to [[hub#Top]].\n",
  "sub/b.md": "[[./c]] and [[../hub]] and [[hub]]\n",
  "sub/c.md": "[[countess]], [[Ada Lovelace]], [[elsewhere/Ada]]\n",
  "lonely.md": "[[nowhere]] again\n",
};

const brief = ({ source, target, path, depth }: Link): string => `${source} ${target} ${path} ${depth}`;
const noteOf = (path: string): NotePath => path as NotePath;

const QUERIES: [string, LinkQuery, string[]][] = [
  [
    "from a note, in the order they stand in",
    { from: noteOf("hub.md") },
    [
      "hub.md People/Ada People/Ada.md 1",
      "hub.md Ada People/Ada.md 1",
      "hub.md sub/b.md sub/b.md 1",
      "hub.md Nowhere null 1",
    ],
  ],
  [
    "to a note, by path, name, alias and title",
    { to: noteOf("People/Ada.md") },
    [
      "hub.md People/Ada People/Ada.md 1",
      "hub.md Ada People/Ada.md 1",
      "sub/c.md countess People/Ada.md 1",
      "sub/c.md Ada Lovelace People/Ada.md 1",
    ],
  ],
  ["some of them", { to: noteOf("People/Ada.md"), limit: 1 }, ["hub.md People/Ada People/Ada.md 1"]],
  ["to a note that is not there", { to: noteOf("Nowhere.md") }, []],
  ["from a note that is not there", { from: noteOf("Nowhere.md") }, []],
  [
    "as written, to a note that is not there",
    { written: "nowhere" },
    ["hub.md Nowhere null 1", "lonely.md nowhere null 1"],
  ],
  [
    "as written, to a path",
    { written: "elsewhere/Ada.md" },
    ["hub.md Ada People/Ada.md 1", "sub/c.md elsewhere/Ada null 1"],
  ],
  [
    "leading nowhere",
    { broken: true },
    ["hub.md Nowhere null 1", "lonely.md nowhere null 1", "sub/c.md elsewhere/Ada null 1"],
  ],
  [
    "around a note, outwards",
    { around: noteOf("hub.md"), depth: 2, direction: "out" },
    [
      "hub.md People/Ada People/Ada.md 1",
      "hub.md sub/b.md sub/b.md 1",
      "hub.md Nowhere null 1",
      "sub/b.md ./c sub/c.md 2",
    ],
  ],
  [
    "around a note, inwards",
    { around: noteOf("People/Ada.md"), depth: 9, direction: "in" },
    ["hub.md People/Ada People/Ada.md 1", "sub/c.md countess People/Ada.md 1", "sub/b.md ./c sub/c.md 2"],
  ],
  [
    "around a note, both ways",
    { around: noteOf("sub/c.md"), depth: 2, direction: "both" },
    [
      "sub/b.md ./c sub/c.md 1",
      "sub/c.md countess People/Ada.md 1",
      "sub/c.md elsewhere/Ada null 1",
      "People/Ada.md hub hub.md 2",
    ],
  ],
  ["around a note, no steps", { around: noteOf("hub.md"), depth: 0, direction: "both" }, []],
  ["around a note without links", { around: noteOf("lonely.md"), depth: 3, direction: "in" }, []],
];

export function linkCases(open: OpenIndex): void {
  let index: NoteIndex;
  beforeEach(async () => {
    ({ index } = await open());
    fill(index, VAULT);
  });

  describe("links", () => {
    test.each(QUERIES)("%s", (_, query, links) => expect(linksNow(index, query).map(brief)).toEqual(links));

    test("what is said of a link", () => {
      const [inFields, , markdown] = linksNow(index, { from: noteOf("hub.md") });
      expect(inFields).toMatchObject({ line: 2, bodyLine: 0, form: "wiki", title: "Ada Lovelace" });
      expect(markdown).toEqual({
        source: "hub.md",
        sourceTitle: "Hub",
        target: "sub/b.md",
        anchor: "#part",
        label: "b",
        form: "markdown",
        path: "sub/b.md",
        title: "b",
        line: 6,
        bodyLine: 3,
        context: "To [[Ada|her]], [b](sub/b.md#part) and [[Nowhere]].",
        depth: 1,
      });
      expect(linksNow(index, { written: "nowhere" })[0]).toMatchObject({ path: null, title: "Nowhere" });
    });

    test("the words around one: its own line, fifty characters either way, whole characters", () => {
      const side = "😀".repeat(40);
      index.apply([
        row("far.md", `above\n${side}x[[hub]]y${side}\r\nbelow`),
        row("near.md", "a\n\t[[hub]]  \r\nb"),
      ]);
      const [far] = linksNow(index, { from: noteOf("far.md") });
      expect(far!.context).toBe(`${"😀".repeat(24)}x[[hub]]y${"😀".repeat(24)}`);
      expect(linksNow(index, { from: noteOf("near.md") })[0]!.context).toBe("[[hub]]");
    });

    test("one written before its note was there leads to it as soon as it is", () => {
      index.apply([row("deep/Nowhere.md", "here")]);
      expect(linksNow(index, { to: noteOf("deep/Nowhere.md") }).map(({ source }) => source)).toEqual([
        "hub.md",
        "lonely.md",
      ]);
      index.apply([row("deep/Nowhere.md", null, { seen: "1" })]);
      expect(linksNow(index, { broken: true }).length).toBe(3);
    });

    test("a lower heading, or one further down, is no title, and no link means its note", () => {
      index.apply([
        row("Low.md", "## Example\n\nSteps.\n"),
        row("Down.md", "Steps.\n\n# Example\n"),
        row("Quoted.md", "> # Example\n"),
        row("asks.md", "[[Example]] and [x](Example.md)\n"),
      ]);
      expect(linksNow(index, { from: noteOf("asks.md") }).map(({ path }) => path)).toEqual([null, null]);
      expect(linksNow(index, { broken: true }).filter(({ source }) => source === "asks.md").length).toBe(2);
      index.apply([row("Begins.md", "\nExample\n===\n")]);
      expect(linksNow(index, { to: noteOf("Begins.md") }).length).toBe(2);
    });

    test("the notes that hold a link of some last segment", () => {
      expect(index.linkSources("ada")).toEqual(["hub.md", "sub/c.md"]);
      expect(index.linkSources("nobody")).toEqual([]);
    });
  });

  describe("names", () => {
    test("looked up by folded key", () => {
      expect(index.lookup.byPath("people/ada")).toEqual(["People/Ada.md"]);
      expect(index.lookup.byPath("ada")).toEqual([]);
      expect(index.lookup.byName("ada")).toEqual(["People/Ada.md"]);
      expect(index.lookup.byAlias("countess")).toEqual(["People/Ada.md"]);
      expect(index.lookup.byTitle("ada lovelace")).toEqual(["People/Ada.md"]);
      index.apply([row("readme.md", "# Readme.md\n")]);
      expect(index.lookup.byTitle("readme")).toEqual(["readme.md"]);
    });

    test.each<[string, string[]]>([
      ["hub", ["hub.md"]],
      ["HUB.md", ["hub.md"]],
      ["ada", ["People/Ada.md", "x/Ada.md"]],
      ["people/ada", ["People/Ada.md"]],
      ["twin", ["twin.md"]],
      ["Twin", ["Twin.md"]],
      ["TWIN", ["Twin.md", "twin.md"]],
      ["root", ["root.md"]],
      ["x/root", ["x/root.md"]],
      ["lovelace", []],
      ["", []],
      ["/hub", []],
      ["../hub", []],
    ])("%j could mean %j", (name, paths) => {
      index.apply(["x/Ada.md", "Twin.md", "twin.md", "root.md", "x/root.md"].map((path) => row(path, path)));
      expect(index.locate(name)).toEqual(paths);
    });

    test.each<[string, string | undefined]>([
      ["hbu", "hub.md"],
      ["lonly", "lonely.md"],
      ["the lonely", "lonely.md"],
      ["Adda", "People/Ada.md"],
      ["zzzzzz", undefined],
    ])("the nearest to %j is %j", (name, path) => expect(index.similarNames(name, 3)[0]).toBe(path));

    test("no more near names than asked for, and none for a very long one", () => {
      expect(index.similarNames("b", 1).length).toBe(1);
      expect(index.similarNames("x".repeat(100_000), 5)).toEqual([]);
    });
  });

  describe("tags and folders", () => {
    beforeEach(() => {
      index.apply([
        row("a/1.md", "---\ntags: [one, Two]\n---\n#one #three"),
        row("a/b/2.md", "#two #one"),
        row("a/b/c/3.md", "---\ntags: [one]\n---\n"),
        row("ab/4.md", ""),
      ]);
    });

    test("each tag by its spelling, with its notes, most first", () => {
      expect(index.tags("all")).toEqual([
        { name: "one", count: 3 },
        { name: "Two", count: 1 },
        { name: "three", count: 1 },
        { name: "two", count: 1 },
      ]);
      expect(index.tags("fields")).toEqual([
        { name: "one", count: 2 },
        { name: "Two", count: 1 },
      ]);
    });

    test.each<[string, Record<string, number>]>([
      ["", { People: 1, a: 3, ab: 1, sub: 2 }],
      ["a", { "a/b": 2 }],
      ["A", { "a/b": 2 }],
      ["a/b", { "a/b/c": 1 }],
      ["a/b/c", {}],
      ["none", {}],
    ])("the folders below %j", (under, counts) => {
      expect(Object.fromEntries(index.folders(under).map(({ name, count }) => [name, count]))).toEqual(
        counts,
      );
    });

    test.each<[string, "direct" | "deep", string[]]>([
      ["a", "direct", ["a/1.md"]],
      ["a", "deep", ["a/1.md", "a/b/2.md", "a/b/c/3.md"]],
      ["A", "deep", []],
      ["", "direct", ["hub.md", "lonely.md"]],
    ])("the stamps in %j, %s", (folder, depth, paths) =>
      expect([...index.stamps({ folder, depth }).keys()].toSorted()).toEqual(paths),
    );

    test("everything is below the root", () =>
      expect(index.stamps({ folder: "", depth: "deep" })).toEqual(index.stamps()));

    test("very many, some at a time: none is lost, told twice or out of order", () => {
      const times = <T>(count: number, made: (at: number) => T): T[] =>
        Array.from({ length: count }, (_, at) => made(at));
      index.apply([
        row("many.md", times(5000, (at) => `[[none ${at}]]`).join("\n")),
        row("target.md", "[[target]]"),
        row("spokes.md", times(2500, (at) => `[[spoke ${at}]]`).join("\n")),
        ...["one", "two", "three"].map((name) => row(`${name}.md`, "[[target]] ".repeat(1500))),
        ...times(2500, (at) => row(`spoke ${at}.md`, "[[spokes]]")),
      ]);
      const steps = (query: LinkQuery): number => {
        const work = index.links(query);
        let count = 0;
        for (let step = work.next(); !step.done; step = work.next()) count++;
        return count;
      };
      const from = linksNow(index, { from: noteOf("many.md") });
      expect(from.map(({ target }) => target)).toEqual(times(5000, (at) => `none ${at}`));
      const broken = linksNow(index, { broken: true });
      expect(broken.filter(({ source }) => source === "many.md")).toEqual(from);
      const to = linksNow(index, { to: noteOf("target.md") }).map(({ source }) => source);
      expect(to).toEqual(to.toSorted());
      expect(to.length).toBe(4501);
      for (const direction of ["in", "out", "both"] as const) {
        const around = linksNow(index, { around: noteOf("spokes.md"), depth: 3, direction });
        expect(new Set(around.map(({ source, path }) => `${source} ${path}`)).size).toBe(2500);
      }
      expect(steps({ from: noteOf("many.md") })).toBeGreaterThan(4);
      expect(steps({ to: noteOf("target.md") })).toBeGreaterThan(4);
      expect(steps({ broken: true })).toBeGreaterThan(4);
      expect(findPaths(index, { linksTo: noteOf("target.md") })).toEqual([
        "one.md",
        "target.md",
        "three.md",
        "two.md",
      ]);
    });
  });
}
