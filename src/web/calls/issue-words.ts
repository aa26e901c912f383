/** What breaks a rule, as a sentence for the page. */

import type { Notebook } from "../../notebook/notebook.ts";
import type { Issue, RuleSet, Verdict } from "../../notebook/rules.ts";

/** All that a note breaks, a sentence each. */
export const verdictWords = async (notebook: Notebook, verdict: Verdict): Promise<string[]> => {
  const { constraints } = await notebook.bases.book();
  const rules = constraints.find(({ file }) => file === verdict.constraint.file)?.rules;
  return verdict.issues.map((issue) => issueWords(issue, rules));
};

/** `rules`: those of the folder, where they are known; they say what a missing field may be. */
export const issueWords = (issue: Issue, rules?: RuleSet): string => {
  const { field, error, expected, actual, pattern, reason } = issue;
  const name = field.replace(/^frontmatter\./, "");
  const called = name === "filename" ? "The name" : `The field "${name}"`;
  const because = reason === undefined ? "" : ` ${reason}`;
  switch (error) {
    case "missing_required_field": {
      const rule = rules?.frontmatter?.required_fields?.find((one) => one.name === name);
      return `${called} is missing${rule?.allowed_values ? `: ${either(rule.allowed_values)}` : ""}.${because}`;
    }
    case "invalid_field_type":
      return `${called} is ${said(actual)}, and not of the type ${String(expected)}.`;
    case "pattern_mismatch":
      return `${called} is ${said(actual)}, and does not fit ${pattern}.${because}`;
    case "invalid_value":
      return `${called} is ${said(actual)}, and not ${either(expected)}.`;
    case "content_too_short":
      return `The text has ${String(actual)} characters; it must have at least ${String(expected)}.`;
    case "content_too_long":
      return `The text has ${String(actual)} characters; it may have at most ${String(expected)}.`;
    case "missing_section":
      return `The section ${said(expected)} is missing.`;
    case "constraint_malformed":
      return `The rules of the folder cannot be read.${because}`;
  }
};

const said = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** `draft, review or published`. */
const either = (values: unknown): string => {
  const all = Array.isArray(values) ? values.map(String) : [String(values)];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
};
