/** Constraints: a note held against a set of rules, and every issue found, in the order of the rules. */

import type { Value } from "../markdown/frontmatter.ts";
import { dateOf } from "../notebook/note.ts";
import type { NotePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import type { FieldRule, FieldType, Issue, RuledNote, RuleSet } from "../notebook/rules.ts";
import { compilePattern, WORK_LIMIT, type Pattern } from "./patterns.ts";

/** `work` is what is left of the work that patterns may do on one note. */
type Check = (path: NotePath, note: RuledNote, work: { left: number }) => Issue[];

/** Throws `pattern_refused` where a pattern cannot be used. */
export function compileRules(rules: RuleSet): (path: NotePath, note: RuledNote) => Issue[] {
  const checks = (rules.frontmatter?.required_fields ?? []).map(fieldCheck);
  if (rules.filename) checks.push(filenameCheck(rules.filename.pattern));
  if (rules.content) checks.push(contentCheck(rules.content));
  return (path, note) => {
    const work = { left: WORK_LIMIT };
    return checks.flatMap((check) => check(path, note, work));
  };
}

function fieldCheck({ name, type, pattern: source, allowed_values: allowed }: FieldRule): Check {
  const field = `frontmatter.${name}`;
  const pattern = source === undefined ? null : compilePattern(source);
  const isAllowed = allowed && membership(allowed);
  return (_path, { fields, front }, work) => {
    const value = Object.hasOwn(fields, name) ? fields[name]! : null;
    // `status:` with nothing after it is no status.
    if (value === null)
      return [
        {
          field,
          error: "missing_required_field",
          ...(front.trouble === null ? {} : { reason: `the frontmatter cannot be read: ${front.trouble}` }),
        },
      ];
    const issues: Issue[] = [];
    if (!hasType(value, type))
      issues.push({ field, error: "invalid_field_type", expected: type, actual: shown(value) });
    if (pattern) issues.push(...mismatch(field, pattern, value, work));
    if (isAllowed && !itemsOf(value).every(isAllowed))
      issues.push({ field, error: "invalid_value", expected: allowed, actual: shown(value) });
    return issues;
  };
}

function filenameCheck(source: string): Check {
  const pattern = compilePattern(source);
  return (path) => mismatch("filename", pattern, path.slice(path.lastIndexOf("/") + 1), { left: WORK_LIMIT });
}

function contentCheck({
  min_length: least,
  max_length: most,
  required_sections: sections = [],
}: NonNullable<RuleSet["content"]>): Check {
  return (_path, note) => {
    const issues: Issue[] = [];
    const length = characters((note.text ?? "").slice(note.front.bodyStart));
    if (least !== undefined && length < least)
      issues.push({ field: "content", error: "content_too_short", expected: least, actual: length });
    if (most !== undefined && length > most)
      issues.push({ field: "content", error: "content_too_long", expected: most, actual: length });
    // A heading inside a quote or a list is somebody's words, not a section of this note.
    const there = new Set(
      note.headings.filter((heading) => !heading.nested).map((heading) => sectionKey(heading.text)),
    );
    for (const section of sections)
      if (!there.has(sectionKey(section)))
        issues.push({ field: "content.sections", error: "missing_section", expected: section });
    return issues;
  };
}

// People write the section as they would in a note, `## Summary`; any level will do.
const sectionKey = (text: string): string => fold(text.replace(/^#{1,6}\s+/, "").trim());

function hasType(value: Value, type: FieldType): boolean {
  switch (type) {
    case "number":
      return numberOf(value) !== null;
    case "date":
      return typeof value === "string" && isDate(value);
    case "array":
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Also where the typed form was kept as text, because it would not print the same: `1.10`, `1e3`, `007`. */
function numberOf(value: Value): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value))
    return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

// Date rolls 30 February over to March.
function isDate(text: string): boolean {
  const [year, month, day] = text.trim().slice(0, 10).split("-").map(Number);
  return dateOf(text) !== null && day! <= new Date(Date.UTC(year!, month!, 0)).getUTCDate();
}

/** A list stands for its items: each one must fit. */
const itemsOf = (value: Value): Value[] => (Array.isArray(value) ? value : [value]);

// They are compared by value: `1.10` in a note is the number 1.1 of a rule. Sets, because both lists may be long.
function membership(allowed: readonly (string | number | boolean)[]): (item: Value) => boolean {
  const exact = new Set<Value>(allowed);
  const numbers = new Set(allowed.filter((one) => typeof one === "number"));
  const numerals = new Set(allowed.map(numberOf));
  return (item) => {
    if (exact.has(item)) return true;
    const number = numberOf(item);
    return number !== null && (typeof item === "number" ? numerals : numbers).has(number);
  };
}

function mismatch(field: string, pattern: Pattern, value: Value, work: { left: number }): Issue[] {
  const issue = (): Issue => ({
    field,
    error: "pattern_mismatch",
    pattern: pattern.source,
    actual: shown(value),
  });
  for (const item of itemsOf(value)) {
    const text = typeof item === "string" ? item : JSON.stringify(item);
    // What cannot be tried does not pass, and says why; the way out is a shorter value or a simpler pattern.
    work.left -= pattern.size * text.length;
    if (work.left < 0)
      return [{ ...issue(), reason: "the value is too long for this pattern to be tried on it" }];
    if (!pattern.found(text)) return [issue()];
  }
  return [];
}

const SHOWN = 1000;

/** A value as an issue repeats it: whole, unless it would flood the answer. */
function shown(value: Value): Value {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= SHOWN ? value : `${text.slice(0, SHOWN).replace(/\p{Surrogate}$/u, "")}...`;
}

function characters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at)! > 0xffff) pairs++;
  return text.length - pairs;
}
