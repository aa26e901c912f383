/** Books of rules for tests: a small one, and what it becomes after an edit. */

import { NoteError } from "../../markdown/errors.ts";
import { parseNote } from "../../markdown/note.ts";
import { notePath, rulePath } from "../../notebook/paths.ts";
import { type NewBase, type RuleBook, type RuleEdit, type RuleFile } from "../../notebook/rules.ts";
import { ruleReader } from "../rule-edits.ts";

export const ROOT = ".llm_bridges/knowledge_base";
export const NOW = new Date("2025-12-10T14:30:00.123Z");
export const AI: NewBase = {
  name: "ai-research",
  description: "AI/ML research papers and concepts",
  subfolder: "research/ai",
  organizationRules: "## Guidelines\n1. One concept per note\n2. Use date-prefixed filenames...",
};

export const bookOf = (files: Record<string, string>): RuleBook =>
  ruleReader.read(
    Object.entries(files).map(([path, text]): RuleFile => ({ path: rulePath(`${ROOT}/${path}`), text })),
  );
export const after = (book: RuleBook, edit: RuleEdit): RuleBook => {
  const files = new Map(book.files.map((file) => [file.path, file]));
  for (const put of edit.puts) files.set(put.path, put);
  return ruleReader.read([...files.values()]);
};
export const withBase = (input: Partial<NewBase> = {}, book = bookOf({})): RuleBook =>
  after(book, ruleReader.addBase(book, { ...AI, ...input }, NOW));
export const withRules = (
  book: RuleBook,
  subfolder: string,
  rules: unknown,
  base = "ai-research",
): RuleBook => after(book, ruleReader.constrain(book, { base, subfolder, rules }));
export const textAt = (book: RuleBook, path: string): string | undefined =>
  book.files.find((file) => file.path === `${ROOT}/${path}`)?.text;
export const check = (book: RuleBook, path: string, text: string) =>
  book.check(notePath(path), { ...parseNote(text), text });
export const refusal = (work: () => unknown): NoteError => {
  try {
    work();
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
  throw new Error("not refused");
};

export const META =
  "---\ncreate_time: 2025-12-10T14:30:00Z\ndescription: d\nsubfolder: research/ai\n---\n\nRules.\n";
export const constraintText = (subfolder: string, yaml: string): string =>
  `---\nsubfolder: ${subfolder}\n---\n\n## Rules\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
export const NAMED_X = "filename:\n  pattern: ^x";

export const closed = (book: RuleBook, path: string): boolean => {
  const verdict = check(book, path, "x");
  return verdict?.issues[0]?.error === "constraint_malformed";
};
