/** A notebook on a folder, put together as the command does, without its watcher: one process of several, opened and closed at will. */

import { openDisk } from "../../src/disk/files.ts";
import { realCalls, type Calls } from "../../src/disk/calls.ts";
import { blobId } from "../../src/disk/hash.ts";
import { openGit, type GitHistory } from "../../src/history/git.ts";
import { ruleReader } from "../../src/knowledge/rule-edits.ts";
import { openNotebook, type OpenNotebook } from "../../src/notebook/notebook.ts";
import type { NoteIndex } from "../../src/notebook/parts.ts";
import { openLedger } from "../../src/sqlite/ledger.ts";
import { lockOpener, openIndexFile, openSql } from "../../src/sqlite/node.ts";
import { openIndex } from "../../src/sqlite/note-index.ts";
import type { Sql } from "../../src/sqlite/sql.ts";
import { openFolder, type FolderStore } from "../../src/stores/folder.ts";

export type TestFolder = {
  notebook: OpenNotebook;
  store: FolderStore;
  index: NoteIndex;
  history: GitHistory;
  sql: Sql;
  /** What went wrong behind answers that were right. */
  reported: string[];
  /** What a server does once it has started: compares the vault, records what it finds. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** Ends as a killed process does: nothing more is written, and the kernel takes its locks away. */
  die(): void;
};

export type TestFolderOptions = {
  calls?: Calls;
  durability?: "full" | "fast";
  /** A file; in memory where none is named. */
  index?: string;
  now?: () => Date;
  random?: () => string;
};

let made = 0;

export async function openTestFolder(root: string, options: TestFolderOptions = {}): Promise<TestFolder> {
  const { calls = realCalls, durability = "full", now = () => new Date() } = options;
  const openLock = await lockOpener();
  const locks: { close(): void }[] = [];
  const store = await openFolder(root, {
    openLock(file) {
      const lock = openLock(file);
      locks.push(lock);
      return lock;
    },
    durability,
    calls,
  });
  const sql = options.index === undefined ? await openSql(":memory:") : await openIndexFile(options.index);
  const index = openIndex(sql);
  const history = openGit(openDisk(root, calls), {
    ledger: openLedger(sql),
    durability,
    outsideAuthor: "another program",
    now,
  });
  const reported: string[] = [];
  const notebook = openNotebook({
    store,
    index,
    history,
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
  await start();
  return {
    notebook,
    store,
    index,
    history,
    sql,
    reported,
    start,
    close: () => notebook.close(),
    die() {
      for (const each of [...locks, sql])
        try {
          each.close();
        } catch {
          // Closed already.
        }
    },
  };
}
