/** What the words after a command mean: revisions, notes, the vault; and which note a name means, also one that is gone. */

import { existsSync } from "node:fs";
import { NoteError } from "../markdown/errors.ts";
import { escaped, label } from "../markdown/label.ts";
import { namedNote, nameOf, notePath, withoutEnding, type NotePath } from "../notebook/paths.ts";
import { foldKey } from "../notebook/resolve.ts";
import type { Open } from "../vault/open.ts";
import { insideVault } from "./named-note.ts";
import { say, type Opened } from "./opened-vault.ts";
import { progressOn } from "./progress.ts";
import { expandHome, type Environment } from "./settings.ts";
import { IS_PATH, isVaultWord } from "./which-vault.ts";

export type Words = { revisions: string[]; notes: string[]; vault: string | undefined };

/** A folder at the end is the vault. */
export function vaultLast(
  rest: readonly string[],
  folder: (word: string) => boolean = isVaultWord,
): { words: readonly string[]; vault: string | undefined } {
  const last = rest.at(-1);
  return last !== undefined && folder(last)
    ? { words: rest.slice(0, -1), vault: last }
    : { words: rest, vault: undefined };
}

/** Notes, with the vault at the end. What is written as a place on the disk must be there. */
export function notesIn(
  rest: readonly string[],
  folder: (word: string) => boolean = isVaultWord,
): { notes: readonly string[]; vault: string | undefined } {
  const { words, vault } = vaultLast(rest, folder);
  for (const word of words)
    if (IS_PATH.test(word) && !existsSync(expandHome(word.replace(/(\.md)#.*$/s, "$1"))))
      throw new NoteError(
        "path_refused",
        `There is no folder at ${word}. Give the folder that holds your notes.`,
      );
  return { notes: words, vault };
}

/** A folder at the end is the vault; hex digits are a revision; all else are notes. */
export function wordsIn(rest: readonly string[], folder: (word: string) => boolean = isVaultWord): Words {
  const { notes: others, vault } = notesIn(rest, folder);
  const words: Words = { revisions: [], notes: [], vault };
  for (const word of others) (/^[0-9a-f]{4,40}$/i.test(word) ? words.revisions : words.notes).push(word);
  return words;
}

/** How far back the history is looked through for a note that is gone and known by its bare name. */
const LOOK_BACK = 5000;

/** The note that was named: by its path, by where it was moved, by its name, or by the name it had when it was deleted. */
export async function noteNamed(
  { notebook, history, vault }: Opened,
  given: string,
  environment: Environment,
): Promise<NotePath> {
  const written = insideVault(given, vault.root);
  const path = written.endsWith(".md") ? notePath(written) : namedNote(written);
  const movedTo = await history.movedTo(path);
  if (movedTo) {
    say(`The note "${escaped(path)}" was moved to "${escaped(movedTo)}".`);
    return movedTo;
  }
  if ((await history.log({ path, limit: 1 })).length > 0) return path;
  await notebook.refresh(progressOn(process.stderr, environment));
  try {
    return await notebook.locate(withoutEnding(path));
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    const gone = await deletedCalled(history, path);
    if (gone.length === 1) return gone[0]!;
    if (gone.length === 0) throw error;
    throw new NoteError(
      "name_ambiguous",
      `Several deleted notes were called "${written}": ${gone.join(", ")}. Say which, with its folder.`,
      { name: written, candidates: gone },
    );
  }
}

async function deletedCalled(history: Open["history"], path: NotePath): Promise<NotePath[]> {
  const revisions = await history.log({ limit: LOOK_BACK });
  const deleted = revisions.flatMap(({ changes }) => changes.filter(({ version }) => version === null));
  const called = deleted.filter((change) => foldKey(nameOf(change.path)) === foldKey(nameOf(path)));
  return [...new Set(called.map((change) => change.path))];
}

/** So many of the newest revisions are looked through for the names of authors. */
const AUTHORS_AMONG = 1000;

/** Names the authors there are, where the one who was asked for is none of them. */
export async function sayAuthors(history: Open["history"], author: string): Promise<void> {
  const known = new Set((await history.log({ limit: AUTHORS_AMONG })).map((revision) => revision.author));
  if (known.has(author) || known.size === 0) return;
  const names = [...known].map((one) => label(one)).join(", ");
  say(`The history knows no "${label(author)}". It knows: ${names}.`);
}
