/** A vault, opened on Node: a folder of notes with its index, its history and its watcher, or notes that live in memory. */

import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { blobId } from "../disk/hash.ts";
import { openEndpoint, type EndpointSettings } from "../embeddings/endpoint.ts";
import { openSemanticSearch } from "../embeddings/semantic-search.ts";
import { openDisk } from "../disk/files.ts";
import { openGit } from "../history/git.ts";
import { noHistory } from "../history/none.ts";
import { openProposalFolder } from "../history/proposal-folder.ts";
import { TIMINGS, type Timings } from "../notebook/pending-edits.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import { localeNamed } from "../notebook/calendar/locales.ts";
import { openNotebook, type OpenNotebook } from "../notebook/notebook.ts";
import { NO_BACKGROUND, type History } from "../notebook/parts.ts";
import type { Progress } from "../notebook/refresh.ts";
import { DEADLINES } from "../notebook/waiting.ts";
import { openIndexFile } from "../sqlite/index-file.ts";
import { lockOpener, openSql } from "../sqlite/node.ts";
import { openLedger } from "../index/ledger.ts";
import { openIndex } from "../index/note-index.ts";
import { openPendingEdits } from "../index/pending-edits.ts";
import { indexSchema } from "../index/schema.ts";
import { openSearch } from "../search/search.ts";
import { openVectors } from "../index/vectors.ts";
import { openFolder as openFolderStore } from "../stores/folder.ts";
import { openMemory as openMemoryStore } from "../stores/memory.ts";
import { refusing } from "../stores/refusals.ts";
import { backgroundWork } from "./background.ts";
import { openIndexThread } from "./index-thread.ts";
import { openPdfReader } from "./pdf-thread.ts";
import { historyAt, indexFile, realFolder } from "./places.ts";
import { zoneHere } from "./time-zone.ts";

export type Open = {
  notebook: OpenNotebook;
  history: History;
  /** Brings the index, the history of what others wrote, and the vectors up to date and keeps them so, in the background. */
  start(progress: Progress, embedding?: Progress): void;
  /** Brings them up to date once, for a command that ends. */
  catchUp(progress: Progress): Promise<void>;
  close(): Promise<void>;
};
export type FolderSettings = {
  readOnly: boolean;
  /** A file, or a folder for the indexes of several vaults. */
  index: string | undefined;
  durability: "full" | "fast";
  history: boolean;
  /** A folder outside the vault for the histories of several; undefined to keep it in the vault. */
  historyDir?: string | undefined;
  /** The author of what other programs changed, in the history. */
  outsideAuthor?: string | undefined;
  timeZone: string | undefined;
  /** The language of dates, by its name in Moment; English where it is left out. */
  locale?: string | undefined;
  /** How long what other programs save may be pending; for tests. */
  timings?: Partial<Timings> | undefined;
  embeddings?: EndpointSettings | undefined;
  environment: Record<string, string | undefined>;
  /** Takes what failed in the background: whole sentences on what happened and what it means, and the error. */
  report(what: string, error: unknown): void;
  /** Takes a sentence that a person should know about their vault. */
  tell(sentence: string): void;
};

const given = (timeZone: string | undefined, locale = "en") => ({
  now: () => new Date(),
  random: () => randomBytes(4).toString("hex"),
  timeZone: timeZone ?? zoneHere(),
  locale: localeNamed(locale)!,
  versionOf: blobId,
  rules: ruleReader,
  deadlines: DEADLINES,
});

/** The author of what a person wrote, unless they gave their name. */
export const SOMEONE = "someone";
const UNKEPT =
  "The index cannot be kept in its place. It is kept in a temporary folder or in memory until this process ends, and made anew at the next start; --index names another place.";

/** Opens the folder at once; nothing is compared or watched before `start` or `catchUp`. */
export const openFolder = async (root: string, settings: FolderSettings): Promise<Open> => {
  const place = realFolder(root);
  const { report, readOnly, durability } = settings;
  const parts = given(settings.timeZone, settings.locale);
  const endpoint = settings.embeddings && openEndpoint(settings.embeddings);
  const kept = historyAt(place, settings);
  const store = await openFolderStore(place, { openLock: await lockOpener(), readOnly, durability });
  const { path: indexPath, inOwnFolder } = indexFile(place, settings);
  const sql = await openIndexFile(indexPath, indexSchema, (error) => report(UNKEPT, error));
  const ledger = openLedger(sql);
  const history = kept
    ? openGit(kept.disk, {
        dir: kept.dir,
        ...(kept.vault === undefined ? {} : { vault: kept.vault }),
        ledger,
        durability,
        outsideAuthor: settings.outsideAuthor ?? SOMEONE,
        now: parts.now,
        notes: store,
        ...(readOnly ? {} : { alone: store.background }),
      })
    : noHistory();
  const thread = openIndexThread();
  const search = openSearch(sql);
  const index = openIndex(sql, { search, prepare: thread.prepare, clock: parts });
  const semantic =
    endpoint &&
    openSemanticSearch({
      endpoint,
      vectors: openVectors(search, endpoint.model, parts.now),
      who: parts.random(),
      now: parts.now,
      tell: settings.tell,
    });
  const ownIndexFile = inOwnFolder ? indexPath : null;
  const work = backgroundWork(
    { root: place, store, index, ownIndexFile, history, ledger, semantic, thread, now: parts.now },
    settings,
  );
  const opened = openNotebook({
    store,
    index,
    history,
    semantic: semantic ?? null,
    pendingEdits: kept
      ? { edits: openPendingEdits(sql), timings: { ...TIMINGS, ...settings.timings } }
      : null,
    pdf: openPdfReader(),
    proposals: openProposalFolder(openDisk(place), {
      durable: durability === "full",
      refused: (work) => refusing(undefined, work),
    }),
    readOnly,
    places: [...new Set([place, resolve(root)])],
    background: work.background,
    report,
    ...parts,
  });
  const notebook: OpenNotebook = {
    ...opened,
    async refresh(progress) {
      try {
        const changed = await opened.refresh(progress);
        if (changed > 0) work.markUnrecorded();
        return changed;
      } finally {
        await thread.end();
      }
    },
  };

  return {
    notebook,
    history,
    start: (progress, embedding) => work.start(notebook, progress, embedding),
    catchUp: (progress) => work.catchUp(notebook, progress),
    async close() {
      await work.close();
      await notebook.close();
    },
  };
};

export const openMemory = async (
  timeZone: string | undefined,
  report: FolderSettings["report"],
): Promise<Open> => {
  const parts = given(timeZone);
  const index = openIndex(await openSql(":memory:"), { clock: parts });
  const history = noHistory();
  const notebook = openNotebook({
    store: openMemoryStore(),
    index,
    history,
    semantic: null,
    pendingEdits: null,
    readOnly: false,
    background: NO_BACKGROUND,
    report,
    ...parts,
  });
  await notebook.refresh();
  return {
    notebook,
    history,
    start: () => undefined,
    catchUp: async () => undefined,
    close: notebook.close,
  };
};
