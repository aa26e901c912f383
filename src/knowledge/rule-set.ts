/** RuleSet: whether what a caller or a file gives as rules is what the spec allows. A word it does not know is refused, because a rule that is misspelled protects nothing. */

import { NoteError } from "../markdown/errors.ts";
import type { FieldType, RuleSet } from "../notebook/rules.ts";

const TYPES: readonly FieldType[] = ["string", "number", "boolean", "date", "array"];
/** As JSON. Room for any list of values a person keeps; refusals repeat parts of it, so it must stay small. */
const SIZE_LIMIT = 32 * 1024;
/** Each may bring a pattern, which has to be built whenever the rules are read. */
const MOST_FIELDS = 100;

/** Gives the value back as it was; throws `constraint_malformed` naming the first place that is wrong. */
export function readRuleSet(value: unknown): RuleSet {
  const rules = mapWith(value, "rules", ["frontmatter", "filename", "content"]);
  ifGiven(rules, "rules", "frontmatter", checkFields);
  ifGiven(rules, "rules", "filename", (filename, at) => {
    const { pattern } = mapWith(filename, at, ["pattern"]);
    checkText(pattern, `${at}.pattern`);
  });
  ifGiven(rules, "rules", "content", checkContent);
  if (JSON.stringify(rules).length > SIZE_LIMIT)
    throw malformed("rules", `are larger than ${SIZE_LIMIT / 1024} kB`);
  return rules as RuleSet;
}

function checkFields(value: unknown, at: string): void {
  const frontmatter = mapWith(value, at, ["required_fields"]);
  ifGiven(frontmatter, at, "required_fields", (list, at) => {
    const names = new Set<unknown>();
    const fields = listAt(list, at);
    if (fields.length > MOST_FIELDS) throw malformed(at, `has more than ${MOST_FIELDS} fields`);
    fields.forEach((item, index) => {
      const place = `${at}[${index}]`;
      const field = mapWith(item, place, ["name", "type", "pattern", "allowed_values"]);
      checkText(field["name"], `${place}.name`);
      if (names.has(field["name"])) throw malformed(`${place}.name`, "is there twice");
      names.add(field["name"]);
      if (!TYPES.includes(field["type"] as FieldType))
        throw malformed(`${place}.type`, `must be one of ${TYPES.join(", ")}`);
      ifGiven(field, place, "pattern", checkText);
      ifGiven(field, place, "allowed_values", (values, at) => {
        const allowed = listAt(values, at);
        if (allowed.length === 0) throw malformed(at, "is empty, so that no value would do");
        if (!allowed.every(isScalar)) throw malformed(at, "may hold only text, numbers, true and false");
      });
    });
  });
}

function checkContent(value: unknown, at: string): void {
  const content = mapWith(value, at, ["min_length", "max_length", "required_sections"]);
  for (const key of ["min_length", "max_length"])
    ifGiven(content, at, key, (length, at) => {
      if (!Number.isSafeInteger(length) || (length as number) < 0)
        throw malformed(at, "must be a whole number of characters, such as 500");
    });
  const { min_length: least, max_length: most } = content;
  if (least !== undefined && most !== undefined && (least as number) > (most as number))
    throw malformed(`${at}.min_length`, "is larger than max_length, so that no note would do");
  ifGiven(content, at, "required_sections", (list, at) => {
    listAt(list, at).forEach((section, index) => checkText(section, `${at}[${index}]`));
  });
}

function ifGiven(
  map: Record<string, unknown>,
  at: string,
  key: string,
  check: (value: unknown, at: string) => void,
): void {
  if (map[key] !== undefined) check(map[key], `${at}.${key}`);
}

function mapWith(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(at, "must be an object");
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw malformed(
      at,
      `has the unknown key ${JSON.stringify(strange.slice(0, 80))}; known are ${known.join(", ")}`,
    );
  return value as Record<string, unknown>;
}

function listAt(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw malformed(at, "must be a list");
  return value;
}

function checkText(value: unknown, at: string): void {
  if (typeof value !== "string" || value === "") throw malformed(at, "must be text and not empty");
}

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

function malformed(at: string, reason: string): NoteError {
  return new NoteError("constraint_malformed", `${at} ${reason}.`, { at, reason });
}
