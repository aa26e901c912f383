/** Pending changes: folders and notes that other programs have changed, gathered for a moment and then looked at together, seldom enough that calls come first. */

import { folderOf, type LinkedPath } from "../notebook/paths.ts";

/** The debounce, in milliseconds: the events of one save come together, and an edit is still seen soon. */
const PAUSE = 20;
/** After a look the next one waits for so many times as long as it took, up to a limit, so that a vault that never stands still leaves most of the time to calls. */
const REST = 4;
const LONGEST_REST = 2000;

/** The limit on pending notes; above it their folders are pending instead. A note takes 0.03 ms to look at, a folder as much for each of its notes. */
const SINGLE_NOTES = 1000;

export type Pending = {
  folder(path: string): void;
  note(path: LinkedPath): void;
  /** Resolves when all that is pending now has been looked at; what comes later does not prolong it. Null where nothing is pending. */
  flush(): Promise<void> | null;
  /** Resolves when nobody looks any more. */
  close(): Promise<void>;
};

/** `look` brings the index up to date with these; it never rejects. */
export const pendingChanges = (
  look: (folders: string[], notes: LinkedPath[]) => Promise<void>,
  now: () => number = () => performance.now(),
): Pending => {
  const folders = new Set<string>();
  const notes = new Set<LinkedPath>();
  let looking: Promise<void> | null = null;
  /** What a flush waits for: the next look. */
  let next: { done: Promise<void>; resolve(): void } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = { began: 0, ended: 0 };
  let closed = false;

  const schedule = (): void => {
    if (closed || looking || folders.size + notes.size === 0) return;
    clearTimeout(timer);
    const took = last.ended - last.began;
    // Somebody who waits is not kept waiting for a whole rest.
    const rest = next ? took : Math.min(REST * took, LONGEST_REST);
    const left = Math.max(next ? 0 : PAUSE, rest - (now() - last.ended));
    timer = setTimeout(begin, left);
    timer.unref();
  };
  const begin = (): void => {
    const [taken, waiting] = [{ folders: [...folders], notes: [...notes] }, next];
    folders.clear();
    notes.clear();
    next = null;
    const began = now();
    looking = look(taken.folders, taken.notes).finally(() => {
      looking = null;
      last = { began, ended: now() };
      waiting?.resolve();
      schedule();
    });
  };
  const add = <T>(set: Set<T>, path: T): void => {
    const first = folders.size + notes.size === 0;
    set.add(path);
    if (first) schedule();
  };

  return {
    folder: (path) => add(folders, path),
    note(path) {
      if (notes.size < SINGLE_NOTES) return add(notes, path);
      for (const note of notes) folders.add(folderOf(note));
      notes.clear();
      folders.add(folderOf(path));
    },
    flush() {
      if (folders.size + notes.size === 0) return looking;
      if (!next) {
        let resolve = (): void => undefined;
        next = { done: new Promise((end) => (resolve = end)), resolve };
        schedule();
      }
      return next.done;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      next?.resolve();
      await looking;
    },
  };
};
