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
  now(): Date;
  /** Every note has been recorded once. */
  recorded(): void;
  close(): Promise<void>;
};

/** Tables that nothing could make again: those of the store, of the history, and of the workspace itself. */
const KEPT = /^(?:r2|git|work|_cf|sqlite)_/;
/** Notes that are looked at beside a request; more are left to alarms. */
const LOOKED_AT = 64;
/** Texts that wait for the owner's word: those of a caller who proposes are held in memory, and an isolate has 128 MB. */
const PROPOSED_BYTES = 24 * 1024 * 1024;
const SOMEONE = "someone";

export const openEngine = ({ sql, bucket, workspace, now, wake, report, ...how }: EngineParts): Engine => {
  const settings = openSettings(sql);
  // Where a comparison had got to is about the index that there was.
  if (dropIndex(sql, KEPT, { anew: false })) forgetComparison(settings);
  createSchema(sql);
  const timeZone = settings.get("timeZone") ?? "UTC";
  const ledger = openLedger(sql);
  const changed = new Set<NotePath>();
  let looking: Promise<boolean> = Promise.resolve(true);
  const store = openR2(bucket, sql, {
    workspace,
    now,
    seen: (paths) => {
      for (const path of paths) changed.add(path);
      return (looking = looking.then(lookAgain));
    },
    later: wake,
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

  /** Notes that another program changed, or that a change which was cut short left behind, go into index and history. Several are often told of one after another. */
  const lookAgain = async (): Promise<boolean> => {
    const paths = [...changed];
    changed.clear();
    try {
      // A first index finds them by itself.
      if (paths.length === 0 || !index.complete()) return true;
      if (paths.length > LOOKED_AT) {
        settings.set("place", settings.get("place") ?? { after: "" });
        wake(0);
      } else await notebook.refreshPaths(paths);
      return true;
    } catch (error) {
      for (const path of paths) changed.add(path);
      report("Notes that another program changed could not be looked at; they are found again later.", error);
      return false;
    }
  };

  return {
    notebook,
    store,
    index,
    ledger,
    history,
    settings,
    now,
    recorded: () => recorded(),
    close: notebook.close,
  };
};

/** Drops everything that can be made again; the engine must be opened anew. */
export const forgetIndex = (sql: Sql): void => {
  dropIndex(sql, KEPT, { anew: true });
  forgetComparison(openSettings(sql));
};

/** The bucket is compared from the beginning, and soon. */
export const forgetComparison = (settings: WorkspaceSettings): void => {
  settings.set("place", null);
  settings.set("compared", null);
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
