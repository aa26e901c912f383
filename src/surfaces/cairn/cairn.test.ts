import { describe, expect, test } from "vitest";
import { NoteError } from "../../markdown/errors.ts";
import type { Link } from "../../notebook/link-graph.ts";
import { encodeText, makeNote } from "../../notebook/note.ts";
import { notePath } from "../../notebook/paths.ts";
import { dayNamed } from "./address.ts";
import { explain } from "./explain.ts";
import * as say from "./say.ts";

describe("the date of a daily note", () => {
  const clock = { now: () => new Date("2026-02-24T10:00:00Z"), timeZone: "UTC" };
  test.each([
    ["2026-02-24", "2026-02-24"],
    ["2024-02-29", "2024-02-29"],
    ["0001-01-01", "0001-01-01"],
    ["2026-2-4", "2026-02-04"],
    ["today", "2026-02-24"],
    ["yesterday", "2026-02-23"],
    ["2 days ago", "2026-02-22"],
    [undefined, "2026-02-24"],
  ])("%s is %s", (written, day) => {
    expect(dayNamed(written, clock)).toBe(day);
  });
  test.each(["2026-02-30", "2025-02-29", "24.2.2026", "", "2026-02-24/../x", "lately"])(
    "%j is none",
    (written) => {
      expect(() => dayNamed(written, clock)).toThrowError("is no date");
    },
  );
});

const note = makeNote(notePath("a.md"), encodeText("---\ntitle: A\n---\nText\n"), "v", new Date(0));
const linkFrom = (source: string, context = "[[a]]"): Link => ({
  source: notePath(`${source}.md`),
  sourceTitle: source,
  target: "a",
  anchor: "",
  label: null,
  form: "wiki",
  path: note.path,
  title: "A",
  line: 1,
  bodyLine: 1,
  context,
  depth: 1,
});
const many = (count: number, prefix: string): Link[] =>
  Array.from({ length: count }, (_, at) => linkFrom(`${prefix}${at}`));

describe("answers are bounded", () => {
  test.each([
    ["read", say.note],
    ["metadata_only", say.metadata],
  ])("%s shows a hundred backlinks, and tells of the rest", (_, toText) => {
    expect(toText(note, many(100, "n"))).toContain("n99");
    const cut = toText(note, many(101, "n")) as { text: string; remark: string };
    expect(cut.text).toContain("n99");
    expect(cut.text).not.toContain("n100");
    expect(cut.remark).toBe(
      "100 of 101 backlinks are shown; cairn_search with backlinks_to pages through all of them.",
    );
  });

  test("the graph is cut to what fits, on whole items", () => {
    const wide = `${"folder/".repeat(30)}n`;
    const cut = say.graph("a", many(6000, wide), [], 1) as { text: string; remark: string };
    const { incoming } = JSON.parse(cut.text) as { incoming: { path: string }[] };
    expect(cut.text.length).toBeLessThan(1024 * 1024);
    expect(cut.remark).toBe(`Cut to what fits in one answer: ${incoming.length} of 6000 are shown.`);
    expect(say.graph("a", many(3, "n"), [], 1)).toMatchObject({ path: "a", outgoing: [] });
  });
});

test.each([
  ["note_missing", "not_found"],
  ["revision_missing", "not_found"],
  ["alias_taken", "alias_conflict"],
  ["note_exists", "conflict"],
  ["text_ambiguous", "conflict"],
  ["version_conflict", "conflict"],
  ["input_refused", "validation_error"],
  ["path_refused", "validation_error"],
  ["fields_unreadable", "validation_error"],
  ["too_large", "validation_error"],
  ["busy", "internal_error"],
  ["disk_full", "internal_error"],
] as const)("%s is worded as %s", (code, type) => {
  expect(explain(new NoteError(code, "Why."))).toBe(`${type}: Why.`);
});

test("a note that was moved says where", () => {
  const details = { path: notePath("old.md"), movedTo: notePath("new/place.md") };
  expect(explain(new NoteError("note_missing", "Why.", details))).toBe(
    "not_found: old was moved to new/place",
  );
});
