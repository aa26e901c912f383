/** The text of notes as it is searched: stored once, with its words in the full-text table and its terms in the postings. Put in, changed and taken out together. */

import type { Note } from "../notebook/note.ts";
import { withoutEnding } from "../notebook/paths.ts";
import { forgetWords } from "./lexicon.ts";
import { wordsOf, type NoteWords, type Searched } from "./note-words.ts";
import { bodyOf, labelsOf, type Outline, type StoredSection } from "./outline.ts";
import { changeWords } from "./postings.ts";
import { WORD_COLUMNS } from "./schema.ts";
import { withoutUnspaced } from "./scripts.ts";
import type { Sql } from "./sql.ts";

/** More than anyone writes by hand; a note made to choke the index stops here. */
const NAMES = 5_000;

/** One row of `texts`. */
type Stored = {
  id: number;
  title: string;
  aliases: string;
  path: string;
  tags: string;
  body: string;
  outline: string;
};

/**
 * Inside a transaction: what these notes were is replaced by what they are; null for those that go. `meanwhile` does whatever else there is
 * to do. The full-text table empties its memory to disk whenever a statement that could fail half-way is begun, which most are; so its own
 * work is done in two statements: all old words out, then, after everything else, all new words in.
 */
export function changeTexts(
  sql: Sql,
  notes: readonly { id: number; note: Note | null }[],
  meanwhile: () => void,
): void {
  forgetWords();
  const ids = JSON.stringify(notes.map(({ id }) => id));
  const before = new Map(
    sql
      .all<Stored>(`SELECT * ${THESE}`, ids)
      .map((row): [number, NoteWords] => [row.id, wordsOf(searchedOf(row))]),
  );
  // The full-text table keeps no text: it must be told what it was given, or its counts go wrong for good.
  sql.run(
    `INSERT INTO words (words, rowid, ${WORD_COLUMNS}) SELECT 'delete', id, ${WORD_COLUMNS} ${SEARCHED}`,
    ids,
  );
  sql.run(`DELETE ${THESE}`, ids);
  meanwhile();
  changeWords(
    sql,
    notes.map(({ id, note }) => ({
      id,
      before: before.get(id) ?? null,
      after: note && putText(sql, id, note),
    })),
  );
  sql.run(`INSERT INTO words (rowid, ${WORD_COLUMNS}) SELECT id, ${WORD_COLUMNS} ${SEARCHED}`, ids);
}

const GIVEN = "WHERE id IN (SELECT value FROM json_each(?))";
const THESE = `FROM texts ${GIVEN}`;
const SEARCHED = `FROM searched ${GIVEN}`;

function putText(sql: Sql, id: number, note: Note): NoteWords {
  const { body, sections } = bodyOf(note);
  const names = {
    title: note.title.normalize("NFC"),
    aliases: note.aliases.slice(0, NAMES).join("\n").normalize("NFC"),
    path: withoutEnding(note.path).normalize("NFC"),
    tags: [...note.tags.fields, ...note.tags.inline].slice(0, NAMES).join("\n").normalize("NFC"),
  };
  const labels = labelsOf(note);
  let kept = body;
  for (;;) {
    const inside = sections.filter(([start]) => start < kept.length);
    const words = wordsOf({ ...names, body: kept, sections: inside.map(placeOf), labels });
    const outline: Outline = { sections: inside, labels, chunks: words.starts };
    const spaced = words.unspaced ? withoutUnspaced(kept) : null;
    const texts = [...Object.values(names), kept, spaced, words.extra, JSON.stringify(outline)];
    // Where a row may not be large, the end of a very long note is not searched.
    if (sql.valueLimit === undefined || kept === "" || bytesOf(texts) <= sql.valueLimit) {
      sql.run("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", id, ...texts);
      return words;
    }
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  }
}

const placeOf = ([start, , heading]: StoredSection): Searched["sections"][number] => ({ start, heading });

function searchedOf(row: Stored): Searched {
  const { sections, labels } = JSON.parse(row.outline) as Outline;
  return { ...row, sections: sections.map(placeOf), labels };
}

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text ?? "").length, 1000);
