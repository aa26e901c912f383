/** The command `cat`: notes, or sections of them, as they are. */

import { NoteError } from "../markdown/errors.ts";
import { sectionBy, type Handle } from "../notebook/handle.ts";
import { encodeText, textOf, type Note } from "../notebook/note.ts";
import { presentNote } from "./named-note.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { notesIn } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { lineEnded, printable } from "./terminal.ts";

type Named = { note: Note; handle: Handle };

const textNamed = ({ note, handle }: Named): string => {
  const text = textOf(note);
  if (handle.heading === null) return text;
  const { start, end } = sectionBy(text, handle, "read");
  return text.slice(start, end);
};

/** What other programs get: each byte of it and no other, also of a note that is no text. */
const bytesNamed = (named: Named): Uint8Array =>
  named.handle.heading === null ? named.note.bytes : encodeText(textNamed(named));

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { notes, vault } = notesIn(settings.rest);
  if (notes.length === 0) throw usageError("cat needs a note: notewright cat NOTE[#Section] [VAULT]");
  const opening = { call: "cat NOTE ~/Notes", folder: vault, to: "look" } as const;
  const onScreen = process.stdout.isTTY;
  await withVault(opening, settings, environment, async (open) => {
    const pieces: Uint8Array[] = [];
    for (const written of notes) {
      try {
        const named = await presentNote(open, written, environment);
        pieces.push(onScreen ? encodeText(lineEnded(textNamed(named))) : bytesNamed(named));
      } catch (error) {
        // The others are printed all the same.
        if (!(error instanceof NoteError)) throw error;
        say(error.message);
        process.exitCode = 1;
      }
    }
    const bytes = Buffer.concat(pieces);
    if (onScreen) await page(printable(bytes.toString()), environment);
    else process.stdout.write(bytes);
  });
};
