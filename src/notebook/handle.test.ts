import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { parseNote } from "../markdown/note.ts";
import { parseHandle, sayHandle, sectionBy, sectionHash, sectionsWithHandles } from "./handle.ts";
import { notePath } from "./paths.ts";

describe("what a handle says", () => {
  test.each([
    ["a/b.md", "a/b.md", null, null],
    ["a/b", "a/b.md", null, null],
    ["a/b.md@0a1b2c3d", "a/b.md", null, "0a1b2c3d"],
    ["a/b@0a1b2c3d.md", "a/b@0a1b2c3d.md", null, null],
    ["a/b#H", "a/b.md", "H", null],
    ["a/b.md#H i", "a/b.md", "H i", null],
    ["a/b.md#H@0a1b2c3d", "a/b.md", "H", "0a1b2c3d"],
    ["C# tips.md#Next # one", "C# tips.md", "Next # one", null],
    ["a.md#mail me@home", "a.md", "mail me@home", null],
    ["a.md#", "a.md", null, null],
  ])("%s", (written, path, heading, hash) => expect(parseHandle(written)).toEqual({ path, heading, hash }));
  test("a path that leads elsewhere is refused", () =>
    expect(() => parseHandle("../a.md#H")).toThrow(NoteError));
});

const handleFor = (heading: string, section: string) =>
  parseHandle(sayHandle(notePath("n.md"), heading, sectionHash(section)));

test("the section that was seen is found again, also among others of its name and after it moved", () => {
  const seen = handleFor("Log", "## Log\nsecond\n");
  for (const text of ["## Log\nfirst\n\n## Log\nsecond\n", "## Log\nsecond\n\n# Other\n## Log\nfirst\n"]) {
    const { contentStart, end } = sectionBy(text, seen, "edit");
    expect(text.slice(contentStart, end).trim()).toBe("second");
  }
});

test("a section that has changed is refused to an edit, and shown to a reader", () => {
  const seen = handleFor("Log", "## Log\nold\n");
  const now = "## Log\nnew\n";
  expect(() => sectionBy(now, seen, "edit")).toThrow(/has changed/);
  expect(sectionBy(now, seen, "read").start).toBe(0);
});

test("a heading that is not there is said to be missing", () => {
  expect(() => sectionBy("# A\n", parseHandle("n.md#B"), "read")).toThrow(/no section of that name/);
});

test("without a hash an edit does not choose between two of a name; a reader takes the first", () => {
  const text = "## Log\na\n\n## Log\nb\n";
  const handle = parseHandle("n.md#Log");
  expect(sectionBy(text, handle, "read").nth).toBe(0);
  expect(() => sectionBy(text, handle, "edit")).toThrow(
    /2 sections of that name: n\.md#Log@[0-9a-f]{8}, n\.md#Log@/,
  );
});

test("every section has a handle that leads back to it", () => {
  const text = "# A\none\n\n## B\ntwo\n\n> ## quoted\n\n# A\nthree\n\n## B\nfour\n";
  const sections = sectionsWithHandles(notePath("n.md"), text, parseNote(text).firstSections(100));
  expect(sections.map(({ heading, nth }) => [heading.text, nth])).toEqual([
    ["A", 0],
    ["B", 0],
    ["A", 1],
    ["B", 1],
  ]);
  for (const { handle, start, nth } of sections)
    expect(sectionBy(text, parseHandle(handle), "edit")).toMatchObject({ start, nth });
});
