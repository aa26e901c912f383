/** A notebook on a folder, put together as the command does, without its watcher: one process of several, opened and closed at will. */

import { openDisk } from "../../src/disk/files.ts";
import { realCalls, type Calls } from "../../src/disk/calls.ts";
import { blobId } from "../../src/disk/hash.ts";
import { openGit, type GitHistory } from "../../src/history/git.ts";
import { openProposalFolder } from "../../src/history/proposal-folder.ts";
import { ruleReader } from "../../src/knowledge/rule-edits.ts";
import { openNotebook, type OpenNotebook } from "../../src/notebook/notebook.ts";
import type { NoteIndex, NoteStore } from "../../src/notebook/parts.ts";
import { openLedger } from "../../src/index/ledger.ts";
import { openIndexFile } from "../../src/sqlite/index-file.ts";
import { indexSchema } from "../../src/index/schema.ts";
import { lockOpener, openSql } from "../../src/sqlite/node.ts";
import { openIndex } from "../../src/index/note-index.ts";
import type { Sql } from "../../src/sqlite/sql.ts";
import { openFolder } from "../../src/stores/folder.ts";
import { refusing } from "../../src/stores/refusals.ts";
import { PLAIN } from "../vault.ts";

export type TestFolder = {
  notebook: OpenNotebook;
  store: NoteStore;
  index: NoteIndex;
  history: GitHistory;
  sql: Sql;
  /** What went wrong behind answers that were right. */
  reported: string[];
  /** What a server does once it has started: compares the vault, records what it finds. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** The end of a process whose calls fail by now, or that is of no more interest: it lets go of its files, whatever comes of it. */
  die(): Promise<void>;
};

export type TestFolderOptions = {
  calls?: Calls;
  durability?: "full" | "fast";
  /** A file; in memory where none is named. */
  index?: string;
  /** The database of the index, where it is not a file. */
  sql?: Sql;
  /** Called before the index is touched: throws where the process is dead. */
  alive?: () => void;
  /** Does not start by itself. */
  idle?: boolean;
  /** Told how long each change waited for the lock, in milliseconds. */
  waiting?: (milliseconds: number) => void;
  now?: () => Date;
  random?: () => string;
};

let made = 0;

export async function openTestFolder(root: string, options: TestFolderOptions = {}): Promise<TestFolder> {
  const { calls = realCalls, durability = "full", now = () => new Date() } = options;
  const openLock = await lockOpener();
  const store = await openFolder(root, { openLock, durability, calls });
  const { alone } = store;
  store.alone = (work) => {
    const asked = performance.now();
    return alone(() => {
      options.waiting?.(performance.now() - asked);
      return work();
    });
  };
  const opened =
    options.index === undefined
      ? (options.sql ?? (await openSql(":memory:")))
      : await openIndexFile(options.index, indexSchema);
  const sql = options.alive ? mortal(opened, options.alive) : opened;
  const index = openIndex(sql, { clock: { now, timeZone: "UTC" } });
  const history = openGit(openDisk(root, calls), {
    ledger: openLedger(sql),
    durability,
    outsideAuthor: "another program",
    now,
    alone: store.alone,
  });
  const reported: string[] = [];
  const notebook = openNotebook({
    ...PLAIN,
    store,
    index,
    history,
    proposals: openProposalFolder(openDisk(root, calls), {
      durable: durability === "full",
      refused: (work) => refusing(undefined, work),
    }),
    now,
    random: options.random ?? (() => (++made).toString(16).padStart(8, "0")),
    timeZone: "UTC",
    versionOf: blobId,
    rules: ruleReader,
    report: (what, error) => reported.push(`${what}: ${String(error)}`),
  });
  const start = async () => {
    await notebook.refresh();
    await history.catchUp(store, now());
  };
  if (!options.idle) await start();
  return {
    notebook,
    store,
    index,
    history,
    sql,
    reported,
    start,
    close: () => notebook.close(),
    async die() {
      await notebook.close().catch(() => {});
    },
  };
}

/** A process that died writes no index either. */
function mortal(sql: Sql, alive: () => void): Sql {
  return {
    exec: (text) => (alive(), sql.exec(text)),
    all: (text, ...values) => (alive(), sql.all(text, ...values)),
    get: (text, ...values) => (alive(), sql.get(text, ...values)),
    run: (text, ...values) => (alive(), sql.run(text, ...values)),
    transaction: (work) => (alive(), sql.transaction(work)),
    close: () => sql.close(),
  };
}
