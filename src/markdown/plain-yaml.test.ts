import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainYaml } from "./plain-yaml.ts";
import { runs, share } from "../../test/soak-size.ts";
import { readYaml } from "./yaml-read.ts";

test("the blocks most notes have are read without the parser", () => {
  const block =
    'title: A note, on things\ncreated: 2024-01-15T10:30:00Z\n\n# places\ntags:\n  - project/alpha\n  - "2024"\n' +
    "aliases: [One, 'Two words', 3]\r\nsource: https://example.org/a?b=c\ndone: false\nempty:\nup:\n- '[[Home]]'\n";
  expect(readPlainYaml(block)).toEqual({
    title: "A note, on things",
    created: "2024-01-15T10:30:00Z",
    tags: ["project/alpha", "2024"],
    aliases: ["One", "Two words", 3],
    source: "https://example.org/a?b=c",
    done: false,
    empty: null,
    up: ["[[Home]]"],
  });
});

test.each([
  "a: b: c",
  "a: b #c",
  "a:\n  b: c",
  "a: |\n  b",
  "a: b\n  c",
  "a: [b",
  "a: *b",
  "a: 1\na: 2",
  "a:\tb",
  "'a': 1",
  "a:b",
])("%j is left to the parser", (block) => {
  expect(readPlainYaml(`${block}\n`)).toBe(null);
});

// Made of the pieces that YAML gives a meaning, put together mostly as people do and sometimes as nobody would.
const piece = fc.constantFrom(
  ..."a‖b‖A b‖é‖日‖5‖1.10‖-1‖true‖null‖~‖2024-01-01‖x:y‖http://a.b/c‖a/b‖(x)‖+1‖$a‖- ‖-‖: ‖:‖ #‖#‖,‖, ‖[‖]‖[[a]]‖{‖}".split(
    "‖",
  ),
  ...`"‖'‖"a b"‖'c'‖&a‖*a‖!a‖|‖>‖%‖@‖\`‖ ‖  ‖\t‖\u00A0‖\u2028‖\uFEFF‖\r‖\\‖?‖? ‖=‖<<‖---‖...‖.‖_‖~a‖\u0085‖\u{1F600}`.split(
    "‖",
  ),
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "tags", "A b", "é", "a.b/c", "null", "1a") },
  { weight: 1, arbitrary: text },
);
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(key, fc.constantFrom(": ", ":", ":  "), text).map((parts) => parts.join("")),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("", "  ", "    "), fc.constantFrom("- ", "-  ", "-"), text)
      .map((parts) => parts.join("")),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, fc.array(text, { maxLength: 3 }))
      .map(([name, items]) => `${name}: [${items.join(", ")}]`),
  },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "# note", "  # note", "tags:") },
  { weight: 1, arbitrary: text },
);
const block = fc
  .tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, eol]) => lines.map((each) => each + eol).join(""));

test("whatever is read without the parser, the parser reads the same", () => {
  let taken = 0;
  fc.assert(
    fc.property(block, (source) => {
      const plain = readPlainYaml(source);
      if (!plain) return;
      taken++;
      const { fields } = readYaml(source) as { fields: unknown };
      expect(plain).toStrictEqual(fields);
      expect(Object.keys(plain)).toEqual(Object.keys(fields as object));
    }),
    runs(10_000),
  );
  expect(taken).toBeGreaterThan(share(1000));
});
