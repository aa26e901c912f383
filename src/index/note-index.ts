/** NoteIndex over SQLite: what notes are put into, and what is asked of all of them or of some (decision 13). */

import type { Clock } from "../notebook/modified.ts";
import type { NoteIndex } from "../notebook/parts.ts";
import { putAttachments } from "./attachments.ts";
import { redate } from "./created.ts";
import { insertRevisions } from "./ledger.ts";
import { updateZone } from "./modified.ts";
import { narrowed } from "./narrowed.ts";
import type { Prepare } from "./new-notes.ts";
import { applyRows } from "./note-rows.ts";
import { openPut } from "./put.ts";
import { questionsOf } from "./questions.ts";
import { createSchema } from "./schema.ts";
import { narrowedSearch, openSearch, type Search } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { flushWords } from "../search/text-rows.ts";
import { openTitles } from "./titles.ts";

/** Pending words are put in when no note has changed for this long, unless somebody searches before. */
const IDLE_MS = 100;

export type IndexOptions = {
  /** The search, where others use it too. */
  search?: Search;
  /** How new notes are prepared, where it is not done here. */
  prepare?: Prepare;
  /** What time it is, and where: fields of notes tell days, and times that are still to come. */
  clock?: Clock;
};

const HERE: Clock = { now: () => new Date(), timeZone: "UTC" };

export function openIndex(sql: Sql, options: IndexOptions = {}): NoteIndex {
  createSchema(sql);
  const { search = openSearch(sql), prepare = (_, here) => here(), clock = HERE } = options;
  updateZone(sql, clock);
  const sources = { search, titled: openTitles(sql), flush: () => flushWords(search) };

  const idle = flushWhenIdle(search);
  const apply: NoteIndex["apply"] = (rows, made, attachments = []) => {
    const stale = sql.transaction(() => {
      made?.alongside?.();
      const joins = made ? insertRevisions(sql, made) : false;
      const left = applyRows(search, rows, clock);
      putAttachments(sql, attachments);
      if (made && joins) redate(sql, made.revisions);
      return left;
    });
    idle.wait();
    return stale;
  };

  return {
    ...questionsOf(sources, clock),
    apply,
    put: openPut({ search, clock, prepare, apply }),
    completed: () => sql.run("INSERT OR IGNORE INTO meta VALUES ('complete', '1')"),
    within(folders) {
      const some = narrowedSearch(search, narrowed(sql, folders));
      return { ...this, ...questionsOf({ ...sources, search: some }, clock), numbers: some.seen! };
    },
    close() {
      idle.cancel();
      sql.close();
    },
  };
}

/** Puts pending words in once no note has changed for a while. */
function flushWhenIdle(search: Search): { wait(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    try {
      flushWords(search);
    } catch {
      // The next search meets the same error, and reports it.
    }
  };
  return {
    wait() {
      clearTimeout(timer);
      timer = setTimeout(flush, IDLE_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}
