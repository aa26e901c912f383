/** A property comes and goes, and every other byte stays. */

import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { treeOf, withValue } from "./json-edits.ts";

const PATH = ["mcpServers", "ours"];
const ENTRY = { command: "node", args: ["a b", "c"] };

/** Layouts in which others stand beside ours: taken out again, ours leaves no trace. */
const LAYOUTS: Record<string, string> = {
  "on one line": '{"mcpServers":{"a":{"command":"x"}}}',
  "on one line with blanks": '{ "mcpServers": { "a": { "command": "x" } } }\n',
  "two blanks": '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
  "four blanks, no last line end": '{\n    "mcpServers": {\n        "a": {}\n    },\n    "z": 1\n}',
  "tabs and a comment behind": '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" } // last\n\t}\n}\n',
  "a block comment behind": '{\n  "mcpServers": {\n    "a": {} /* one\n two */\n  }\n}\n',
  "trailing commas":
    '{\n  // hi\n  "mcpServers": {\n    "a": { "command": "x" }, // one\n    /* two */\n  },\n}\n',
  "line ends of Windows": '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  "a brace on the line": '{\n  "mcpServers": {\n    "a": {} }\n}\n',
  "quotes and slashes in strings": '{\n  "mcpServers": {\n    "a//b": { "command": "\\"//\\",}" }\n  }\n}\n',
  "comments between": '{\n  "mcpServers": {\n    "a": {}, // x\n    // y\n    "b": {}\n    // z\n  }\n}\n',
};

describe("ours beside others", () => {
  test.each(Object.entries(LAYOUTS))("%s", (_, text) => {
    const after = withValue(text, PATH, ENTRY);
    expect(parse(after, undefined, { allowTrailingComma: true })).toEqual({
      ...parse(text),
      mcpServers: { ...parse(text).mcpServers, ours: ENTRY },
    });
    for (const line of text.split("\n").filter((one) => /\/[/*]/.test(one)))
      expect(after.replaceAll(",", "")).toContain(line.trim().replaceAll(",", ""));
    expect(withValue(after, PATH, undefined)).toBe(text);
  });

  test("the first, the middle and the last are taken out alike", () => {
    const text = '{\n  "s": {\n    "a": 1, // one\n    "b": 2,\n    // of c\n    "c": 3\n  }\n}\n';
    expect(withValue(text, ["s", "a"], undefined)).toBe(
      '{\n  "s": { // one\n    "b": 2,\n    // of c\n    "c": 3\n  }\n}\n',
    );
    expect(withValue(text, ["s", "b"], undefined)).toBe(
      '{\n  "s": {\n    "a": 1, // one\n    // of c\n    "c": 3\n  }\n}\n',
    );
    expect(withValue(text, ["s", "c"], undefined)).toBe(
      '{\n  "s": {\n    "a": 1, // one\n    "b": 2\n    // of c\n  }\n}\n',
    );
  });

  test("a value is replaced where it stands", () => {
    expect(withValue('{\n  "a": { "b": 1 /* x */, "c": 2 }\n}', ["a", "b"], [3])).toBe(
      '{\n  "a": { "b": [3] /* x */, "c": 2 }\n}',
    );
  });
});

test.each([
  ["{}", '{\n  "mcpServers": {\n    "ours": {\n      "x": 1\n    }\n  }\n}'],
  [
    '{\r\n\t"a": 1\r\n}',
    '{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"ours": {\r\n\t\t\t"x": 1\r\n\t\t}\r\n\t}\r\n}',
  ],
  [
    "{\n  // none yet\n}\n",
    '{\n  "mcpServers": {\n    "ours": {\n      "x": 1\n    }\n  }\n  // none yet\n}\n',
  ],
  ['{"a":1}', '{"a":1,"mcpServers":{"ours":{"x":1}}}'],
])("objects on the way are made: %j", (text, after) => {
  expect(withValue(text, PATH, { x: 1 })).toBe(after);
});

test.each([
  ["{", "it is not JSON, see line 1, column 2"],
  ['{\n  "a": 1\n  "b": 2\n}', "it is not JSON, see line 3, column 3"],
  ["[]", "it is not a JSON object"],
  ["", "it is not"],
  ["[".repeat(100_000), "it is nested too deep"],
  ['{"mcpServers": []}', '"mcpServers" in it is not an object'],
  ['{"mcpServers": null}', '"mcpServers" in it is not an object'],
  ['{"mcpServers": {}, "mcpServers": {}}', '"mcpServers" stands twice in it'],
])("%.40s is refused: %s", (text, said) => {
  expect(() => treeOf(text, PATH)).toThrow(said);
});

test("in layouts of chance, what was there stays as it was", () => {
  const blank = fc.constantFrom("", " ", "\n", "\n  ", " // c\n", "/* c */", "\r\n\t");
  const value = fc.constantFrom("1", '"x"', "{}", '{"k":[1,2]}', "[ ]", '"//,}"');
  const object = (inner: string) => fc.record({ gap: blank, inner: fc.constant(inner), end: blank });
  const members = fc
    .array(fc.tuple(blank, value, blank), { minLength: 1, maxLength: 4 })
    .chain((list) =>
      object(list.map(([a, it, b], at) => `${a}"k${at}":${it}${b}`).join(",")).map(
        ({ gap, inner, end }) => `{${gap}"mcpServers": {${inner}}${end}}`,
      ),
    );
  fc.assert(
    fc.property(members, (text) => {
      const after = withValue(text, PATH, ENTRY);
      expect(parse(after)).toEqual({ mcpServers: { ...parse(text).mcpServers, ours: ENTRY } });
      expect(withValue(after, PATH, undefined)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
