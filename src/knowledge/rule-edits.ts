/** Edits of rules: a base added or changed, a folder constrained, as the files to put in place. */

import { NoteError } from "../markdown/errors.ts";
import { checkWhole } from "../markdown/half-characters.ts";
import { shortHash } from "../notebook/note.ts";
import { folderPath, type RulePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { baseNamed } from "../notebook/rules.ts";
import type {
  Base,
  BaseUpdate,
  Constraint,
  NewBase,
  NewConstraint,
  RuleBook,
  RuleEdit,
  RuleReader,
} from "../notebook/rules.ts";
import { constraintFile, liesWithin, metaFile, overlapping, readBook } from "./bases.ts";
import { compileRules } from "./constraints.ts";
import { compilePattern } from "./patterns.ts";
import { readConstraint, writeConstraint, writeMeta } from "./rule-files.ts";
import { readRuleSet } from "./rule-set.ts";

export const ruleReader: RuleReader = {
  read: readBook,
  addBase,
  updateBase,
  constrain,
  pattern: compilePattern,
};

// Both come back with every answer about the base.
const DESCRIPTION_LIMIT = 10_000;
const RULES_LIMIT = 100_000;

/** Where what should be the folder of all rules is something else, none can be written. */
function checkHome(book: RuleBook): void {
  const inTheWay = book.troubles.find(({ file }) => !file.includes("/knowledge_base/"));
  if (inTheWay)
    throw new NoteError(
      "constraint_malformed",
      `${inTheWay.file} ${inTheWay.reason}, so no rules can be kept there. Put a folder that can be read in its place first.`,
      { file: inTheWay.file, reason: inTheWay.reason },
    );
}

function addBase(book: RuleBook, input: NewBase, now: Date): RuleEdit & { base: Base } {
  checkHome(book);
  const { name } = input;
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(name))
    throw new NoteError(
      "input_refused",
      "The name of a knowledge base is 1 to 100 letters, digits, `-` or `_`. Choose such a name.",
      { parameter: "name" },
    );
  // Two names that differ only in case would be one folder on many disks.
  const taken = book.files.find((file) => fold(file.path) === fold(metaFile(name)));
  if (taken) {
    const there = taken.path.split("/").at(-2)!;
    throw new NoteError(
      "base_exists",
      `There is already a knowledge base "${there}". Choose another name, or update that one.`,
      { name: there },
    );
  }
  const base: Base = {
    ...input,
    subfolder: freeFolder(book, input.subfolder, name),
    createTime: now.toISOString().replace(/\.\d+Z$/, "Z"),
  };
  return { base, puts: putBase("", base), message: `Create knowledge base: ${name}` };
}

function updateBase(book: RuleBook, input: BaseUpdate): RuleEdit & { base: Base; notes: string[] } {
  const before = baseNamed(book, input.name);
  const subfolder =
    input.subfolder === undefined ? before.subfolder : freeFolder(book, input.subfolder, input.name);
  const base: Base = {
    ...before,
    subfolder,
    description: input.description ?? before.description,
    organizationRules: input.organizationRules ?? before.organizationRules,
  };
  const notes: string[] = [];
  if (fold(subfolder) !== fold(before.subfolder)) {
    notes.push(
      `No notes were moved: those under "${before.subfolder}" stay where they are, and only those under "${subfolder}" belong to this knowledge base now.`,
    );
    for (const one of book.constraints)
      if (one.base === base.name && !liesWithin(one.subfolder, subfolder))
        notes.push(
          `The folder constraint on "${one.subfolder}" is now out of scope and no longer applies; its file is kept.`,
        );
  }
  return {
    base,
    notes,
    puts: putBase(textOf(book, metaFile(base.name)), base),
    message: `Update knowledge base: ${base.name}`,
  };
}

function constrain(book: RuleBook, input: NewConstraint): RuleEdit & { constraint: Constraint } {
  const base = baseNamed(book, input.base);
  const subfolder = realFolder(input.subfolder);
  if (!liesWithin(subfolder, base.subfolder))
    throw new NoteError(
      "path_refused",
      `The folder "${subfolder}" is outside the folder "${base.subfolder}" of the knowledge base "${base.name}". Give a folder inside it, written from the vault's root.`,
      { path: subfolder, base: base.name, subfolder: base.subfolder },
    );
  const rules = readRuleSet(input.rules);
  compileRules(rules);
  const file = fileFor(book, base.name, subfolder);
  const old = textOf(book, file);
  const text = writeConstraint(old, subfolder, rules);
  const readBack = readConstraint(text);
  if (!("value" in readBack) || !sameJson(readBack.value.rules, rules))
    throw new NoteError(
      "constraint_malformed",
      "These rules cannot be kept in a file: they have too many parts or text that YAML cannot hold. Give fewer or simpler ones.",
      { at: "rules" },
    );
  return {
    constraint: { base: base.name, subfolder: readBack.value.subfolder, rules, file },
    puts: text === old ? [] : [{ path: file, text }],
    message: `Constrain folder: ${subfolder}`,
  };
}

/** A folder for this base: inside the vault, not the vault itself, shared with no other base. */
function freeFolder(book: RuleBook, written: string, name: string): string {
  const subfolder = realFolder(written);
  const rival = overlapping(
    book.bases.filter((base) => base.name !== name),
    subfolder,
  );
  if (rival)
    throw new NoteError(
      "base_overlap",
      `The folder "${subfolder}" overlaps with "${rival.subfolder}", the folder of the knowledge base "${rival.name}". Choose a folder apart from it.`,
      { subfolder, other: { name: rival.name, subfolder: rival.subfolder } },
    );
  return subfolder;
}

function realFolder(written: string): string {
  const subfolder = folderPath(written);
  if (subfolder === "")
    throw new NoteError(
      "path_refused",
      "The folder is empty; the whole vault cannot be one. Name a folder inside the vault.",
      {
        path: written,
        reason: "is empty",
      },
    );
  return subfolder;
}

function putBase(old: string, base: Base): RuleEdit["puts"] {
  for (const [parameter, text, limit] of [
    ["description", base.description, DESCRIPTION_LIMIT],
    ["organization_rules", base.organizationRules, RULES_LIMIT],
  ] as const) {
    if (text.length > limit)
      throw new NoteError(
        "input_refused",
        `The ${parameter} may have at most ${limit} characters. Shorten it.`,
        { parameter },
      );
    checkWhole(text, `The ${parameter}`, { parameter });
  }
  const text = writeMeta(old, base);
  return text === old ? [] : [{ path: metaFile(base.name), text }];
}

const textOf = (book: RuleBook, path: RulePath): string =>
  book.files.find((file) => file.path === path)?.text ?? "";

/** The file that rules this folder already, whatever its name; else a free name made from the folder's. */
function fileFor(book: RuleBook, base: string, subfolder: string): RulePath {
  const closing = book.troubles.filter((trouble) => trouble.subfolder !== null && !trouble.whole);
  const there = [...book.constraints, ...closing].filter(
    (one) => one.base === base && fold(one.subfolder!) === fold(subfolder),
  );
  const [file, other] = new Set(there.map((one) => one.file));
  if (other !== undefined)
    throw new NoteError(
      "constraint_malformed",
      `Both ${file} and ${other} hold rules for the folder "${subfolder}". Remove one of them first.`,
      {
        file: other,
      },
    );
  if (file !== undefined) return file;
  const stem = stemOf(subfolder);
  const taken = new Set(book.files.map((one) => fold(one.path)));
  for (let count = 1; ; count++) {
    const free = constraintFile(base, count === 1 ? stem : `${stem}-${count}`);
    if (!taken.has(fold(free))) return free;
  }
}

// Some systems refuse these characters in file names, and all refuse names of over 255 bytes.
function stemOf(subfolder: string): string {
  const stem = subfolder.replace(/[/<>:"|?*]/g, "_");
  return new TextEncoder().encode(stem).length <= 200
    ? stem
    : `${[...stem].slice(0, 40).join("")}-${shortHash(stem)}`;
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
