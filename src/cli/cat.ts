/** The command `cat`: notes, or sections of them, as they are. */

import { NoteError } from "../markdown/errors.ts";
import { sectionBy } from "../notebook/handle.ts";
import { textOf } from "../notebook/note.ts";
import { presentNote } from "./named-note.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { notesIn } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { printable } from "./terminal.ts";

const textNamed = async (open: Opened, written: string, environment: Environment): Promise<string> => {
  const { handle, note } = await presentNote(open, written, environment);
  const text = textOf(note);
  if (handle.heading === null) return text;
  const { start, end } = sectionBy(text, handle, "read");
  return text.slice(start, end);
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { notes, vault } = notesIn(settings.rest);
  if (notes.length === 0) throw usageError("cat needs a note: notewright cat NOTE[#Section] [VAULT]");
  const opening = { call: "cat NOTE ~/Notes", folder: vault, to: "look" } as const;
  await withVault(opening, settings, environment, async (open) => {
    let shown = "";
    for (const written of notes) {
      try {
        const text = await textNamed(open, written, environment);
        shown += text === "" || text.endsWith("\n") ? text : `${text}\n`;
      } catch (error) {
        // The others are printed all the same.
        if (!(error instanceof NoteError)) throw error;
        say(error.message);
        process.exitCode = 1;
      }
    }
    await page(process.stdout.isTTY ? printable(shown) : shown, environment);
  });
};
