/** A save where somebody else was faster: the person's text on top of what is there now, or both sides where they changed the same lines. */

import { lineChanges, linesOf } from "../../markdown/diff.ts";
import { NoteError } from "../../markdown/errors.ts";
import { merge3 } from "../../markdown/merge.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { textOf } from "../../notebook/note.ts";
import type { NotePath } from "../../notebook/paths.ts";
import type { Brought, Saved } from "../wire.ts";
import { diffRoom } from "./diffs.ts";
import { textAt } from "./history.ts";

/** How often a save is tried again where somebody else was faster. */
const TRIES = 3;
/** Characters of others that an answer brings; it may not fail for its size once the note is written. */
const BROUGHT = 128 * 1024;

export const merged = async (
  notebook: Notebook,
  path: NotePath,
  mine: string,
  version: string | null,
): Promise<Saved> => {
  const base = version === null ? "" : await textAt(notebook, path, version);
  for (let tries = 1; ; tries++) {
    const now = await notebook.read(path);
    const theirs = textOf(now);
    const both = base === null ? { conflicts: [] } : merge3(base, mine, theirs);
    if (!("text" in both)) return { kind: "conflict", version: now.version, diff: diffRoom()(theirs, mine) };
    try {
      const { changes, revision } = await notebook.write(path, both.text, { expect: now.version });
      const after = changes[0]?.after?.version ?? now.version;
      return { kind: "merged", version: after, revision, brought: broughtInto(mine, both.text) };
    } catch (error) {
      const late = error instanceof NoteError && error.code === "version_conflict" && tries < TRIES;
      if (!late) throw error;
    }
  }
};

/** What others wrote, at its places in the person's text; null where it is too much for an answer. */
const broughtInto = (mine: string, both: string): Brought[] | null => {
  const [old, next] = [linesOf(mine), linesOf(both)];
  const changes = lineChanges(old, next);
  let [at, line] = [0, 0];
  const placeOf = (wanted: number): number => {
    while (line < wanted) at += old[line++]!.length;
    return at;
  };
  const brought = changes.map(({ from, to, newFrom, newTo }) => ({
    from: placeOf(from),
    to: placeOf(to),
    text: next.slice(newFrom, newTo).join(""),
  }));
  return brought.reduce((sum, { text }) => sum + text.length + 64, 0) > BROUGHT ? null : brought;
};
