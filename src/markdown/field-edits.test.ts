import { describe, expect, test } from "vitest";
import { NoteError } from "./errors.ts";
import { setField, setFields, unsetField } from "./field-edits.ts";
import { readFront, type Value } from "./frontmatter.ts";

const note = (yaml: string) => `---\n${yaml}---\nHi\n`;
const around = (yaml: string) => note(`first: 1.10 # kept\n${yaml}last: [ a,b ]\n`);
const crlf = (text: string) => text.replaceAll("\n", "\r\n");
const refusal = (run: () => unknown): NoteError => {
  try {
    run();
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};

test("setting a field leaves the others as they were typed", () => {
  const after = setField("status", "done")("---\ntags: [ a,b ]\nstatus: open\n---\nHi\n");
  expect(after).toBe("---\ntags: [ a,b ]\nstatus: done\n---\nHi\n");
});

describe("a field that is there", () => {
  test.each<[string, Value, string]>([
    ["a: x # why\n", "y", "a: y # why\n"],
    ["a:    x\n", "y", "a:    y\n"],
    ['a: "x"\n', "y", 'a: "y"\n'],
    ["a: 'x'\n", "it's", "a: 'it''s'\n"],
    ['a: "5"\n', 5, "a: 5\n"],
    ["a: 5\n", "5", 'a: "5"\n'],
    ["a: x\n", "1.10", "a: 1.10\n"],
    ["a: x\n", "2024-01-15", "a: 2024-01-15\n"],
    ["a: x\n", "[[Home]]", 'a: "[[Home]]"\n'],
    ["a: x\n", "日本語 é", "a: 日本語 é\n"],
    ["a: x\n", null, "a:\n"],
    ["a: x # why\n", null, "a: # why\n"],
    ["a:\n", "x", "a: x\n"],
    ["a: \n", "x", "a: x\n"],
    ["a: # why\n", "x", "a: x # why\n"],
    ["a: # why\n", ["x"], "a: [x] # why\n"],
    ["a:\n", ["x", "y"], "a:\n  - x\n  - y\n"],
    ["a: x\n", ["x", "y, z"], 'a: [x, "y, z"]\n'],
    ["a: x\n", [], "a: []\n"],
    ["a: x\n", "one\ntwo\n\nthree", "a: |-\n  one\n  two\n\n  three\n"],
    ["a: x\n", "one\ntwo\n", "a: |\n  one\n  two\n"],
    ["a: x # why\n", "one\ntwo", 'a: "one\\ntwo" # why\n'],
    ["a: x\n", " one\ntwo", 'a: " one\\ntwo"\n'],
    ["a: |\n  one\n  two\n\n", "x", "a: x\n\n"],
    ["a: one\n  two\n", "x", "a: x\n"],
    ["a:\n  x\n", "y", "a: y\n"],
    ["a: [x,y] # why\n", ["z"], "a: [z] # why\n"],
    ["a: # why\n    - x\n    - y # so\n# end\n", ["p", "q"], "a: # why\n    - p\n    - q\n# end\n"],
    ["a: # why\n- x\n- y\n", "p", "a: p # why\n"],
    ["a:\n- x\n", [], "a: []\n"],
    ["a:\n- x\n", null, "a:\n"],
    ["a:\n   x: 1\n", { y: 2 }, "a:\n   y: 2\n"],
    ["a: {x: 1}\n", { y: 2 }, "a: {y: 2}\n"],
    [
      "a: x\n",
      { y: 2, z: { l: [1, { m: null }] } },
      "a:\n  y: 2\n  z:\n    l:\n      - 1\n      - {m: null}\n",
    ],
    ["a: !!str 1\n", 2, "a: 2\n"],
    ["? a\n: x\n", "y", "? a\n: y\n"],
  ])("%j set to %j", (before, value, after) => {
    expect(setField("a", value)(around(before))).toBe(around(after));
    expect(setField("a", value)(crlf(around(before)))).toBe(crlf(around(after)));
  });

  test("between braces", () => {
    const text = note("{a: 1, b: 'x', c}\n");
    expect(setField("b", "y, z")(text)).toBe(note("{a: 1, b: 'y, z', c}\n"));
    expect(setField("d", [1, "x"])(text)).toBe(note("{a: 1, b: 'x', c, d: [1, x]}\n"));
    expect(unsetField("a")(text)).toBe(note("{b: 'x', c}\n"));
  });
});

describe("a field that is new", () => {
  test.each([
    ["a: 1\n# end\n", "a: 1\n# end\nb: x\n"],
    ["  a: 1\n", "  a: 1\n  b: x\n"],
    ["", "b: x\n"],
    ["# only this\n", "# only this\nb: x\n"],
  ])("in the block %j", (before, after) => {
    expect(setField("b", "x")(note(before))).toBe(note(after));
  });

  test.each([
    ["", "---\nb: x\n---\n"],
    ["Hi", "---\nb: x\n---\nHi"],
    ["\uFEFFHi\r\n", "\uFEFF---\r\nb: x\r\n---\r\nHi\r\n"],
    ["---\nnever closed\n", "---\nb: x\n---\n---\nnever closed\n"],
    ["---js\n1\n---\n", "---\nb: x\n---\n---js\n1\n---\n"],
  ])("begins a block in %j", (before, after) => {
    expect(setField("b", "x")(before)).toBe(after);
  });

  test.each(["a: b", "- a", "1", "null", "__proto__", "<<", "", "a\nb", "#a"])("named %j", (name) => {
    const after = setField(name, "x")("Hi");
    expect(Object.entries(readFront(after).fields)).toEqual([[name, "x"]]);
  });
});

test("a template's marks stay, beside a field that is set", () => {
  const text = note("created: {{date}}\ntitle: {{title}} # here\ntags: []\n");
  expect(setField("tags", ["a"])(text)).toBe(note("created: {{date}}\ntitle: {{title}} # here\ntags: [a]\n"));
  expect(setField("title", "x")(text)).toBe(note("created: {{date}}\ntitle: x # here\ntags: []\n"));
});

test("several at once", () => {
  const after = setFields({ b: 3, c: "new", a: "old" })(note("a: 1\nb: 2 # two\n"));
  expect(after).toBe(note("a: old\nb: 3 # two\nc: new\n"));
});

test.each([
  ["a: 1\nb: 2\n", "b: 2\n"],
  ["a: 1 # gone\n\n# of b\nb: 2\n", "\n# of b\nb: 2\n"],
  ["a:\n- x\n- y\nb: 2\n", "b: 2\n"],
  ["a: |\n  x\n\nb: 2\n", "\nb: 2\n"],
  ["a: 1\n", ""],
])("taking a out of %j", (before, after) => {
  expect(unsetField("a")(note(before))).toBe(note(after));
});

describe("refusals", () => {
  test.each(["a: 1\na: 2\n", "- a\n", "a: [\n", "a: !!js x\n"])(
    "the block %j is not written into",
    (yaml) => {
      for (const edit of [setField("b", 1), unsetField("a"), setFields({})]) {
        const { code, details } = refusal(() => edit(note(yaml)));
        expect([code, typeof details["trouble"]]).toEqual(["fields_unreadable", "string"]);
      }
    },
  );

  test.each([
    ["an anchor that others use", "a: &x 1\nb: *x\n", setField("a", 2)],
    ["blank lines that would join the text above", "b: |+\n  x\na: 1\n\nc: 1\n", unsetField("a")],
    ["a name without a colon", "? a\nb: 1\n", setField("a", 2)],
  ])("%s", (_, yaml, edit) => {
    expect(refusal(() => edit(note(yaml))).code).toBe("fields_unreadable");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, JSON.parse("[".repeat(60) + "]".repeat(60)) as Value])(
    "the value %j",
    (value) => {
      expect(refusal(() => setField("a", value)("Hi")).code).toBe("input_refused");
    },
  );
});
