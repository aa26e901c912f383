import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotePath } from "./paths.ts";
import { fold, foldKey, linkKey, lookupOf, resolveTarget } from "./resolve.ts";

type Given = string | { path: string; title?: string; aliases?: string[] };
const vault = (notes: Given[]) =>
  lookupOf(
    notes.map((note) => {
      const { path, title, aliases } =
        typeof note === "string" ? { path: note, title: undefined, aliases: undefined } : note;
      return { path: path as NotePath, title: title ?? path.split("/").at(-1)!, aliases: aliases ?? [] };
    }),
  );

describe("keys", () => {
  test.each([
    ["Folder/Name.md", "folder/name"],
    ["NAME.MD", "name"],
    ["a.md.md", "a.md"],
    ["Node.js", "node.js"],
    ["Cafe\u0301", "caf\u00e9"],
    ["J\u030c", "\u01f0"],
    ["\u0130stanbul", "i\u0307stanbul"],
    ["ΟΔΟΣ", "οδοσ"],
    ["", ""],
  ])("foldKey(%j) is %j", (text, key) => expect(foldKey(text)).toBe(key));

  test.each([
    ["a", "a"],
    ["Folder/Sub/A.md", "a"],
    ["../A", "a"],
    ["/A", "a"],
    ["folder/", "folder"],
    ["", ""],
    ["/", ""],
  ])("linkKey(%j) is %j", (target, key) => expect(linkKey(target)).toBe(key));

  // A pattern for the last slashes would take a quarter of a minute.
  test("two hundred thousand slashes are passed over at once", () =>
    expect(linkKey(`${"/".repeat(200_000)}x`)).toBe("x"));

  test("folding twice changes nothing more", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => fold(fold(text)) === fold(text)));
  });
});

/** notes, where the link stands, what is written, what it means as a wikilink, and as a Markdown link where that differs */
const cases: [string, Given[], string, string, string | null, (string | null)?][] = [
  ["an exact path", ["x/a.md", "a.md"], "n.md", "x/a", "x/a.md"],
  ["an exact path with its ending", ["x/a.md"], "n.md", "x/a.md", "x/a.md"],
  ["the only note of that name", ["deep/er/a.md"], "n.md", "a", "deep/er/a.md"],
  ["nothing", ["a.md"], "n.md", "b", null],
  ["an empty target", ["a.md"], "n.md", "", null],
  ["a slash", ["a.md"], "n.md", "/", null],
  ["case makes no difference", ["Folder/Note.md"], "n.md", "fOLDER/nOTE", "Folder/Note.md"],
  ["a path on disk in decomposed form", ["Cafe\u0301.md"], "n.md", "caf\u00e9", "Cafe\u0301.md"],
  ["a target in decomposed form", ["caf\u00e9.md"], "n.md", "Cafe\u0301", "caf\u00e9.md"],
  ["a name with a dot", ["Node.js.md"], "n.md", "node.js", "Node.js.md", null],
  ["a name with a number after a dot", ["v1.2.md"], "n.md", "V1.2", "v1.2.md"],
  [
    "a name that ends as a canvas does",
    ["f/plan.canvas.md"],
    "n.md",
    "Plan.canvas",
    "f/plan.canvas.md",
    null,
  ],
  [
    "no alias or title that looks like a file",
    [{ path: "a.md", title: "p.png", aliases: ["p.png"] }],
    "n.md",
    "p.png",
    null,
  ],
  ["a file called a.md.md", ["a.md.md"], "n.md", "a.md.md", "a.md.md"],
  ["its shorter name, which is not its name", ["a.md.md"], "n.md", "a.md", null],

  ["the root's note is the exact path", ["a.md", "x/a.md"], "x/n.md", "a", "a.md", "x/a.md"],
  ["the same folder is nearest", ["x/a.md", "y/a.md"], "y/n.md", "a", "y/a.md"],
  ["the same folder before one below", ["x/a/a.md", "x/y/a.md", "x/y/z/a.md"], "x/y/n.md", "a", "x/y/a.md"],
  ["then most folders shared", ["x/y/p/a.md", "x/a.md", "z/a.md"], "x/y/q/n.md", "a", "x/y/p/a.md"],
  ["shared folders count whole", ["project/a.md", "pro/long/a.md"], "pro/n.md", "a", "pro/long/a.md"],
  ["then the shortest path", ["long/a.md", "b/a.md"], "x/n.md", "a", "b/a.md"],
  ["then the exact spelling", ["b/A.md", "c/a.md"], "x/n.md", "a", "c/a.md"],
  ["then the alphabet", ["c/a.md", "b/a.md"], "x/n.md", "a", "b/a.md"],
  ["nearness before spelling", ["x/A.md", "y/a.md"], "x/n.md", "a", "x/A.md"],
  ["twins by case: the one spelled so", ["A.md", "a.md"], "n.md", "a", "a.md"],
  ["twins by case: the other", ["A.md", "a.md"], "n.md", "A", "A.md"],
  ["twins by case, spelled as neither", ["fOo.md", "FoO.md"], "n.md", "FOO", "FoO.md"],

  ["folders name the end of a path", ["p/x/a.md", "q/y/a.md"], "n.md", "y/a", "q/y/a.md"],
  ["folders are compared whole", ["p/xx/a.md"], "n.md", "x/a", null],
  ["folders, nearest", ["p/x/a.md", "q/x/a.md"], "q/n.md", "x/a", "q/x/a.md"],
  ["a folder that is not there", ["y/a.md"], "n.md", "x/a", null],

  ["beside the note", ["x/a.md", "a.md"], "x/n.md", "./a", "x/a.md"],
  ["beside the note, and nowhere else", ["y/a.md"], "x/n.md", "./a", null],
  ["one up", ["a.md", "x/a.md"], "x/n.md", "../a", "a.md"],
  ["one up and down again", ["y/a.md"], "x/n.md", "../y/a.md", "y/a.md"],
  ["out of the vault", ["a.md"], "x/n.md", "../../a", null],
  ["from the root only", ["a.md", "x/a.md"], "x/n.md", "/a", "a.md"],
  ["from the root only, where there is none", ["x/a.md"], "x/n.md", "/a", null],
  ["a folder of the root before one beside", ["y/a.md", "x/y/a.md"], "x/n.md", "y/a", "y/a.md", "x/y/a.md"],
  ["a Markdown target from the root", ["y/a.md"], "x/n.md", "y/a.md", "y/a.md"],
  ["a Markdown target by name", ["z/a.md"], "x/n.md", "a.md", "z/a.md"],
  ["dots inside a target", ["x/a.md"], "n.md", "x/y/../a", "x/a.md"],

  ["an alias", [{ path: "x/a.md", aliases: ["Big A"] }], "n.md", "big a", "x/a.md"],
  ["an alias with a slash", [{ path: "a.md", aliases: ["and/or"] }], "n.md", "And/Or", "a.md"],
  ["a name before an alias", [{ path: "a.md", aliases: ["b"] }, "x/b.md"], "n.md", "b", "x/b.md"],
  [
    "an alias before a title",
    [
      { path: "a.md", title: "T" },
      { path: "b.md", aliases: ["T"] },
    ],
    "n.md",
    "t",
    "b.md",
  ],
  ["a title", [{ path: "x/2024.md", title: "The Year" }], "n.md", "the year", "x/2024.md"],
  [
    "the nearest of several titles",
    [
      { path: "x/1.md", title: "T" },
      { path: "y/1.md", title: "T" },
    ],
    "y/n.md",
    "T",
    "y/1.md",
  ],
  ["a relative target is no alias", [{ path: "a.md", aliases: ["./b"] }], "n.md", "./b", null],
  ["names of Object's own things", ["a.md"], "n.md", "__proto__", null],
];

describe("a link means", () => {
  test.each(cases)("%s", (_, notes, from, target, wiki, markdown = wiki) => {
    const lookup = vault(notes);
    expect(resolveTarget(target, "wiki", from as NotePath, lookup)).toBe(wiki);
    expect(resolveTarget(target, "markdown", from as NotePath, lookup)).toBe(markdown);
  });

  test("the same whatever order the notes are known in", () => {
    const segment = fc.constantFrom("a", "A", "b", "x");
    const path = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .map((parts) => `${parts.join("/")}.md` as NotePath);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), path, path, (paths, from, to) => {
        const target = to.slice(0, -3);
        const one = resolveTarget(target, "wiki", from, vault(paths));
        const other = resolveTarget(target, "wiki", from, vault(paths.toReversed()));
        expect(one).toBe(other);
        if (paths.includes(to)) expect(one).toBe(to);
      }),
    );
  });
});
