import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { runs } from "../../test/soak-size.ts";
import type { Filter } from "./filter.ts";
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

describe("what a query of any words means", () => {
  const day = (text: string) => new Date(`${text}T00:00:00Z`);
  test.each<[string, Filter]>([
    ["what is mcp?", { ask: "what is mcp?" }],
    ["Re: the plan a = b x", { ask: "Re: the plan a = b x" }],
    ["see http://x.org/y at 10:30", { ask: "see http://x.org/y at 10:30" }],
    ["a OR b", { ask: "a b" }],
    ["a AND b", { all: [{ ask: "a" }, { ask: "b" }] }],
    ["a b AND c", { all: [{ ask: "a b" }, { ask: "c" }] }],
    ["a -b", { all: [{ ask: "a" }, { not: { words: "b" } }] }],
    ['"a b" c', { all: [{ ask: "c" }, { phrase: "a b" }] }],
    ["a tag:#x/y", { all: [{ ask: "a" }, { tag: "x/y" }] }],
    ["a OR tag:x", { any: [{ ask: "a" }, { tag: "x" }] }],
    ["path:2024/plan", { inPath: "2024/plan" }],
    ["link:[[Big Plan]] a", { all: [{ ask: "a" }, { linksToName: "Big Plan" }] }],
    ['link:"Big Plan"', { linksToName: "Big Plan" }],
    ["link:[[Plan]]", { linksToName: "Plan" }],
    ["status:done", { field: "status", op: ":", value: "done" }],
    ['status:"in progress"', { field: "status", op: ":", value: "in progress" }],
    ["rating>3", { field: "rating", op: ">", value: "3" }],
    ["rating:>=3.5", { field: "rating", op: ">=", value: "3.5" }],
    ["due<2026-01-01", { field: "due", op: "<", value: "2026-01-01" }],
    ["due-date=2026", { field: "due-date", op: "=", value: "2026" }],
    ["größe>1", { field: "größe", op: ">", value: "1" }],
    ["is:orphan", { is: "orphan" }],
    ["IS:Daily", { is: "daily" }],
    ["created:2026-02-24", { time: "created", from: day("2026-02-24"), before: day("2026-02-25") }],
    ["created:2026-2-4", { time: "created", from: day("2026-02-04"), before: day("2026-02-05") }],
    ["created:2026-02", { time: "created", from: day("2026-02-01"), before: day("2026-03-01") }],
    ["modified:2026", { time: "modified", from: day("2026-01-01"), before: day("2027-01-01") }],
    ["created:>2026-02-24", { time: "created", from: day("2026-02-25"), before: null }],
    ["created>=2026-02-24", { time: "created", from: day("2026-02-24"), before: null }],
    ["created<2026-02-24", { time: "created", from: null, before: day("2026-02-24") }],
    ["created:<=2026-02", { time: "created", from: null, before: day("2026-03-01") }],
    ["created:2026-01..2026-02", { time: "created", from: day("2026-01-01"), before: day("2026-03-01") }],
    ["created:2026-01..", { time: "created", from: day("2026-01-01"), before: null }],
    [
      "modified:2026-02-24T10:00Z",
      { time: "modified", from: new Date("2026-02-24T10:00:00Z"), before: null },
    ],
  ])("%s", (query, filter) => expect(parseQuery(query, { words: "any" })).toEqual(filter));

  test("a surface says what more a time may be", () => {
    const moment = (written: string) => (written === "7d" || written === "today" ? day("2026-02-17") : null);
    const how = { words: "any" as const, moment };
    expect(parseQuery("modified:7d", how)).toEqual({
      time: "modified",
      from: day("2026-02-17"),
      before: null,
    });
    expect(parseQuery("modified:today", how)).toEqual({
      time: "modified",
      from: day("2026-02-17"),
      before: day("2026-02-18"),
    });
  });

  test.each([
    ["of many words", "why is it so ".repeat(30).trim()],
    ["of very many", "why is it so ".repeat(1000).trim()],
    ["with a title in quotation marks", 'What is "Little Women" about?'],
    ["with a quotation that is never closed", 'When did she watch "Eternal Sunshine of the Spotless Mind?'],
    ["that ends within a quotation", 'Who said "it is righteous before God?"'],
    ["with a word in parentheses", "Resistance to zidovudine (AZT)."],
    ["with a parenthesis that closes nothing", "連合（UPADS)とMCDDIの政権争いに勝ったのはどこか。"],
    ["with a dash before a word", "Was unterscheidet Privatpersonen und -organisationen?"],
    ["with capital letters", "What may one NOT do, EITHER here OR there?"],
    ["with a colon", "ratio:signal, what is it ?"],
    ["that begins with a sign", "(chapter two) what was the result of x<y ."],
  ])("a sentence %s is a question", (_, text) =>
    expect(parseQuery(text, { words: "any" })).toEqual({ ask: text }),
  );

  test.each<[string, Filter]>([
    ["what is new? tag:x", { all: [{ ask: "what is new?" }, { tag: "x" }] }],
    ["tag:a.b.", { tag: "a.b." }],
    ['"rain garden".', { all: [{ ask: "." }, { phrase: "rain garden" }] }],
    ["apples -pears", { all: [{ ask: "apples" }, { not: { words: "pears" } }] }],
  ])("%s is none", (text, filter) => expect(parseQuery(text, { words: "any" })).toEqual(filter));

  test("of a page of text as much is asked as counts", () => {
    const { ask } = parseQuery("word ".repeat(100_000), { words: "any" }) as { ask: string };
    expect(ask.length).toBe(20_000);
  });

  test.each([
    ["a is:lost", 2, "is:orphan, is:daily, is:broken"],
    ["created:soon", 0, "no date"],
    ["created:2026-13", 0, "no date"],
    ["created:1..2", 0, "no date"],
    ["a tag>3", 2, "cannot be compared"],
    ["path: x", 0, "needs a value"],
    ['status:"open', 7, "never closed"],
    ["tag:ab ".repeat(300), 2000, "longer than 2000 characters"],
    ["a b c d e f g h tag:a ".repeat(60), 977, "more than 400 terms"],
  ])("%.20s is refused", (query, at, why) => {
    const error = caught(() => parseQuery(query, { words: "any" }));
    expect([error?.code, error?.details["at"]]).toEqual(["query_malformed", at]);
    expect(error?.message).toContain(why);
  });
});

test.each(["status:done", "path:x", "link:x", "is:orphan", "rating>3", "created:2026"])(
  "where all words must match, %s is a word like others",
  (query) => expect(parseQuery(query)).toEqual({ words: query }),
);

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
    fc.constantFrom(
      "(",
      ")",
      '"',
      "-",
      "AND",
      "OR",
      "NOT",
      "tag:",
      "title:",
      "folder:",
      "created:",
      "is:",
      "x>",
      ":",
      "<=",
      "2026",
      "..",
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom("all", "any"), (pieces, words) => {
      try {
        parseQuery(pieces.join(""), { words });
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
