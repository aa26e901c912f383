/** What goes on in the background while a vault is open: it is compared with its index, watched for edits by other programs, and recorded. */

import type { OpenSemanticSearch } from "../embeddings/semantic-search.ts";
import { SCHEMA } from "../index/schema.ts";
import type { OpenNotebook } from "../notebook/notebook.ts";
import type { Background, History, Ledger, NoteIndex, NoteStore } from "../notebook/parts.ts";
import type { Progress } from "../notebook/refresh.ts";
import { givingWay } from "../notebook/turns.ts";
import { dropOlder } from "../sqlite/index-file.ts";
import type { IndexThread } from "./index-thread.ts";
import type { FolderSettings } from "./open.ts";
import { watchFolderItself, type SameFolder } from "./same-folder.ts";
import { watchVault, type Watcher } from "./watch.ts";

export type Vault = {
  root: string;
  store: NoteStore;
  index: NoteIndex;
  /** The index file, where it lies in a folder of ours; null where the user named it, for beside it may lie anything. */
  ownIndexFile: string | null;
  history: History;
  ledger: Ledger;
  semantic: OpenSemanticSearch | undefined;
  thread: IndexThread;
  now(): Date;
};
export type BackgroundWork = {
  /** What calls wait for. */
  background: Background;
  start(notebook: OpenNotebook, progress: Progress, embedding?: Progress): void;
  catchUp(notebook: OpenNotebook, progress: Progress): Promise<void>;
  /** Whoever opens the vault next finds in the index what was seen here, and must not take it for recorded where it is not. */
  markUnrecorded(): void;
  close(): Promise<void>;
};

/** A client's first request is on its way while we open; looking at every file would make it wait. */
const afterFirstAnswer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50).unref());

export const backgroundWork = (vault: Vault, settings: FolderSettings): BackgroundWork => {
  const { store, history, ledger, thread } = vault;
  const { report } = settings;
  const records = settings.history && !settings.readOnly;
  const closing = new AbortController();
  let watcher: Watcher | undefined;
  let same: SameFolder | undefined;
  let comparing: Promise<unknown> | null = null;
  let recording: Promise<unknown> | null = null;

  const markUnrecorded = (): void => {
    if (!records) ledger.setWhole(false);
  };
  /** The history knows when notes were modified: that is in the index before anybody asks. */
  const followHistory = async (): Promise<void> => {
    if (settings.history) await history.log({ limit: 1 }).catch(() => undefined);
    else if (ledger.head() !== null) ledger.clear();
  };
  const compare = async (notebook: OpenNotebook, progress: Progress): Promise<void> => {
    // Folders are watched first, so that an edit made during the comparison is seen too.
    await watcher?.watching;
    await followHistory();
    await notebook.refresh(progress);
  };
  const record = async (notebook: OpenNotebook): Promise<void> => {
    if (closing.signal.aborted) return;
    // What was written while nobody served the vault becomes part of its history.
    if (records) await notebook.record(unhurried(store, notebook), closing.signal);
    for (const trouble of [...store.health.troubles(), ...history.troubles()]) settings.tell(trouble);
  };
  const compareAndWatch = async (
    notebook: OpenNotebook,
    progress: Progress,
    embedding?: Progress,
  ): Promise<void> => {
    if (vault.index.complete()) await afterFirstAnswer();
    await untilPresent(store, report, closing.signal);
    if (closing.signal.aborted) return;
    watcher = watchVault(vault.root, notebook, report);
    same = watchFolderItself(store.present, () => watcher!.restart());
    await compare(notebook, progress);
    if (closing.signal.aborted) return;
    if (vault.ownIndexFile !== null) dropOlder(vault.ownIndexFile, SCHEMA, Date.now());
    vault.semantic?.follow(notebook.onChange, embedding);
  };

  return {
    background: {
      compared: () => comparing,
      recorded: () => recording,
      flush: () => watcher?.flush() ?? null,
    },
    start(notebook, progress, embedding) {
      markUnrecorded();
      const compared = compareAndWatch(notebook, progress, embedding);
      const recorded = compared
        .then(() => record(notebook))
        .catch(
          (error: unknown) =>
            closing.signal.aborted ||
            report(
              "What was changed while no server ran could not all be read and recorded. Answers may be old; it is tried again at the next start.",
              error,
            ),
        );
      comparing = compared.catch(() => undefined).finally(() => (comparing = null));
      if (records && !ledger.whole()) recording = recorded.finally(() => (recording = null));
    },
    async catchUp(notebook, progress) {
      await compare(notebook, progress);
      await record(notebook);
    },
    markUnrecorded,
    async close() {
      closing.abort();
      same?.close();
      await thread.end();
      await watcher?.close();
      await vault.semantic?.close();
    },
  };
};

/** A vault that may not be read, or is gone, refuses every call; it is opened as soon as that is over. */
const untilPresent = async (
  { present }: NoteStore,
  report: FolderSettings["report"],
  closing: AbortSignal,
): Promise<void> => {
  for (let reported = false; !closing.aborted; reported = true) {
    try {
      return void present();
    } catch (error) {
      if (!reported) report("The vault cannot be opened yet; it is tried again each second.", error);
      await new Promise((resolve) => setTimeout(resolve, 1000).unref());
    }
  }
};

/** The store as recording reads it: calls come first. */
const unhurried = (store: NoteStore, { asked }: OpenNotebook): NoteStore => {
  const giveWay = givingWay(asked);
  return {
    ...store,
    async read(path) {
      await giveWay();
      return store.read(path);
    },
  };
};
