/** A vault opened for its history, and what the words after such a command mean: revisions, notes, the vault. */

import { statSync } from "node:fs";
import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { namedNote, nameOf, notePath, withoutEnding, type NotePath } from "../notebook/paths.ts";
import { foldKey } from "../notebook/resolve.ts";
import { failureLine } from "../protocol/failure.ts";
import { openFolder, type Open } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import {
  checkedTimeZone,
  expandHome,
  placesOf,
  usageError,
  vaultOf,
  type Environment,
  type Settings,
} from "./settings.ts";

export type Words = { revisions: string[]; notes: string[]; vault: string | undefined };

const isFolder = (path: string): boolean =>
  statSync(expandHome(path), { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A folder at the end is the vault; hex digits are a revision; all else are notes. */
export function wordsIn(rest: readonly string[], folder: (path: string) => boolean = isFolder): Words {
  const last = rest.at(-1);
  const vault = last !== undefined && folder(last) ? last : undefined;
  const words: Words = { revisions: [], notes: [], vault };
  for (const word of vault === undefined ? rest : rest.slice(0, -1)) {
    if (/^(?:~|\.{0,2}[\\/])/.test(word))
      throw new NoteError(
        "path_refused",
        `There is no folder at ${word}. Give the folder that holds your notes.`,
      );
    (/^[0-9a-f]{4,40}$/i.test(word) ? words.revisions : words.notes).push(word);
  }
  return words;
}

export const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/** Opens the vault, does the work, closes it. To write, it is first brought up to date with what others wrote. */
export async function withHistory<T>(
  command: string,
  vault: string | undefined,
  { values }: Settings,
  environment: Environment,
  { write }: { write: boolean },
  work: (open: Open) => Promise<T>,
): Promise<T> {
  const root = vaultOf(vault, "", environment);
  if (root === null)
    throw usageError(
      `No vault is named. Give its folder: notewright ${command} … FOLDER, or set NOTEWRIGHT_VAULT.`,
    );
  const open = await openFolder(root, {
    readOnly: !write,
    ...placesOf(values),
    durability: "full",
    history: true,
    outsideAuthor: values["outside-author"],
    timeZone: checkedTimeZone(values["time-zone"]),
    environment,
    report: (what, error) => say(`notewright: ${failureLine(what, error)}`),
    tell: (sentence) => say(`notewright: ${escaped(sentence)}`),
  });
  try {
    if (write) await open.catchUp(progressOn(process.stderr, environment));
    return await work(open);
  } finally {
    await open.close();
  }
}

/** How far back the history is looked through for a note that is gone and known by its bare name. */
const LOOK_BACK = 5000;

/** The note that was named: by its path, by where it was moved, by its name, or by the name it had when it was deleted. */
export async function noteNamed(
  { notebook, history }: Open,
  written: string,
  environment: Environment,
): Promise<NotePath> {
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
