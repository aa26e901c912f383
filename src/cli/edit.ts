/** The command `edit`: a note in the person's editor. The editor gets a copy, so that what others write meanwhile is neither overwritten nor lost. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { merge3 } from "../markdown/merge.ts";
import { decodeText, textOf } from "../notebook/note.ts";
import { nameOf, type NotePath } from "../notebook/paths.ts";
import { SOMEONE } from "../vault/open.ts";
import { presentNote } from "./named-note.ts";
import { chosenVault, inVault, say, type Opened } from "./opened-vault.ts";
import { notesIn } from "./recorded.ts";
import { pasted } from "./shell-word.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { NOT_STARTED, runProgram } from "./user-program.ts";

const editorOf = ({ VISUAL, EDITOR }: Environment): string =>
  VISUAL || EDITOR || (process.platform === "win32" ? "notepad" : "vi");

/** What the person made of it, put together with what is there now. */
const mergedInto = (path: NotePath, base: string, mine: string, present: string): string => {
  if (present === base) return mine;
  const both = merge3(base, present, mine);
  if ("text" in both) return both.text;
  throw new NoteError(
    "version_conflict",
    `Others have changed the same lines of "${path}" meanwhile, so nothing was written.`,
  );
};

type Edited = { path: NotePath; base: string; mine: string };

async function put(open: Opened, { path, base, mine }: Edited, { values }: Settings): Promise<void> {
  const client = values["outside-author"] ?? SOMEONE;
  const notebook = open.notebook.as({ client, surface: "cli", tool: "edit", connection: "" });
  const now = (await open.history.movedTo(path)) ?? path;
  const edit = (present: string): string => mergedInto(now, base, mine, present);
  const { revision, changes } = await notebook.edit([{ path: now, edits: [edit] }]);
  const merged = changes.some(({ before }) => before && before.text !== base);
  const back = revision ? ` To take that back: ${pasted(["undo", revision.slice(0, 10)], open.vault)}` : "";
  say(`Saved "${escaped(now)}"${merged ? ", with what others wrote there meanwhile" : ""}.${back}`);
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { notes, vault: folder } = notesIn(settings.rest);
  const [written, ...more] = notes;
  if (written === undefined || more.length > 0)
    throw usageError("edit takes a note and a vault: notewright edit NOTE [VAULT]");
  const vault = chosenVault({ call: "edit NOTE ~/Notes", folder }, environment);
  const note = await inVault(vault, "look", settings, environment, async (open) => {
    const { handle, note: found } = await presentNote(open, written, environment);
    if (handle.heading !== null) throw usageError(`edit takes a whole note: "${handle.path}".`);
    return { path: found.path, base: textOf(found) };
  });
  const place = mkdtempSync(join(tmpdir(), "notewright-edit-"));
  const file = join(place, `${nameOf(note.path)}.md`);
  writeFileSync(file, note.base, { mode: 0o600 });
  const code = await runProgram(editorOf(environment), { environment, args: [file] });
  const mine = decodeText(readFileSync(file));
  const failed =
    code !== 0
      ? `The editor (${editorOf(environment)}) ended with code ${code}, so nothing was written.${NOT_STARTED.has(code) ? " Set EDITOR to yours." : ""}`
      : mine === null
        ? "What the editor saved is not UTF-8 text, so nothing was written."
        : mine === note.base
          ? null
          : await saved({ ...note, mine });
  if (failed !== null) process.exitCode = 1;
  if (failed !== null && mine !== note.base) return say(`${failed} Your text is kept: ${file}`);
  rmSync(place, { recursive: true });
  if (failed !== null) say(failed);
  else if (mine === note.base) say("Nothing was changed.");

  /** Gives what stood in the way. */
  async function saved(edited: Edited): Promise<string | null> {
    try {
      await inVault(vault, "change", settings, environment, (open) => put(open, edited, settings));
      return null;
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      return error.message;
    }
  }
};
