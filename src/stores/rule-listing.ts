/** The rule files of a vault; and what stands among them and cannot be read, which is listed by its name, because it may keep rules from binding. */

import { codeOf } from "../notebook/system-errors.ts";
import type { Disk, Names } from "../disk/files.ts";
import { joined } from "../notebook/vault-path.ts";
import type { NoteStore } from "../notebook/parts.ts";
import type { RulePath } from "../notebook/paths.ts";

const HOME = ".llm_bridges";
const RULES = `${HOME}/knowledge_base`;
/** The folder of a base's rules, in the base. */
const CONSTRAINTS = "folder_constraints";
/** Folders within folders; rules lie in the second. */
const DEEPEST = 10;

type Rules = Awaited<ReturnType<NoteStore["rules"]>>;
type Unread = Pick<Rules[number], "unread" | "foreign">;

const LINK: Unread = { unread: "is a symbolic link, which is not followed", foreign: true };
const NO_FOLDER: Unread = { unread: "is no folder", foreign: true };
const NO_FILE: Unread = { unread: "is no file", foreign: true };
const TOO_DEEP: Unread = { unread: "lies too deep to be read" };
const FORBIDDEN: Unread = { unread: "may not be read" };
const WHY: Record<string, Unread> = {
  ELOOP: LINK,
  ENOTDIR: NO_FOLDER,
  EPATH: TOO_DEEP,
  ENAMETOOLONG: TOO_DEEP,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
};

export function listRules(disk: Disk): Rules {
  const rules: Rules = [];
  const listUnread = (path: string, why: Unread): void =>
    void rules.push({ path: path as RulePath, stamp: why.unread!, ...why });
  /** Null where there is nothing, or where it cannot be had: then it is listed with the reason. */
  const trying = <T>(path: string, work: () => T | null): T | null => {
    try {
      return work();
    } catch (error) {
      const why = WHY[codeOf(error) ?? ""];
      if (!why) throw error;
      listUnread(path, why);
      return null;
    }
  };

  for (const folder of [HOME, RULES]) {
    const entry = trying(folder, () => disk.look(folder));
    if (entry?.kind === "folder") continue;
    if (entry) listUnread(folder, entry.kind === "link" ? LINK : NO_FOLDER);
    return rules;
  }
  const folders = [{ folder: RULES, depth: 0 }];
  // The list grows while it is walked.
  for (const { folder, depth } of folders) {
    const names = trying(folder, () => disk.names(folder));
    if (names === null) continue;
    const seen = (kind: keyof Names): string[] => names[kind].filter((name) => !name.startsWith("."));
    const files = seen("file").filter((name) => name.endsWith(".md"));
    for (const { kind, name, stamp } of trying(folder, () => disk.lookAll(folder, files)) ?? [])
      if (kind === "file") rules.push({ path: joined(folder, name) as RulePath, stamp });
    for (const name of seen("link")) listUnread(joined(folder, name), LINK);
    for (const name of seen("other")) listUnread(joined(folder, name), NO_FILE);
    if (depth === 1 && names.file.includes(CONSTRAINTS)) listUnread(joined(folder, CONSTRAINTS), NO_FOLDER);
    for (const name of seen("folder")) {
      if (name.endsWith(".md")) listUnread(joined(folder, name), NO_FILE);
      else if (depth < DEEPEST) folders.push({ folder: joined(folder, name), depth: depth + 1 });
      else listUnread(joined(folder, name), TOO_DEEP);
    }
  }
  return rules.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
