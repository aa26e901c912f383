/** Edits by other programs, from the moment that they are seen to the history: recorded when their note is quiet, where there is a table to keep them in meanwhile (decision 18). */

import { NoteError } from "../markdown/errors.ts";
import { recordOutside, type Engine } from "./commit.ts";
import type { Content, Parts } from "./parts.ts";
import type { FilePath } from "./paths.ts";
import { openQueue, type Seen } from "./pending-edits.ts";
import { atMost } from "./waiting.ts";

export type OutsideEdits = {
  /**
   * Leaves word that another program changed these, before the index learns of it. Should the process die before they are recorded, the next
   * start records them.
   */
  pend(paths: readonly FilePath[]): void;
  /**
   * Notes as another program left them (`after: null` for gone). They may be left pending, so that an hour of autosaves is a few revisions.
   * Only inside `alone`.
   */
  saw(seen: readonly Seen[]): Promise<void>;
  /** Records them at once. Only inside `alone`. */
  record(seen: readonly Seen[]): Promise<void>;
  /** Whether what another program did to a note may not be recorded yet. `indexed`: the index holds the note as it is. */
  isPending(path: FilePath, how: { indexed: boolean }): boolean;
  /** Records what is pending, of one note, what is due, or all, once notes have stopped to come and go. Takes the lock itself. */
  flush(what: FilePath | "due" | "all"): Promise<void>;
  /** Records what a process that died has left, and then whatever is due, whichever process saw it. */
  begin(): Promise<void>;
  /** Another process has seen something: it is known here from then on, and heard of once it is recorded. */
  seenElsewhere(): void;
  close(): Promise<void>;
};

/** So long what is pending may take at the end: a process whose client is gone must end. */
const CLOSING_MS = 1000;

export function openOutside(
  engine: Pick<Engine, "parts" | "behind">,
  recordedElsewhere: () => void,
): OutsideEdits {
  const { store, history, now, pendingEdits, readOnly, report } = engine.parts;
  const record = async (seen: readonly Seen[]): Promise<void> =>
    void (await recordOutside(engine, seen, { date: now() }));
  if (!pendingEdits || readOnly)
    return {
      pend: () => undefined,
      saw: record,
      record,
      isPending: () => false,
      flush: async () => undefined,
      begin: async () => undefined,
      seenElsewhere: () => undefined,
      close: async () => undefined,
    };
  const { edits } = pendingEdits;
  const queue = openQueue({
    edits,
    timings: pendingEdits.timings,
    now,
    alone: store.background,
    look: (path) => lookAt(engine.parts, path),
    held: history.version,
    record: (seen, lastSeen) => recordOutside(engine, seen, { date: now(), lastSeen }),
    recordedElsewhere,
  });
  return {
    pend: (paths) => edits.add(paths, now()),
    saw: (seen) => queue.saw(seen, now()),
    async record(seen) {
      if (await recordOutside(engine, seen, { date: now() })) queue.recorded(seen.map(({ path }) => path));
    },
    isPending: (path, { indexed }) => !indexed || edits.has(path),
    flush: (what) => (what === "all" ? queue.flushWhenStill() : queue.flush(what)),
    async begin() {
      await queue
        .flush("all")
        .catch((error: unknown) =>
          report(
            "Edits made by other programs could not be recorded in the history yet. The notes can be read and found; it is tried again.",
            error,
          ),
        );
      queue.look();
    },
    seenElsewhere: queue.look,
    async close() {
      // Where others hold the lock, or the vault is gone, what is pending is left to whoever comes next.
      await atMost(
        CLOSING_MS,
        queue
          .close()
          .then(queue.flushAtEnd)
          .catch(() => undefined),
      );
    },
  };
}

/** What is there now; null where nothing is, undefined where it cannot be read: the history then holds what it held. */
async function lookAt({ store }: Parts, path: FilePath): Promise<Content | null | undefined> {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof NoteError && error.code !== "disk_failed") return undefined;
    throw error;
  }
}
