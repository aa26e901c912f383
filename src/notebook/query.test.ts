import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { runs } from "../../test/soak-size.ts";
import { parseQuery } from "./query.ts";

describe("what a query means", () => {
  test.each([
    ["mcp", { words: "mcp" }],
    ["model context", { words: "model context" }],
    ['"model context protocol"', { phrase: "model context protocol" }],
    ["title:meeting", { title: "meeting" }],
    ['title:"weekly meeting"', { phrase: "weekly meeting", in: "title" }],
    ["tag:research", { tag: "research" }],
    ["tag:#research", { tag: "research" }],
    ["folder:projects/wiki-ai", { folder: "projects/wiki-ai", deep: true }],
    ["folder:projects/", { folder: "projects", deep: true }],
    ["mcp tag:research", { all: [{ words: "mcp" }, { tag: "research" }] }],
    ["mcp AND tag:research", { all: [{ words: "mcp" }, { tag: "research" }] }],
    ["mcp -tag:archived", { all: [{ words: "mcp" }, { not: { tag: "archived" } }] }],
    ["mcp NOT draft", { all: [{ words: "mcp" }, { not: { words: "draft" } }] }],
    ["-draft", { not: { words: "draft" } }],
    ["-(a OR b)", { not: { any: [{ words: "a" }, { words: "b" }] } }],
    ["a OR b c", { any: [{ words: "a" }, { words: "b c" }] }],
    [
      "(tag:urgent OR tag:priority) folder:projects",
      { all: [{ any: [{ tag: "urgent" }, { tag: "priority" }] }, { folder: "projects", deep: true }] },
    ],
    [
      '"model context protocol" tag:mcp -tag:archived',
      { all: [{ phrase: "model context protocol" }, { tag: "mcp" }, { not: { tag: "archived" } }] },
    ],
    ["well-known", { words: "well-known" }],
    ["a - b", { words: "a - b" }],
    ["http://x.org/y", { words: "http://x.org/y" }],
    ["and or", { words: "and or" }],
    ["TAG:x", { tag: "x" }],
  ])("%s", (query, filter) => expect(parseQuery(query)).toEqual(filter));

  test("a surface says what a tag means", () => {
    expect(parseQuery("tag:vc", { under: true, from: "all" })).toEqual({
      tag: "vc",
      under: true,
      from: "all",
    });
  });
});

describe("a bad query is answered with where and why", () => {
  test.each([
    ["", 0, "empty"],
    ["   ", 0, "empty"],
    ["(a", 0, "never closed"],
    ["a)", 1, "closes nothing"],
    ["()", 1, "nothing before"],
    ["a OR", 4, "missing at the end"],
    ["AND a", 0, "nothing before"],
    ["a AND OR b", 6, "nothing before"],
    ['"abc', 0, "never closed"],
    ['""', 0, "empty"],
    ["tag:", 0, "needs a value"],
    ["x".repeat(3000), 2000, "longer"],
    ["(".repeat(40), 31, "nested"],
    ["a ".repeat(200), 201, "more than 100 terms"],
  ])("$#: %.20s", (query, at, why) => {
    const error = caught(() => parseQuery(query));
    expect(error?.code).toBe("query_malformed");
    expect(error?.details["at"]).toBe(at);
    expect(error?.message).toContain(why);
  });
  test("a folder outside is refused as a path", () =>
    expect(caught(() => parseQuery("folder:../x"))?.code).toBe("path_refused"));
});

test("any text is either read or refused, never a defect", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("(", ")", '"', "-", "AND", "OR", "NOT", "tag:", "title:", "folder:", " "),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        parseQuery(pieces.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(NoteError);
      }
    }),
    runs(2000),
  );
});

function caught(run: () => unknown): NoteError | null {
  try {
    run();
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
  return null;
}
