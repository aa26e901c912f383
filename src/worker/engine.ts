/** The engine of one workspace: store, index, ledger, history, rules and notebook over one bucket and one database, opened together (decision 31). */

import { blobId } from "../disk/hash.ts";
import { openProposalRows } from "../history/proposal-rows.ts";
import { openRowsHistory, type RowsHistory } from "../history/rows.ts";
import { openLedger } from "../index/ledger.ts";
import { openIndex } from "../index/note-index.ts";
import { createSchema, dropIndex } from "../index/schema.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import { openNotebook, type OpenNotebook } from "../notebook/notebook.ts";
import type { Ledger, NoteIndex } from "../notebook/parts.ts";
import { isNote, type NotePath } from "../notebook/paths.ts";
import { DEADLINES, type Deadlines } from "../notebook/waiting.ts";
import type { Sql } from "../sqlite/sql.ts";
import type { Bucket } from "../stores/bucket.ts";
import { openR2, type R2Store } from "../stores/r2.ts";
import { openSettings, type WorkspaceSettings } from "./settings.ts";

export type EngineParts = {
  sql: Sql;
  bucket: Bucket;
  workspace: string;
  now(): Date;
  /** Something is to be done soon, in so many milliseconds at the latest: `Work.slice` is to be called then. */
  wake(milliseconds: number): void;
  report(what: string, error: unknown): void;
  /** How long calls wait, and what chance gives; for tests. */
  deadlines?: Deadlines;
  random?: () => string;
};
export type Engine = {
  notebook: OpenNotebook;
  store: R2Store;
  index: NoteIndex;
  ledger: Ledger;
  history: RowsHistory;
  settings: WorkspaceSettings;
  /** Every note has been recorded once. */
  recorded(): void;
  close(): Promise<void>;
};

/** Tables that nothing could make again: those of the store, of the history, and of the workspace itself. */
const KEPT = /^(?:r2|git|work|_cf|sqlite)_/;
/** A put that came too soon may go in after so long. */
const FLUSH_MS = 1100;
/** Texts that wait for the owner's word: those of a caller who proposes are held in memory, and an isolate has 128 MB. */
const PROPOSED_BYTES = 24 * 1024 * 1024;
const SOMEONE = "someone";

export const openEngine = ({ sql, bucket, workspace, now, wake, report, ...how }: EngineParts): Engine => {
  dropIndex(sql, KEPT, { anew: false });
  createSchema(sql);
  const settings = openSettings(sql);
  const timeZone = settings.get("timeZone") ?? "UTC";
  const ledger = openLedger(sql);
  const changed = new Set<NotePath>();
  const store = openR2(bucket, sql, {
    workspace,
    now,
    seen: (paths) => {
      for (const path of paths) changed.add(path);
      void lookAgain();
    },
    later: () => wake(FLUSH_MS),
  });
  const history = openRowsHistory(sql, { ledger, outsideAuthor: SOMEONE });
  const index = openIndex(sql, { clock: { now, timeZone } });
  let recorded = (): void => undefined;
  const recording = ledger.whole() ? null : new Promise<void>((resolve) => (recorded = resolve));
  const notebook = openNotebook({
    store: holdingTexts(store, history, ledger),
    index,
    history,
    rules: ruleReader,
    now,
    timeZone,
    random: how.random ?? (() => hex(crypto.getRandomValues(new Uint8Array(4)))),
    versionOf: blobId,
    semantic: null,
    proposals: openProposalRows(sql, { limit: PROPOSED_BYTES }),
    // There is no watcher: what another program did is recorded when it is found.
    pendingEdits: null,
    readOnly: false,
    background: {
      compared: () => null,
      recorded: () => (ledger.whole() ? null : recording),
      flush: () => null,
    },
    deadlines: how.deadlines ?? DEADLINES,
    report,
  });

  /** Notes that another program changed, or that a change which was cut short left behind, go into index and history. */
  const lookAgain = async (): Promise<void> => {
    // Several are often told of one after another.
    await Promise.resolve();
    const paths = [...changed];
    changed.clear();
    try {
      if (paths.length > 0 && index.complete()) await notebook.refreshPaths(paths);
    } catch (error) {
      report("Notes that another program changed could not be looked at; they are found again later.", error);
    }
  };

  return {
    notebook,
    store,
    index,
    ledger,
    history,
    settings,
    recorded: () => recorded(),
    close: notebook.close,
  };
};

/** Drops everything that can be made again; the engine must be opened anew. */
export const forgetIndex = (sql: Sql): void => {
  dropIndex(sql, KEPT, { anew: true });
  openSettings(sql).set("place", null);
};

/** The store as a first index reads it: until every note has been recorded once, each text that is read is kept for the history, so that none is read twice. */
const holdingTexts = (store: R2Store, history: RowsHistory, ledger: Ledger): R2Store => ({
  ...store,
  async read(path) {
    const file = await store.read(path);
    if (file && isNote(path) && !ledger.whole()) await history.hold(file.bytes);
    return file;
  },
});

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
