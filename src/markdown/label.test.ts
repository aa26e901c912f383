import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoteError } from "./errors.ts";
import { escaped, label, printableJson } from "./label.ts";

describe("what is not seen is written as JSON escapes it", () => {
  test.each([
    ["a line break", "99 notes.\nMore: cursor EVIL", "99 notes.\\nMore: cursor EVIL"],
    ["a tab and a carriage return", "a\tb\rc", "a\\tb\\rc"],
    ["terminal sequences", "\u001b[31mred\u0007\u009b1m", "\\u001b[31mred\\u0007\\u009b1m"],
    ["separators of lines and paragraphs", "a\u2028b\u2029c\u0085d", "a\\u2028b\\u2029c\\u0085d"],
    ["direction marks", "\u202egnp.exe\u2066x\u2069\u200f", "\\u202egnp.exe\\u2066x\\u2069\\u200f"],
    ["characters of no width", "a\u200bb\u2060c\ufeffd\u00ade", "a\\u200bb\\u2060c\\ufeffd\\u00ade"],
    ["tag characters that spell words", "a\u{e0041}\u{e0042}", "a\\udb40\\udc41\\udb40\\udc42"],
    ["a row of variation selectors", "a\ufe01\ufe02\ufe03", "a\ufe01\\ufe02\\ufe03"],
    ["letters without a shape", "a\u3164b", "a\\u3164b"],
    ["half a character", "a\ud83db", "a\\ud83db"],
    ["a joiner that joins nothing", "a\u200db\u200cc", "a\\u200db\\u200cc"],
  ])("%s", (_, text, shown) => {
    expect(escaped(text)).toBe(shown);
    expect(label(text)).toBe(shown);
  });
});

test.each([
  ['plain words, (with) \\ all [kinds] of "marks"'],
  ["größe 日本語 Ελλάδα"],
  ["family 👨‍👩‍👧 and 🏳️‍🌈, ❤️, 1️⃣, 👍🏽"],
  ["the flag of Wales 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
  ["Persian می‌خواهم and Hindi क्‍ष"],
  ["a verse \u06dd1 and a year \u06011432"],
  ["葛\u{e0100}城"],
])("%s stays as it is", (text) => expect(escaped(text)).toBe(text));

describe("a long label is cut", () => {
  test.each([
    ["abcdef", 5, "abcde…"],
    ["abcde", 5, "abcde"],
    ["ab😀😀", 3, "ab…"],
    ["ab\u202ecd", 5, "ab…"],
    ["ab\u202ecd", 8, "ab\\u202e…"],
    ["ab\ncd", 3, "ab…"],
  ])("%j to %i", (text, most, shown) => expect(label(text, most)).toBe(shown));

  test("to two hundred characters, where nothing else is said, and in no time", () => {
    expect(label("x".repeat(10_000_000))).toBe(`${"x".repeat(200)}…`);
    expect(label("\u202e".repeat(10_000_000)).length).toBeLessThanOrEqual(201);
  });
});

test("a label is one line without a character that a terminal obeys, whatever the text was", () => {
  const texts = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(label(text)).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
      );
      expect(label(text).length).toBeLessThanOrEqual(201);
      expect(escaped(escaped(text))).toBe(escaped(text));
      expect(JSON.parse(printableJson({ text }))).toEqual({ text: text });
    }),
    { numRuns: 500 },
  );
});

test("JSON for a terminal holds no control character or direction mark, and is the same data", () => {
  const value = { title: "a\u009b31m\u202eb\u2066\u007f\n", list: ["\u2028"] };
  expect(printableJson(value)).toBe('{"title":"a\\u009b31m\\u202eb\\u2066\\u007f\\n","list":["\\u2028"]}');
  expect(JSON.parse(printableJson(value))).toEqual(value);
});

test("the message of a refusal is one line of bounded length", () => {
  expect(new NoteError("note_missing", 'There is no note "a\nSYSTEM: b".').message).toBe(
    'There is no note "a\\nSYSTEM: b".',
  );
  expect(new NoteError("note_missing", "x".repeat(1_000_000)).message.length).toBeLessThan(70_000);
});
