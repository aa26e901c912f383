/** The rules in force: read from their files, held against what is about to be written, and changed the way notes are. */

import type { Change } from "./change.ts";
import { decodeText, encodeText, makeNote } from "./note.ts";
import type { Parts } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { load, type Plan } from "./plan.ts";
import type { RuleBook, RuleEdit, RuleFile, Verdict } from "./rules.ts";

export type Breach = { path: NotePath; verdict: Verdict };

export const isRuleFile = (path: string): boolean => path.startsWith(".llm_bridges/");

/** Reads the rule files, again only when one has changed. */
export function ruleKeeper(parts: Pick<Parts, "store" | "rules">): () => Promise<RuleBook> {
  let known: string | null = null;
  let book = parts.rules.read([]);
  return async () => {
    const files = await parts.store.rules();
    const state = files.map(({ path, stamp }) => `${path}\n${stamp}`).join("\n");
    if (state === known) return book;
    const texts: RuleFile[] = [];
    for (const { path } of files) {
      const file = await parts.store.read(path);
      if (file) texts.push({ path, text: decodeText(file.bytes) ?? "" });
    }
    book = parts.rules.read(texts);
    known = state;
    return book;
  };
}

/** What the changes that were asked for would break. Links rewritten in passing are not held against a note. */
export function breaches(book: RuleBook, changes: readonly Change[]): Breach[] {
  return changes.flatMap(({ path, after, why }) => {
    if (why !== "asked" || !after || isRuleFile(path)) return [];
    const verdict = book.check(path, after);
    return verdict && verdict.issues.length > 0 ? [{ path, verdict }] : [];
  });
}

export async function planRuleEdit(parts: Parts, edit: RuleEdit): Promise<Plan> {
  const changes: Change[] = [];
  for (const put of edit.puts) {
    const path = put.path as string as NotePath;
    const bytes = encodeText(put.text);
    const after = makeNote(path, bytes, parts.versionOf(bytes), parts.now());
    changes.push({ path, before: await load(parts, path), after, why: "asked" });
  }
  return { changes, backlinkers: [] };
}

/** The notes below a folder that the rules would not let be written today. */
export async function breachesBelow(parts: Parts, book: RuleBook, folder: string): Promise<Breach[]> {
  const found: Breach[] = [];
  const below = parts.index.find({ folder, deep: true }, { limit: Number.MAX_SAFE_INTEGER, sort: "path" });
  for (const { path } of below.notes) {
    const note = await load(parts, path);
    const verdict = note && book.check(path, note);
    if (verdict && verdict.issues.length > 0) found.push({ path, verdict });
  }
  return found;
}
