import { expect, it } from "vitest";
import { issueWords } from "./issue-words.ts";

it("says as a sentence what breaks a rule", () => {
  const values = ["draft", "review", "published"];
  const rules = {
    frontmatter: { required_fields: [{ name: "status", type: "string" as const, allowed_values: values }] },
  };
  const field = "frontmatter.status";
  expect(issueWords({ field, error: "missing_required_field" }, rules)).toBe(
    'The field "status" is missing: draft, review or published.',
  );
  expect(issueWords({ field, error: "missing_required_field" })).toBe('The field "status" is missing.');
  expect(issueWords({ field, error: "invalid_value", actual: "wild", expected: values })).toBe(
    'The field "status" is "wild", and not draft, review or published.',
  );
  expect(issueWords({ field: "filename", error: "pattern_mismatch", actual: "x", pattern: "^A" })).toBe(
    'The name is "x", and does not fit ^A.',
  );
});
