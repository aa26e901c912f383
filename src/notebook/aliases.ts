/** Aliases: each is one note's, because a link by an alias that two notes claim could mean either. */

import { NoteError } from "../markdown/errors.ts";
import type { Change } from "./change.ts";
import type { Notebook } from "./notebook.ts";

type Index = Pick<Notebook, "find" | "soFar" | "ready">;
export type Guard = (changes: readonly Change[]) => Promise<void>;

/** Which aliases of a changed note must be no other note's: those that the change brings in, or all that the note then has. */
export type Claims = "new" | "all";

/** In the details of the refusal that the guard gives while it cannot tell. */
const NOT_INDEXED = "not indexed";

/**
 * Makes a change with a guard that refuses aliases of other notes. Only a whole index knows all aliases. While the notes are
 * being indexed the guard gives up, because nobody waits for the index inside the lock; the change is then made anew after the wait.
 */
export async function withFreeAliases<T>(
  notebook: Index,
  claims: Claims,
  change: (guard: Guard) => Promise<T>,
): Promise<T> {
  const guard: Guard = (changes) => checkAliases(notebook, claims, changes);
  try {
    return await change(guard);
  } catch (error) {
    if (!(error instanceof NoteError) || error.details["aliases"] !== NOT_INDEXED) throw error;
    await notebook.ready();
    return change(guard);
  }
}

async function checkAliases(notebook: Index, claims: Claims, changes: readonly Change[]): Promise<void> {
  for (const { path, before, after } of changes)
    for (const alias of after?.aliases ?? []) {
      if (claims === "new" && before?.aliases.includes(alias)) continue;
      if (notebook.soFar() !== null)
        throw new NoteError("indexing", "The notes are being indexed.", { aliases: NOT_INDEXED });
      const { notes } = await notebook.find({ alias }, { limit: 2, sort: "path" });
      const other = notes.find((it) => it.path !== path);
      if (!other) continue;
      throw new NoteError(
        "alias_taken",
        `The alias "${alias}" belongs to "${other.path}". Choose another, or take it from that note first.`,
        { alias, path: other.path },
      );
    }
}
