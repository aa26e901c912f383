/** Bases: rule files to the book of knowledge bases and constraints that the engine asks. What cannot be read becomes a trouble, and closes what it may have protected. */

import { NoteError } from "../markdown/errors.ts";
import { folderOf, rulePath, type RulePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import type {
  Base,
  Constraint,
  Issue,
  RuleBook,
  RuledNote,
  RuleFile,
  RuleTrouble,
} from "../notebook/rules.ts";
import type { NotePath } from "../notebook/paths.ts";
import { compileRules } from "./constraints.ts";
import { readConstraint, readMeta, sentenceEnd } from "./rule-files.ts";

const ROOT = ".llm_bridges/knowledge_base";
export const metaFile = (base: string): RulePath => rulePath(`${ROOT}/${base}/meta.md`);
export const constraintFile = (base: string, stem: string): RulePath =>
  rulePath(`${ROOT}/${base}/folder_constraints/${stem}.md`);

type Check = (path: NotePath, note: RuledNote) => Issue[];
type Group = { meta: RuleFile | null; constraints: RuleFile[] };
type Binding = Constraint | RuleTrouble;

export function readBook(files: readonly RuleFile[]): RuleBook {
  const bases: Base[] = [];
  const constraints: Constraint[] = [];
  const troubles: RuleTrouble[] = files.flatMap(beside);
  const checks = new Map<Constraint, Check>();
  for (const [name, group] of groupsOf(files)) {
    const folder = readBase(name, group.meta, bases, troubles);
    for (const file of group.constraints) {
      const found = readOne(name, file, folder, checks);
      if ("rules" in found) constraints.push(found);
      else troubles.push(found);
    }
  }
  const { binding, sealed } = bindings(constraints, troubles);

  function bindingOn(path: NotePath): Binding | null {
    const folder = fold(folderOf(path));
    const seal = sealed.find((trouble) => liesWithin(folder, trouble.subfolder!));
    if (seal) return seal;
    for (let key = folder; key !== ""; key = folderOf(key)) {
      const bound = binding.get(key);
      if (bound) return bound;
    }
    return null;
  }
  return {
    bases,
    constraints,
    troubles,
    files,
    bindingOn,
    check(path, note) {
      const bound = bindingOn(path);
      if (!bound) return null;
      const { base, file } = bound;
      const constraint = { base, subfolder: bound.subfolder!, file };
      if ("rules" in bound) return { constraint, issues: checks.get(bound)!(path, note) };
      return {
        constraint,
        issues: [{ field: "constraint", error: "constraint_malformed", reason: `${file} ${bound.reason}` }],
      };
    },
  };
}

/**
 * What cannot be read where no rule file would be. A folder that may hold the rules of any folder closes them all: nobody can tell which it
 * is for. A link or special file in its place holds no rules.
 */
function beside({ path, unread, foreign }: RuleFile): RuleTrouble[] {
  if (unread === undefined) return [];
  const [name = "", kind, ...rest] = path.slice(ROOT.length + 1).split("/");
  if (isRule(kind, rest)) return [];
  const holdsAll = kind === undefined && !foreign;
  return [{ base: name, file: path, reason: unread, subfolder: holdsAll ? "" : null, whole: holdsAll }];
}

/** The folder of constraints itself is reported like one of them, where it cannot be read. */
const isRule = (kind: string | undefined, rest: readonly string[]): boolean =>
  kind === "folder_constraints" || (kind === "meta.md" && rest.length === 0);

/** Whole segments, however they are written. Everything lies within "". */
export function liesWithin(folder: string, outer: string): boolean {
  return outer === "" || `${fold(folder)}/`.startsWith(`${fold(outer)}/`);
}

function groupsOf(files: readonly RuleFile[]): [string, Group][] {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const [name, kind, ...rest] = file.path.slice(ROOT.length + 1).split("/");
    const isMeta = kind === "meta.md" && rest.length === 0;
    if (!isRule(kind, rest)) continue;
    const group = groups.get(name!) ?? { meta: null, constraints: [] };
    if (isMeta) group.meta = file;
    else group.constraints.push(file);
    groups.set(name!, group);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** `sure` is the base's folder; null where its file cannot be read, and then its constraints bind wherever they say. `seems` is what a person would still make out. */
type BaseFolder = { sure: string | null; seems: string | null };

function readBase(name: string, meta: RuleFile | null, bases: Base[], troubles: RuleTrouble[]): BaseFolder {
  const file = metaFile(name);
  const read = meta
    ? (unreadable(meta) ?? readMeta(name, meta.text))
    : { reason: "is missing", subfolder: null };
  const report = (reason: string): unknown =>
    troubles.push({ base: name, file, reason, subfolder: null, whole: false });
  if ("reason" in read) {
    report(read.reason);
    return { sure: null, seems: read.subfolder };
  }
  const rival = overlapping(bases, read.value.subfolder);
  if (rival)
    report(
      `names the folder "${read.value.subfolder}", which overlaps with that of the knowledge base "${rival.name}"`,
    );
  bases.push(read.value);
  return { sure: read.value.subfolder, seems: read.value.subfolder };
}

const unreadable = ({ unread }: RuleFile): { reason: string; subfolder: null } | null =>
  unread === undefined ? null : { reason: unread, subfolder: null };

export function overlapping(bases: readonly Base[], subfolder: string): Base | undefined {
  return bases.find((base) => liesWithin(base.subfolder, subfolder) || liesWithin(subfolder, base.subfolder));
}

function readOne(base: string, file: RuleFile, folder: BaseFolder, checks: Map<Constraint, Check>): Binding {
  const trouble = (reason: string, subfolder: string | null, whole = false): RuleTrouble => ({
    base,
    file: file.path,
    reason,
    subfolder,
    whole,
  });
  const read = unreadable(file) ?? readConstraint(file.text);
  const subfolder = "value" in read ? read.value.subfolder : read.subfolder;
  const inScope = subfolder !== null && (folder.sure === null || liesWithin(subfolder, folder.sure));
  if ("reason" in read)
    return inScope
      ? trouble(read.reason, subfolder)
      : trouble(read.reason, folder.seems ?? (file.foreign ? null : ""), true);
  if (!inScope)
    return trouble(
      `is for the folder "${subfolder}", which lies outside the folder "${folder.sure}" of its knowledge base, so it binds nothing`,
      null,
    );
  try {
    const constraint: Constraint = { base, ...read.value, file: file.path };
    checks.set(constraint, compileRules(constraint.rules));
    return constraint;
  } catch (error) {
    if (error instanceof NoteError)
      return trouble(`holds rules that cannot be used: ${sentenceEnd(error)}`, subfolder);
    throw error;
  }
}

/** Which folder is bound by what. Two files for one folder close it, since nobody knows which of them counts. */
function bindings(
  constraints: Constraint[],
  troubles: RuleTrouble[],
): { binding: Map<string, Binding>; sealed: RuleTrouble[] } {
  const binding = new Map<string, Binding>();
  for (const constraint of constraints) {
    const key = fold(constraint.subfolder);
    const first = binding.get(key);
    if (first)
      troubles.push({
        base: constraint.base,
        file: constraint.file,
        reason: `holds rules for the same folder as ${first.file}; keep one of them`,
        subfolder: constraint.subfolder,
        whole: false,
      });
    else binding.set(key, constraint);
  }
  const closing = troubles.filter((trouble) => trouble.subfolder !== null);
  for (const trouble of closing) if (!trouble.whole) binding.set(fold(trouble.subfolder!), trouble);
  return { binding, sealed: closing.filter((trouble) => trouble.whole) };
}
