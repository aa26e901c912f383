import { describe, expect, test } from "vitest";
import { NoteError } from "../../markdown/errors.ts";
import { encodeText, makeNote } from "../../notebook/note.ts";
import { notePath } from "../../notebook/paths.ts";
import { explain } from "./explain.ts";
import * as say from "./say.ts";

const noteOf = (text: string) => makeNote(notePath("n.md"), encodeText(text), "v", new Date(0));

describe("pages of a note", () => {
  const long = noteOf("x".repeat(25_000));
  test.each([
    [0, 10_000, 10_000, 10_000, true, 15_000],
    [10_000, 10_000, 10_000, 20_000, true, 5000],
    [20_000, 10_000, 5000, 25_000, false, 0],
    [25_000, 10_000, 0, 25_000, false, 0],
    [0, 25_000, 25_000, 25_000, false, 0],
  ])("from %i, %i at most", (offset, limit, length, next_offset, has_more, remaining_chars) => {
    const page = say.chunk(long, offset, limit);
    expect(page.content.length).toBe(length);
    expect(page).toMatchObject({ offset, next_offset, has_more, remaining_chars });
  });

  test("an offset beyond the end is the end", () => {
    expect(say.chunk(long, 30_000, 10)).toMatchObject({
      content: "",
      offset: 25_000,
      next_offset: 25_000,
      has_more: false,
    });
  });

  test("characters are code points, so that no pair is torn", () => {
    expect(say.chunk(noteOf("a😀b漢c"), 1, 2)).toMatchObject({
      content: "😀b",
      offset: 1,
      next_offset: 3,
      remaining_chars: 2,
    });
  });
});

test.each([
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), `${"x".repeat(200)}...`],
  ["😀".repeat(201), `${"😀".repeat(200)}...`],
  ["", ""],
])("a preview has 200 characters, then dots", (organizationRules, organization_rules_preview) => {
  const base = { name: "b", description: "d", subfolder: "s", createTime: "", organizationRules };
  expect(say.bases([base], [])).toEqual({
    knowledge_bases: [
      { name: "b", description: "d", subfolder: "s", create_time: "", organization_rules_preview },
    ],
  });
});

test.each([
  ["base_missing", "knowledge_base_not_found"],
  ["base_exists", "knowledge_base_already_exists"],
  ["base_overlap", "subfolder_overlap"],
  ["note_missing", "note_not_found"],
  ["note_exists", "note_already_exists"],
  ["path_refused", "invalid_note_path"],
  ["constraint_malformed", "schema_validation_failed"],
  ["pattern_refused", "schema_validation_failed"],
  ["input_refused", "schema_validation_failed"],
  ["disk_full", "disk_full"],
] as const)("%s is worded as %s", (code, specCode) => {
  expect(explain(new NoteError(code, "Why."))).toEqual({ error: { code: specCode, message: "Why." } });
});

test("a version conflict gives the present version", () => {
  const error = new NoteError("version_conflict", "Why.", { expected: "a", actual: "b" });
  expect(explain(error)).toEqual({
    error: { code: "version_conflict", message: "Why.", current_version: "b" },
  });
});

test("the published example of a violation", () => {
  const details = {
    path: "research/ai/papers/transformers.md",
    constraint: { kb_name: "ai-research", subfolder: "research/ai/papers" },
    issues: [
      {
        field: "frontmatter.status",
        error: "invalid_value",
        expected: ["reading", "read", "summarized"],
        actual: "pending",
      },
    ],
  };
  expect(JSON.stringify(explain(new NoteError("rule_broken", "Why.", details)))).toBe(
    '{"error":{"code":"folder_constraint_violation","message":"Note does not satisfy folder constraint requirements","constraint":{"kb_name":"ai-research","subfolder":"research/ai/papers"},"issues":[{"field":"frontmatter.status","error":"invalid_value","expected":["reading","read","summarized"],"actual":"pending"}]}}',
  );
});

test("a folder closed by a damaged rule file names the file", () => {
  const error = new NoteError("constraint_malformed", "Mend x.md.", {
    constraint: { kb_name: "b", subfolder: "s" },
    issues: [],
  });
  expect(explain(error)).toEqual({
    error: {
      code: "folder_constraint_violation",
      message: "Mend x.md.",
      constraint: { kb_name: "b", subfolder: "s" },
      issues: [],
    },
  });
});
