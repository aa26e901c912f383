import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { parseHandle, sayHandle, sectionBy, sectionHash } from "./handle.ts";
import { encodeText, makeNote } from "./note.ts";
import { notePath } from "./paths.ts";

describe("what a handle says", () => {
  test.each([
    ["a/b.md", "a/b.md", null, null],
    ["a/b", "a/b.md", null, null],
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

const note = (text: string) => makeNote(notePath("n.md"), encodeText(text), "v", new Date(0));
const handleFor = (heading: string, section: string) =>
  parseHandle(sayHandle(notePath("n.md"), heading, sectionHash(section)));

test("the section that was seen is found again, also among others of its name and after it moved", () => {
  const seen = handleFor("Log", "## Log\nsecond\n");
  for (const text of ["## Log\nfirst\n\n## Log\nsecond\n", "## Log\nsecond\n\n# Other\n## Log\nfirst\n"]) {
    const { contentStart, end } = sectionBy(note(text), seen, "edit");
    expect(text.slice(contentStart, end).trim()).toBe("second");
  }
});

test("a section that has changed is refused to an edit, and shown to a reader", () => {
  const seen = handleFor("Log", "## Log\nold\n");
  const now = note("## Log\nnew\n");
  expect(() => sectionBy(now, seen, "edit")).toThrow(/has changed/);
  expect(sectionBy(now, seen, "read").start).toBe(0);
});

test("a heading that is not there is said to be missing", () => {
  expect(() => sectionBy(note("# A\n"), parseHandle("n.md#B"), "read")).toThrow(/no section of that name/);
});
