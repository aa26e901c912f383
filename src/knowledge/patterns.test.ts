import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { compilePattern, expandedSize, WORK_LIMIT } from "./patterns.ts";

const refusal = (source: string): NoteError => {
  try {
    compilePattern(source);
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
  throw new Error(`not refused: ${source}`);
};

const cpuMilliseconds = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1000;
};

test.each([
  ["^\\d{4}-\\d{2}-\\d{2}-[a-z0-9-]+\\.md$", "2025-12-10-transformers.md", true],
  ["^\\d{4}-\\d{2}-\\d{2}-[a-z0-9-]+\\.md$", "transformers.md", false],
  ["b", "abc", true],
  ["^b", "abc", false],
  ["^a$", "a\n", false],
  ["", "", true],
  ["[\\u4e00-\\u9fff]", "漢", true],
  ["(?i)straße", "STRAßE", true],
  ["^\\p{L}+$", "naïve", true],
  ["[(?=*+]", "*", true],
  ["a/b", "a/b", true],
  ["\\\\k<", "\\k<", true],
])("%s on %j: %s", (source, text, found) => {
  expect(compilePattern(source).found(text)).toBe(found);
});

describe("what cannot be used is refused with its reason", () => {
  test.each([
    ["a(?=b)", "it looks ahead or behind, which is not supported"],
    ["a(?!b)", "it looks ahead or behind, which is not supported"],
    ["(?<=a)b", "it looks ahead or behind, which is not supported"],
    ["(?<!a)b", "it looks ahead or behind, which is not supported"],
    ["(a)\\1", "it refers back to a group, which is not supported"],
    ["(?<n>a)\\k<n>", "it refers back to a group, which is not supported"],
    ["[a", "missing closing ]: `[a`"],
    ["(a", "missing closing ): `(a`"],
    ["*", "missing argument to repetition operator: `*`"],
    ["a{2,1}", "invalid repeat count: `{2,1}`"],
    ["a{1000}{1000}", "its repeats make it too large; use fewer or smaller ones"],
    ["a".repeat(1025), "it is longer than 1024 bytes"],
    ["é".repeat(513), "it is longer than 1024 bytes"],
    ["a{499}", "it takes 501 steps and 500 are allowed; use fewer or smaller repeats"],
  ])("%s", (source, reason) => {
    expect(refusal(source)).toMatchObject({ code: "pattern_refused", details: { reason } });
  });

  test("the largest pattern that is still taken", () => {
    expect(compilePattern("a{498}").size).toBe(500);
  });
});

describe("no pattern costs much, whether it is refused or tried", () => {
  test.each([
    "(a+)+$",
    "(a|aa)+$",
    "(a|a?)+$",
    "(.*)(.*)(.*)(.*)(.*)(.*)b",
    "(?:a?){150}a{150}",
    "(a|b)*a(a|b){100}b",
    "(?i)[\\p{L}\\p{N}]{400}",
    "x{1000}".repeat(146),
    "(?:x{1,1000}|)".repeat(70),
    `(?:(?:${"x".repeat(900)}){31}){31}`,
    `(?:(?:[)${"x".repeat(900)}]x[[:alpha:])]${"y".repeat(80)}){31}){31}`,
    "(".repeat(500),
    "(".repeat(500) + ")*".repeat(500),
    "a".repeat(10_000),
    "(((a{30}){30}){30}){30}",
  ])("%s", (source) => {
    const spent = cpuMilliseconds(() => {
      try {
        const pattern = compilePattern(source);
        const length = Math.floor(WORK_LIMIT / pattern.size);
        for (const letters of ["a", "ab", "ax b"]) pattern.found(letters.repeat(length).slice(0, length));
      } catch (error) {
        if (!(error instanceof NoteError)) throw error;
      }
    });
    // Ten times the 100 ms that a pattern may take: a guard, not a measure.
    expect(spent).toBeLessThan(1000);
  });
});

test("the size before building is never far below the size after", () => {
  const atom = fc.constantFrom(
    "a",
    ".",
    "[a-z]",
    "[])]",
    "[^]x(]",
    "[[:alpha:](]",
    "\\d",
    "\\pL",
    "\\p{Lu}",
    "\\(",
    "\\x{41}",
    "\\Qa(\\E",
  );
  const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
    pattern: fc.array(tie("piece"), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
    piece: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc
        .tuple(atom, fc.constantFrom("*", "?", "{3}", "{0,4}", "{2,}"))
        .map(([of, times]) => `(?:${of})${times}`),
      fc
        .tuple(tie("pattern"), fc.constantFrom("", "*", "{3}", "{0,4}", "{2,}"))
        .map(([of, times]) => `(${of})${times}`),
      fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
    ),
  }));
  fc.assert(
    fc.property(pattern, (source) => {
      expect(RE2JS.compile(source).programSize()).toBeLessThanOrEqual(2 + 4 * expandedSize(source));
    }),
    { numRuns: 500 },
  );
});
