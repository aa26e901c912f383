/** A vault, opened on Node: a folder of notes with its index, its history and its watcher, or notes that live in memory. */

import { createHash, randomBytes } from "node:crypto";
import { readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { blobId } from "../disk/hash.ts";
import { openEndpoint, type EndpointSettings } from "../embeddings/endpoint.ts";
import { openMeaning } from "../embeddings/meaning.ts";
import { lookAt } from "../history/catch-up.ts";
import { openGit } from "../history/git.ts";
import { noHistory } from "../history/none.ts";
import type { Timings } from "../history/pending.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import { NoteError } from "../markdown/errors.ts";
import { openNotebook, type OpenNotebook } from "../notebook/notebook.ts";
import type { History, NoteStore } from "../notebook/parts.ts";
import type { Progress } from "../notebook/refresh.ts";
import { givingWay } from "../notebook/turns.ts";
import { dropOlder, openIndexFile } from "../sqlite/index-file.ts";
import { lockOpener, openSql } from "../sqlite/node.ts";
import { openLedger } from "../index/ledger.ts";
import { openIndex } from "../index/note-index.ts";
import { openPendingEdits } from "../index/pending.ts";
import { indexSchema, SCHEMA } from "../index/schema.ts";
import { openSearch } from "../search/search.ts";
import { openVectors } from "../index/vectors.ts";
import { openFolder as openFolderStore } from "../stores/folder.ts";
import { openMemory as openMemoryStore } from "../stores/memory.ts";
import { openIndexThread } from "./index-thread.ts";
import { historyPlace, type HistoryPlace } from "./history-place.ts";
import { watchFolderItself, type SameFolder } from "./same-folder.ts";
import { watchVault, type Watcher } from "./watch.ts";

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
  /** Under whose name the history records what was changed without us. */
  outsideAuthor?: string | undefined;
  timeZone: string | undefined;
  /** How long what other programs save may be pending; for tests. */
  timings?: Partial<Timings> | undefined;
  embeddings?: EndpointSettings | undefined;
  environment: Record<string, string | undefined>;
  /** Told of what failed behind the scenes: whole sentences on what happened and what it means, and why. */
  report(what: string, error: unknown): void;
  /** Told, in sentences, what a person should know about their vault. */
  tell(sentence: string): void;
};

// Asking Intl first loads the tables of every locale, which takes longer than all else between the start and the first answer.
const zoneHere = (): string => {
  const name = process.env["TZ"] ? undefined : linkedZone();
  return name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
};
/** Where Unix keeps it: a link into the tables of zones. */
const linkedZone = (): string | undefined => {
  try {
    return /\/zoneinfo\/(?:posix\/)?([A-Za-z]\w*(?:[/+-]\w+)*)$/.exec(readlinkSync("/etc/localtime"))?.[1];
  } catch {
    return undefined;
  }
};

const given = (timeZone: string | undefined) => ({
  now: () => new Date(),
  random: () => randomBytes(4).toString("hex"),
  timeZone: timeZone ?? zoneHere(),
  versionOf: blobId,
  rules: ruleReader,
});

const isFolder = (path: string): boolean | null => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return null;
  }
};

const realFolder = (root: string): string => {
  const folder = isFolder(root);
  if (folder === null)
    throw new NoteError(
      "path_refused",
      `There is no folder at ${root}. Give the folder that holds your notes.`,
    );
  if (!folder)
    throw new NoteError("path_refused", `${root} is a file. Give the folder that holds your notes.`);
  return realpathSync(root);
};

const cacheFolder = (environment: FolderSettings["environment"]): string => {
  if (environment.XDG_CACHE_HOME) return environment.XDG_CACHE_HOME;
  if (process.platform === "win32") return environment.LOCALAPPDATA || join(homedir(), "AppData", "Local");
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
};

/** What a client asks first is on its way while we open; looking at every file would make it wait. */
const afterFirstAnswer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50).unref());

/** A vault may come from anybody, and what lies in it must never be opened as a database. */
const refuseInside = (root: string, flag: string, place: string): void => {
  let folder = resolve(place);
  while (isFolder(folder) === null && dirname(folder) !== folder) folder = dirname(folder);
  const away = relative(root, realpathSync(folder));
  if (away !== "" && (away === ".." || away.startsWith(`..${sep}`) || isAbsolute(away))) return;
  throw new NoteError(
    "path_refused",
    `${flag} ${place} lies inside the vault. Give a place outside it, or leave ${flag} away.`,
  );
};

/** Derived data stands outside the vault, under a name made from where the vault is. */
const indexFile = (root: string, settings: FolderSettings): { path: string; inOwnFolder: boolean } => {
  const id = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const { index = join(cacheFolder(settings.environment), "notewright/") } = settings;
  if (settings.index !== undefined) refuseInside(root, "--index", settings.index);
  const inOwnFolder = /[\\/]$/.test(index) || isFolder(index) === true;
  return { path: inOwnFolder ? join(index, id, `index-${SCHEMA}.db`) : index, inOwnFolder };
};

const historyAt = (root: string, settings: FolderSettings): HistoryPlace | null => {
  if (!settings.history) return null;
  if (settings.historyDir !== undefined) refuseInside(root, "--history-dir", settings.historyDir);
  return historyPlace(root, settings.historyDir, settings);
};

const SOMEONE = "someone";
const UNKEPT =
  "The index cannot be kept in its place. It is kept in a temporary folder or in memory until this process ends, and made anew at the next start; --index names another place.";

export const openFolder = async (root: string, settings: FolderSettings): Promise<Open> => {
  const place = realFolder(root);
  const { report, readOnly, durability } = settings;
  const parts = given(settings.timeZone);
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
        pending: {
          edits: openPendingEdits(sql),
          look: (path) => lookAt(store, path),
          ...(settings.timings ? { timings: settings.timings } : {}),
        },
        durability,
        outsideAuthor: settings.outsideAuthor ?? SOMEONE,
        now: parts.now,
        notes: store,
        ...(readOnly ? {} : { alone: store.background }),
      })
    : noHistory();
  let watcher: Watcher | undefined;
  let same: SameFolder | undefined;
  const closing = new AbortController();
  let comparing: Promise<unknown> | null = null;
  let recording: Promise<unknown> | null = null;
  const background = {
    compared: () => comparing,
    recorded: () => recording,
    flush: () => watcher?.flush() ?? null,
  };
  const thread = openIndexThread();
  const search = openSearch(sql);
  const index = openIndex(sql, { search, prepare: thread.prepare, clock: parts });
  const meaning =
    endpoint &&
    openMeaning({
      endpoint,
      vectors: openVectors(search, endpoint.model, parts.now),
      who: parts.random(),
      now: parts.now,
      tell: settings.tell,
    });
  const opened = openNotebook({
    store,
    index,
    history,
    ...(meaning ? { meaning } : {}),
    readOnly,
    background,
    report,
    ...parts,
  });
  // Whoever opens the vault next finds in the index what was seen here, and would take it for recorded.
  const unrecorded = () => (readOnly || !settings.history) && ledger.setWhole(false);
  const notebook: OpenNotebook = {
    ...opened,
    async refresh(progress) {
      try {
        const changed = await opened.refresh(progress);
        if (changed > 0) unrecorded();
        return changed;
      } finally {
        await thread.end();
      }
    },
  };

  /** The history tells when notes were modified: what it knows is in the index before anybody asks. */
  const followHistory = async (): Promise<void> => {
    if (settings.history) await history.log({ limit: 1 }).catch(() => undefined);
    else if (ledger.head() !== null) ledger.clear();
  };
  /** A vault that may not be read, or is gone, refuses every call; it is opened as soon as that is over. */
  const untilPresent = async (): Promise<void> => {
    for (let told = false; !closing.signal.aborted; told = true) {
      try {
        return void store.present();
      } catch (error) {
        if (!told) report("The vault cannot be opened yet; it is tried again each second.", error);
        await new Promise((resolve) => setTimeout(resolve, 1000).unref());
      }
    }
  };
  const compare = async (progress: Progress): Promise<void> => {
    // Watched first, so that an edit made during the comparison is seen too.
    await watcher?.watching;
    await followHistory();
    await notebook.refresh(progress);
  };
  const catchUp = async (progress: Progress): Promise<void> => {
    await compare(progress);
    await record();
  };
  const giveWay = givingWay(opened.asked);
  const unhurried: NoteStore = {
    ...store,
    async read(path) {
      await giveWay();
      return store.read(path);
    },
  };
  const record = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    // What was written while nobody served the vault becomes part of its history, in the background.
    if (settings.history && !readOnly) await history.catchUp(unhurried, parts.now(), closing.signal);
    for (const trouble of [...store.troubles(), ...history.troubles()]) settings.tell(trouble);
  };
  return {
    notebook,
    history,
    catchUp,
    start(progress, embedding) {
      unrecorded();
      const compared = (async () => {
        if (index.complete()) await afterFirstAnswer();
        await untilPresent();
        if (closing.signal.aborted) return;
        watcher = watchVault(place, notebook, report);
        same = watchFolderItself(store.present, () => watcher!.anew());
        await compare(progress);
        if (closing.signal.aborted) return;
        // Beside a file that the user named may lie anything.
        if (inOwnFolder) dropOlder(indexPath, SCHEMA, Date.now());
        meaning?.follow(notebook.onChange, embedding);
      })();
      const recorded = compared
        .then(record)
        .catch(
          (error: unknown) =>
            closing.signal.aborted ||
            report(
              "What was changed while no server ran could not all be read and recorded. Answers may be old; it is tried again at the next start.",
              error,
            ),
        );
      comparing = compared.catch(() => undefined).finally(() => (comparing = null));
      if (settings.history && !readOnly && !ledger.whole())
        recording = recorded.finally(() => (recording = null));
    },
    async close() {
      closing.abort();
      same?.close();
      await thread.end();
      await watcher?.close();
      await meaning?.close();
      await notebook.close();
    },
  };
};

export const openMemory = async (timeZone: string | undefined): Promise<Open> => {
  const parts = given(timeZone);
  const index = openIndex(await openSql(":memory:"), { clock: parts });
  const history = noHistory();
  const notebook = openNotebook({ store: openMemoryStore(), index, history, ...parts });
  await notebook.refresh();
  return {
    notebook,
    history,
    start: () => undefined,
    catchUp: async () => undefined,
    close: notebook.close,
  };
};
