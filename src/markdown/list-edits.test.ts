import { describe, expect, test } from "vitest";
import { NoteError } from "./errors.ts";
import { addAliases, addTags, removeTags, setTags } from "./list-edits.ts";

const note = (yaml: string) => `---\nfirst: 1.10 # kept\n${yaml}last: { a: 1 }\n---\n#inline\n`;
const crlf = (text: string) => text.replaceAll("\n", "\r\n");

describe("a tag", () => {
  test.each([
    ["tags: [ a,b ]\n", "tags: [ a,b,new ]\n", "tags: [ b ]\n"],
    ["tags: [a]\n", "tags: [a, new]\n", "tags: []\n"],
    ["tags: [a, b, c] # why\n", "tags: [a, b, c, new] # why\n", "tags: [b, c] # why\n"],
    ["tags: [b, a]\n", "tags: [b, a, new]\n", "tags: [b]\n"],
    ["tags: [b, a, ]\n", "tags: [b, a, new, ]\n", "tags: [b, ]\n"],
    ["tags: [ a, ]\n", "tags: [ a, new, ]\n", "tags: [  ]\n"],
    ["tags: []\n", "tags: [new]\n", "tags: []\n"],
    ["tags: [ ]\n", "tags: [new ]\n", "tags: [ ]\n"],
    ["tags: [\n  a,\n  b\n  ]\n", "tags: [\n  a,\n  b,\n  new\n  ]\n", "tags: [\n  b\n  ]\n"],
    ["tags:\n- a\n- b\n", "tags:\n- a\n- b\n- new\n", "tags:\n- b\n"],
    [
      "tags: # why\n    -   a # so\n    -   b # so\n\n",
      "tags: # why\n    -   a # so\n    -   b # so\n    -   new\n\n",
      "tags: # why\n    -   b # so\n\n",
    ],
    ["tags:\n  - a\n  # end\n", "tags:\n  - a\n  - new\n  # end\n", "tags: []\n  # end\n"],
    ["tags: # why\n  - a\n", "tags: # why\n  - a\n  - new\n", "tags: [] # why\n"],
    ["tags: ['#a', \"b\"]\n", "tags: ['#a', \"b\", new]\n", 'tags: ["b"]\n'],
    ["tags: a\n", "tags: [a, new]\n", "tags: []\n"],
    ["tags: a, b # why\n", "tags: [a, b, new] # why\n", "tags: [b] # why\n"],
    ['tags: "#a #b"\n', "tags: [a, b, new]\n", "tags: [b]\n"],
    ["tags:\n", "tags:\n  - new\n", "tags:\n"],
    ["tags: # why\n", "tags: [new] # why\n", "tags: # why\n"],
    ["tags: 2024\n", 'tags: ["2024", new]\n', "tags: 2024\n"],
    ["tags: [2024, a]\n", "tags: [2024, a, new]\n", "tags: [2024]\n"],
    ["tags: [a, b, a]\n", "tags: [a, b, a, new]\n", "tags: [b]\n"],
  ])("new comes to, and a goes from, %j", (before, added, removed) => {
    for (const form of [(text: string) => text, crlf]) {
      expect(addTags(["new"])(form(note(before)))).toBe(form(note(added)));
      expect(removeTags(["a"])(form(note(before)))).toBe(form(note(removed)));
    }
  });

  test("comes as a new field where there is none", () => {
    expect(addTags(["#a/b", "c", "c"])("---\nx: 1\n---\n")).toBe("---\nx: 1\ntags:\n  - a/b\n  - c\n---\n");
    expect(addTags(["true"])("Hi")).toBe('---\ntags:\n  - "true"\n---\nHi');
  });

  test("that is there, or not there, changes nothing", () => {
    const text = note("tags: [ '#a',b ]\n");
    for (const edit of [addTags(["a", "#b"]), addTags([]), removeTags(["c", "A"]), setTags(["a", "b"])]) {
      expect(edit(text)).toBe(text);
    }
    expect(setTags([])("Hi")).toBe("Hi");
  });
});

test.each([
  ["tags: [ a,b ]\n", "tags: [x, y]\n"],
  ["tags:\n    - a\n", "tags:\n    - x\n    - y\n"],
  ["tags: a b\n", "tags: [x, y]\n"],
  ["tags:\n", "tags:\n  - x\n  - y\n"],
])("all tags of %j at once", (before, after) => {
  expect(setTags(["x", "#y"])(note(before))).toBe(note(after));
});

test("the older name of the field counts, and is written to where it is the only one", () => {
  expect(addTags(["a", "new"])(note("tag: a\n"))).toBe(note("tag: [a, new]\n"));
  expect(addTags(["a", "new"])(note("tag: a\ntags: [b]\n"))).toBe(note("tag: a\ntags: [b, new]\n"));
  expect(removeTags(["a"])(note("tag: a\ntags: [a, b]\n"))).toBe(note("tag: []\ntags: [b]\n"));
  expect(setTags(["x"])(note("tag: a\ntags: [a, b]\n"))).toBe(note("tags: [x]\n"));
  expect(addAliases(["One", "Two"])(note("alias: One\n"))).toBe(note("alias: [One, Two]\n"));
});

test("aliases may hold spaces and commas", () => {
  expect(addAliases(["New one", "a, b", "Old"])(note("aliases: Old, Older one\n"))).toBe(
    note('aliases: [Old, Older one, New one, "a, b"]\n'),
  );
  expect(addAliases(["a, b"])(note("aliases:\n- Old\n"))).toBe(note("aliases:\n- Old\n- a, b\n"));
});

test.each([
  ["tags: {a: 1}\n", ["new"], "fields_unreadable"],
  ["tags: [a]\ntags: [b]\n", ["new"], "fields_unreadable"],
  ["tags: [a]\n", ["#"], "input_refused"],
])("%j with %j is refused", (yaml, tags, code) => {
  for (const edit of [addTags(tags), removeTags(tags), setTags(tags)]) {
    expect(() => edit(note(yaml))).toThrow(expect.objectContaining({ code }) as NoteError);
  }
});
