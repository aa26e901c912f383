/** The rules in force: read from their files, held against what is about to be written, and changed the way notes are. */

import { NoteError } from "../markdown/errors.ts";
import { atOnce } from "../markdown/steps.ts";
import type { Change, Who, Plan } from "./change.ts";
import { decodeText, encodeText, makeNote, type Note } from "./note.ts";
import type { Parts } from "./parts.ts";
import { isNote, type NotePath, type RulePath } from "./paths.ts";
import { load } from "./load.ts";
import type { Constraint, RuleBook, RuleEdit, RuleFile, Verdict } from "./rules.ts";

/** Rules are read before every change, so their files are small: this holds the longest that the tools write. */
const RULE_LIMIT = 512 * 1024;
/** A file saved this shortly before it was read may be saved again under the same stamp. */
const RACY_MS = 2000;
/** How many notes are read to tell which of them fail new rules: a few seconds' work. */
const CHECKED_LIMIT = 20_000;
const BREACHES_NAMED = 20;

export type Breach = { path: NotePath; verdict: Verdict };
/** How the notes that are there already stand to a constraint. Not all of them were looked at where `checked` is less than `below`. */
export type Standing = { failing: number; first: Breach[]; checked: number; below: number };

export const isRuleFile = (path: string): boolean => path.startsWith(".llm_bridges/");

/** Reads the rule files, again only when one has changed. */
export function ruleKeeper(parts: Pick<Parts, "store" | "rules" | "now">): () => Promise<RuleBook> {
  let known: string | null = null;
  let book = parts.rules.read([]);
  return async () => {
    const listed = await parts.store.rules();
    const state = listed.map(({ path, stamp }) => `${path}\n${stamp}`).join("\n");
    if (state === known) return book;
    const read: ReadRule[] = [];
    for (const { path, unread, foreign } of listed)
      read.push(
        unread === undefined
          ? await readRule(parts, path)
          : { file: { path, text: "", unread, ...(foreign ? { foreign } : {}) }, sure: true },
      );
    book = parts.rules.read(read.flatMap(({ file }) => file ?? []));
    known = read.every(({ sure }) => sure) ? state : null;
    return book;
  };
}

/** `file` is null where it has gone meanwhile. Not `sure`: the next reading may give something else under the same stamp. */
type ReadRule = { file: RuleFile | null; sure: boolean };

// One file that cannot be read must not hold up every write in the vault, and must not lift its rules either.
async function readRule({ store, now }: Pick<Parts, "store" | "now">, path: RulePath): Promise<ReadRule> {
  const unread = (why: string, sure: boolean) => ({ file: { path, text: "", unread: why }, sure });
  const tooLarge = `is larger than ${RULE_LIMIT / 1024} KiB`;
  try {
    const file = await store.read(path);
    if (!file) return { file, sure: false };
    const sure = now().getTime() - file.changed.getTime() >= RACY_MS;
    if (file.bytes.length > RULE_LIMIT) return unread(tooLarge, sure);
    const text = decodeText(file.bytes);
    return text === null ? unread("is not UTF-8 text", sure) : { file: { path, text }, sure };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return unread(error.code === "too_large" ? tooLarge : "could not be read", false);
  }
}

/** What the changes that were asked for would break. Links rewritten in passing are not held against a note. */
export function breaches(book: RuleBook, changes: readonly Change[]): Breach[] {
  return changes.flatMap(({ path, after, why }) => {
    if (why !== "asked" || !after || isRuleFile(path) || !isNote(path)) return [];
    const verdict = book.check(path, after);
    return verdict && verdict.issues.length > 0 ? [{ path, verdict }] : [];
  });
}

export async function planRuleEdit(parts: Parts, edit: RuleEdit): Promise<Plan> {
  const changes: Change[] = [];
  for (const put of edit.puts) {
    const path = put.path as string as NotePath;
    const bytes = encodeText(put.text);
    if (bytes.length > RULE_LIMIT)
      throw new NoteError(
        "too_large",
        `The rule file ${path} would be larger than ${RULE_LIMIT / 1024} KiB. Shorten what it holds.`,
        { path, size: bytes.length, limit: RULE_LIMIT },
      );
    const after = makeNote(path, bytes, parts.versionOf(bytes), parts.now());
    changes.push({ path, before: await load(parts, path), after, why: "asked" });
  }
  return { changes, backlinkers: [] };
}

/** Which notes the constraint would not let be written as they are. Notes that deeper rules bind are not its own. */
export async function standingUnder(
  parts: Parts,
  book: RuleBook,
  { subfolder: folder, file }: Constraint,
  who: Who,
  limit = CHECKED_LIMIT,
): Promise<Standing> {
  const below = atOnce(parts.index.find({ folder, deep: true }, { limit, sort: "path" }));
  const standing: Standing = { failing: 0, first: [], checked: 0, below: below.total };
  for (const { path } of below.notes) {
    if (standing.checked % 100 === 0) {
      who.progress?.(standing.checked, below.notes.length, "checking the notes that are there");
      // Reading never leaves the turn it is in: others get theirs here, and whoever cancels is heard.
      await new Promise((resolve) => setTimeout(resolve));
      who.signal?.throwIfAborted();
    }
    standing.checked++;
    if (book.bindingOn(path)?.file !== file) continue;
    const note = await readable(parts, path);
    const verdict = note && book.check(path, note);
    if (!verdict || verdict.issues.length === 0) continue;
    standing.failing++;
    if (standing.first.length < BREACHES_NAMED) standing.first.push({ path, verdict });
  }
  return standing;
}

/** Null also for a note that is too large or may not be read: nothing is known of it. */
async function readable(parts: Parts, path: NotePath): Promise<Note | null> {
  try {
    return await load(parts, path);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
