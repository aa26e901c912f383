/** What the notes surface calls a note: an eight-digit id; and the file name a new note gets from its title. */

import { NoteError } from "../../markdown/errors.ts";
import type { FoundNote } from "../../notebook/filter.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { endingOfOther, notePath, type NotePath } from "../../notebook/paths.ts";

/** The one note with this id. */
export async function noteWith(notebook: Notebook, id: string): Promise<FoundNote> {
  await notebook.ready();
  const { notes } = await notebook.find({ id }, { limit: 5, sort: "path" });
  if (notes.length > 1) {
    const candidates = notes.map((note) => note.path);
    const named = candidates.map((path) => `'${path}'`).join(" and ");
    throw new NoteError(
      "name_ambiguous",
      `ID '${id}' stands in several notes: ${named}. Give one of them another id`,
      {
        id,
        candidates,
      },
    );
  }
  if (!notes[0]) throw new NoteError("note_missing", `Note with ID '${id}' not found`, { id });
  return notes[0];
}

export async function freshId(notebook: Notebook): Promise<string> {
  for (;;) {
    const id = notebook.random();
    if ((await notebook.find({ id }, { limit: 1, sort: "path" })).total === 0) return id;
  }
}

// The limit is for the whole name, with ` (id)` and `.md`: room for a sync tool's own additions, below the 255 bytes of file systems.
const NAME_BYTES = 120;
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** The places for a note of this title, best first: the title made portable, and the same with the id, should that name be taken. */
export const placesFor = (title: string, id: string): NotePath[] =>
  ["", ` (${id})`].map((suffix) =>
    notePath(`${portable(title, NAME_BYTES - suffix.length - 3)}${suffix}.md`),
  );

// Besides what file systems refuse, the marks that no wikilink can hold: [ ] # ^ and |; and what only looks like a percent-encoding or a short name.
function portable(title: string, bytes: number): string {
  const plain = title
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, " ")
    .replace(/[/\\]|~(?=\d)/g, "-")
    .replace(/[<>:"|?*[\]#^]|%(?=[0-9a-f]{2})/gi, " ")
    .replace(/\s+/gu, " ");
  const characters = [...plain];
  const first = characters.findIndex(mayBegin);
  const begun = first === -1 ? "" : characters.slice(first).join("");
  const cut = cutToBytes(begun.replace(DEVICES, "$&_"), bytes).replace(/[. ]+$/, "") || "Untitled";
  return endingOfOther(cut) === null ? cut : cut.replace(/\.(?=[^.]*$)/, " ");
}

// A path is judged as a careless system would see it: widths folded, invisible characters dropped. So is the first character.
const mayBegin = (character: string): boolean =>
  /^[^.~-]/.test(
    character
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .trim(),
  );

function cutToBytes(text: string, bytes: number): string {
  let cut = "";
  let left = bytes;
  for (const character of text) {
    left -= new TextEncoder().encode(character).length;
    if (left < 0) break;
    cut += character;
  }
  return cut;
}
