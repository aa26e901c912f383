/** Putting: what was read from the store gets into the index a little at a time. Many new notes are prepared together, in another thread where there is one (decision 14); a long note goes in alone; others go in a few at a time. */

import type { Clock } from "../notebook/modified.ts";
import type { IndexRow, NoteIndex } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { BACKGROUND_TURN, breather, inTurns, turnOfOthers } from "../notebook/turns.ts";
import type { Search } from "../search/search.ts";
import { isLong, putLong } from "./long-notes.ts";
import { areManyNew, newNoteOf, prepareNotes, putPrepared, type Prepare } from "./new-notes.ts";
import { lastNumber } from "./note-rows.ts";

/** Notes that go in in one transaction: a call that comes meanwhile waits for a few milliseconds. */
const TURN = 16;

type PutParts = {
  search: Search;
  clock: Clock;
  prepare: Prepare;
  /** Puts a few rows in, in one transaction. */
  apply: NoteIndex["apply"];
};

export function openPut({ search, clock, prepare, apply }: PutParts): NoteIndex["put"] {
  const { sql } = search;
  /** New notes that are being prepared, and when the last of them are in. */
  let preparing = 0;
  let before: Promise<unknown> = Promise.resolve();

  async function putInTurns(rows: readonly IndexRow[]): Promise<NotePath[]> {
    const stale: NotePath[] = [];
    const breathe = breather(BACKGROUND_TURN);
    for (let from = 0; from < rows.length; from += TURN) {
      const [short, long]: IndexRow[][] = [[], []];
      for (const row of rows.slice(from, from + TURN)) {
        // The notes are parsed here: other processes wait while the index is being written.
        (isLong(sql, row) ? long! : short!).push(row);
        await breathe();
      }
      if (short!.length > 0) stale.push(...apply(short!));
      for (const row of long!) stale.push(...(await inTurns(putLong(search, row, clock))));
      await breathe();
    }
    return stale;
  }

  /** All of them go in at once, or, where another came between, as other notes do. */
  function putNew(rows: readonly IndexRow[]): Promise<NotePath[]> {
    const first = lastNumber(sql) + preparing + 1;
    const limit = sql.valueLimit;
    const slice = { notes: rows.map(newNoteOf), first, ...(limit === undefined ? {} : { limit }) };
    preparing += rows.length;
    const prepared = prepare(slice, async () => {
      await turnOfOthers();
      return prepareNotes(search.analyzer, slice);
    });
    // It is awaited in its turn; until then nobody listens.
    prepared.catch(() => undefined);
    const put = async (): Promise<NotePath[]> => {
      try {
        const notes = await prepared;
        await turnOfOthers();
        if (sql.transaction(() => putPrepared(sql, notes, clock))) return [];
      } finally {
        preparing -= rows.length;
      }
      return putInTurns(rows);
    };
    const done = before.then(put);
    before = done.catch(() => undefined);
    return done;
  }

  return (rows) => (areManyNew(rows) ? putNew(rows) : putInTurns(rows));
}
