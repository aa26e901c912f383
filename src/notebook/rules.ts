/** Rules of knowledge bases as the engine knows them: what binds a path, what a note breaks, and the file edits that change them. How rules are stored and tried is the business of the RuleReader it is handed. */

import { NoteError } from "../markdown/errors.ts";
import type { Note } from "./note.ts";
import type { NotePath, RulePath } from "./paths.ts";

export type Base = {
  name: string;
  description: string;
  /** The folder it rules, vault-relative, without a slash at the end. */
  subfolder: string;
  organizationRules: string;
  /** As written in its file; "" where a person left it out. */
  createTime: string;
};

export type FieldType = "string" | "number" | "boolean" | "date" | "array";
export type FieldRule = {
  name: string;
  type: FieldType;
  pattern?: string;
  allowed_values?: (string | number | boolean)[];
};
/** What a constraint asks of a note, spelled as in the tool call and in the file. */
export type RuleSet = {
  frontmatter?: { required_fields?: FieldRule[] };
  filename?: { pattern: string };
  content?: { min_length?: number; max_length?: number; required_sections?: string[] };
};
export type Constraint = { base: string; subfolder: string; rules: RuleSet; file: RulePath };

/** A rule file that cannot be used as it stands. */
export type RuleTrouble = {
  base: string;
  file: RulePath;
  /** Follows the file's name in a sentence: `has no rules in a yaml block`. */
  reason: string;
  /** The folder that takes no writes until the file is repaired ("" is every folder); null where nothing is closed. */
  subfolder: string | null;
  /** Folders below that have rules of their own are closed too, because nobody can tell which folder the file was for. */
  whole: boolean;
};

export type Issue = {
  /** `frontmatter.NAME`, `filename`, `content`, `content.sections`; `constraint` where the rule file itself is the trouble. */
  field: string;
  error:
    | "missing_required_field"
    | "invalid_field_type"
    | "pattern_mismatch"
    | "invalid_value"
    | "content_too_short"
    | "content_too_long"
    | "missing_section"
    | "constraint_malformed";
  expected?: unknown;
  pattern?: string;
  actual?: unknown;
  /** Only where the rest does not say why; of a damaged rule file, it begins with the file's path. */
  reason?: string;
};

/** What was found when a note was held against the one rule that binds its path. No issues: it passes. */
export type Verdict = { constraint: { base: string; subfolder: string; file: RulePath }; issues: Issue[] };

/** The part of a note that rules look at. */
export type RuledNote = Pick<Note, "fields" | "front" | "headings" | "text">;

/** `unread`: why its text could not be had, in words that follow its name; the text is then "". `foreign`: it is a link or special file. It may be a folder. */
export type RuleFile = { path: RulePath; text: string; unread?: string; foreign?: true };
export type RuleBook = {
  bases: readonly Base[];
  constraints: readonly Constraint[];
  troubles: readonly RuleTrouble[];
  /** The files it was read from, for the edits below. */
  files: readonly RuleFile[];
  /** Only the most specific one binds. */
  bindingOn(path: NotePath): Constraint | RuleTrouble | null;
  /** Null where nothing binds. A closed folder is an issue too, so whoever only counts issues still refuses the write. */
  check(path: NotePath, note: RuledNote): Verdict | null;
};

export type NewBase = Pick<Base, "name" | "description" | "subfolder" | "organizationRules">;
export type BaseUpdate = Pick<Base, "name"> & Partial<NewBase>;
/** `rules` comes from a caller and is not yet known to be a RuleSet. */
export type NewConstraint = { base: string; subfolder: string; rules: unknown };

/** Files to put in place. None, where nothing would change. */
export type RuleEdit = { puts: RuleFile[]; message: string };

/** Everything here is pure; refusals are NoteErrors. */
export type RuleReader = {
  /** Takes any files; what cannot be used becomes a trouble, never an error. */
  read(files: readonly RuleFile[]): RuleBook;
  addBase(book: RuleBook, input: NewBase, now: Date): RuleEdit & { base: Base };
  /** `notes`: what the caller should know about a new folder. */
  updateBase(book: RuleBook, input: BaseUpdate): RuleEdit & { base: Base; notes: string[] };
  /** Takes the place of a constraint on the same folder. */
  constrain(book: RuleBook, input: NewConstraint): RuleEdit & { constraint: Constraint };
  /** A pattern that somebody wrote, tried in linear time; refused with `pattern_refused` where that cannot be. */
  pattern(source: string): { found(text: string): boolean };
};

export function baseNamed(book: RuleBook, name: string): Base {
  const base = book.bases.find((one) => one.name === name);
  if (base) return base;
  const trouble = book.troubles.find((one) => one.base === name && one.file.endsWith(`/${name}/meta.md`));
  if (trouble)
    throw new NoteError(
      "constraint_malformed",
      `The file ${trouble.file} of the knowledge base "${name}" ${trouble.reason}. Mend that file first.`,
      { file: trouble.file, reason: trouble.reason },
    );
  const known = book.bases.slice(0, 20).map((one) => one.name);
  const hint = known.length === 0 ? "There are none yet; add one first." : `There are: ${known.join(", ")}.`;
  throw new NoteError("base_missing", `There is no knowledge base "${name.slice(0, 100)}". ${hint}`, {
    name,
    known,
  });
}

/** The refusal of a change that would leave `path` breaking its rule. */
export function broken(path: NotePath, { constraint, issues }: Verdict): NoteError {
  const details = { path, constraint: { kb_name: constraint.base, subfolder: constraint.subfolder }, issues };
  const closed = issues.find((issue) => issue.error === "constraint_malformed");
  if (closed)
    return new NoteError(
      "constraint_malformed",
      `The note "${path}" was not written: the rule file ${closed.reason}. Mend that file; until then its folder takes no changes.`,
      { ...details, file: constraint.file, reason: closed.reason },
    );
  return new NoteError(
    "rule_broken",
    `The note "${path}" does not satisfy the rules of the folder "${constraint.subfolder}": ${issues.map(sayIssue).join("; ")}.`,
    details,
  );
}

/** One issue as a phrase, for dialects that have no form of their own for it. */
export function sayIssue(issue: Issue): string {
  const because = issue.reason === undefined ? "" : ` (${issue.reason})`;
  const named = `${issue.field} ${JSON.stringify(issue.actual)}`;
  switch (issue.error) {
    case "missing_required_field":
      return `${issue.field} is missing${because}`;
    case "invalid_field_type":
      return `${named} is not of type ${String(issue.expected)}`;
    case "pattern_mismatch":
      return `${named} does not match ${issue.pattern}${because}`;
    case "invalid_value":
      return `${named} is not one of ${JSON.stringify(issue.expected)}`;
    case "content_too_short":
      return `the text has ${String(issue.actual)} characters, at least ${String(issue.expected)} are asked for`;
    case "content_too_long":
      return `the text has ${String(issue.actual)} characters, at most ${String(issue.expected)} are allowed`;
    case "missing_section":
      return `the section ${JSON.stringify(issue.expected)} is missing`;
    case "constraint_malformed":
      return `the rules cannot be read${because}`;
  }
}
