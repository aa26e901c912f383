import { expect, test } from "vitest";
import { readRuleSet } from "./rule-set.ts";

const fieldRules = (...required_fields: unknown[]) => ({ frontmatter: { required_fields } });

const refusal = (rules: unknown): unknown => {
  try {
    return readRuleSet(rules);
  } catch (error) {
    return error;
  }
};

test.each([
  {},
  { frontmatter: {} },
  { content: {} },
  fieldRules(
    { name: "a", type: "string" },
    { name: "__proto__", type: "array", pattern: "^x", allowed_values: [1, "b", false] },
  ),
  { filename: { pattern: "x" } },
  { content: { min_length: 0, max_length: 0, required_sections: ["A"] } },
])("taken as it is: %j", (rules) => {
  expect(readRuleSet(rules)).toBe(rules);
});

test.each([
  [null, "rules must be an object."],
  [[], "rules must be an object."],
  ["x", "rules must be an object."],
  [{ front: {} }, 'rules has the unknown key "front"; known are frontmatter, filename, content.'],
  [
    JSON.parse('{"__proto__": {}}'),
    'rules has the unknown key "__proto__"; known are frontmatter, filename, content.',
  ],
  [{ frontmatter: null }, "rules.frontmatter must be an object."],
  [
    { frontmatter: { required_field: [] } },
    'rules.frontmatter has the unknown key "required_field"; known are required_fields.',
  ],
  [{ frontmatter: { required_fields: {} } }, "rules.frontmatter.required_fields must be a list."],
  [fieldRules("title"), "rules.frontmatter.required_fields[0] must be an object."],
  [fieldRules({ type: "string" }), "rules.frontmatter.required_fields[0].name must be text and not empty."],
  [
    fieldRules({ name: "", type: "string" }),
    "rules.frontmatter.required_fields[0].name must be text and not empty.",
  ],
  [
    fieldRules({ name: "a" }),
    "rules.frontmatter.required_fields[0].type must be one of string, number, boolean, date, array.",
  ],
  [
    fieldRules({ name: "a", type: "text" }),
    "rules.frontmatter.required_fields[0].type must be one of string, number, boolean, date, array.",
  ],
  [
    fieldRules({ name: "a", type: "string" }, { name: "a", type: "array" }),
    "rules.frontmatter.required_fields[1].name is there twice.",
  ],
  [
    fieldRules({ name: "a", type: "string", pattern: 5 }),
    "rules.frontmatter.required_fields[0].pattern must be text and not empty.",
  ],
  [
    fieldRules({ name: "a", type: "string", allowed_values: "x" }),
    "rules.frontmatter.required_fields[0].allowed_values must be a list.",
  ],
  [
    fieldRules({ name: "a", type: "string", allowed_values: [] }),
    "rules.frontmatter.required_fields[0].allowed_values is empty, so that no value would do.",
  ],
  [
    fieldRules({ name: "a", type: "string", allowed_values: [{}] }),
    "rules.frontmatter.required_fields[0].allowed_values may hold only text, numbers, true and false.",
  ],
  [
    fieldRules(...Array.from({ length: 101 }, (_, at) => ({ name: `f${at}`, type: "string" }))),
    "rules.frontmatter.required_fields has more than 100 fields.",
  ],
  [{ filename: {} }, "rules.filename.pattern must be text and not empty."],
  [{ filename: "x" }, "rules.filename must be an object."],
  [
    { content: { min_length: -1 } },
    "rules.content.min_length must be a whole number of characters, such as 500.",
  ],
  [
    { content: { max_length: "5" } },
    "rules.content.max_length must be a whole number of characters, such as 500.",
  ],
  [
    { content: { min_length: 1.5 } },
    "rules.content.min_length must be a whole number of characters, such as 500.",
  ],
  [
    { content: { min_length: 6, max_length: 5 } },
    "rules.content.min_length is larger than max_length, so that no note would do.",
  ],
  [
    { content: { required_sections: [""] } },
    "rules.content.required_sections[0] must be text and not empty.",
  ],
  [{ content: { required_sections: ["x".repeat(33_000)] } }, "rules are larger than 32 kB."],
] as [unknown, string][])("refused: %$", (rules, message) => {
  expect(refusal(rules)).toMatchObject({ code: "constraint_malformed", message });
});
