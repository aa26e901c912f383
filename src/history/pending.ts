/** The pending queue: what other programs save is recorded when a note has been quiet for a while, not at each save. */

import type { PendingEdit, PendingEdits } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import type { Content } from "./drafts.ts";

/** In milliseconds. */
export const TIMINGS = {
  /** An edit waits until its note has been quiet for so long, */
  quiet: 60_000,
  /** but no longer than this after the first save. */
  longest: 600_000,
  /** Notes that came or went wait for each other, so that a move is seen as one: until no other has come or gone for so long. */
  standstill: 2000,
  /** What another process left is looked for this often. */
  look: 30_000,
};
export type Timings = typeof TIMINGS;

type Seen = { path: FilePath; after: Content | null };

export type QueueParts = {
  edits: PendingEdits;
  timings: Timings;
  now(): Date;
  /** Runs work inside the vault's lock. */
  alone(work: () => Promise<void>): Promise<unknown>;
  /** What is there now; undefined where it cannot be read. */
  look(path: FilePath): Promise<Content | null | undefined>;
  /** The version that the newest revision holds. */
  held(path: FilePath): Promise<string | null>;
  /** As one revision; false where it could not be made. `seen`: the versions with which notes that are gone were last seen. */
  record(notes: readonly Seen[], seen: ReadonlyMap<string, string>): Promise<boolean>;
};

export type Queue = {
  /** Notes as another program left them just now; those that the history holds so do not wait. Only inside the lock. */
  saw(notes: readonly Seen[], date: Date): Promise<void>;
  /** Looks after whatever waits, whichever process saw it. */
  begin(): void;
  /** Records what waits: that of one note, what is due, or all. Takes the lock itself. */
  flush(what: FilePath | "due" | "all"): Promise<void>;
  close(): void;
};

/** More edits than these that are due together are one revision; each of fewer is one of its own, under its file's time. */
const FEW = 10;
/** Texts are recorded in slices of this size, so that they are not all in memory at a time. */
const SLICE_BYTES = 32 * 1024 * 1024;

export function openQueue({ edits, timings, now, alone, look, held, record }: QueueParts): Queue {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    const dues = dueTimes(edits.all(), timings, now());
    let wait = timings.look;
    for (const due of dues.values()) wait = Math.min(wait, due - now().getTime());
    // What fails, a lock that others hold or a full disk, is tried again; nothing is lost by waiting.
    timer = setTimeout(() => void flush("due").then(schedule, later), Math.max(0, wait));
    timer.unref();
  }

  function later(): void {
    if (closed) return;
    timer = setTimeout(schedule, timings.look);
    timer.unref();
  }

  // Decided inside the lock, by what waits and what the history holds then: every process comes to the same result.
  async function flush(what: FilePath | "due" | "all"): Promise<void> {
    if (chosen(edits.all(), what).length === 0) return;
    await alone(async () => {
      const waiting = chosen(edits.all(), what);
      const seen = new Map(waiting.flatMap(({ path, version }) => (version ? [[path, version]] : [])));
      let slice: (Seen & { edited: boolean })[] = [];
      let bytes = 0;
      const end = async (): Promise<void> => {
        for (const group of revisionsOf(slice))
          if (await record(group, seen)) edits.drop(group.map(({ path }) => path));
        [slice, bytes] = [[], 0];
      };
      for (const edit of waiting) {
        const after = await look(edit.path);
        const before = after === undefined ? null : await held(edit.path);
        if (after === undefined || before === (after?.version ?? null)) {
          edits.drop([edit.path]);
          continue;
        }
        const edited = before !== null && after !== null;
        // A program that saves by taking the note away and putting it back has edited it.
        if (edited && !edit.edited && what === "due") {
          edits.saw(edit.path, after.version, true, now());
          continue;
        }
        slice.push({ path: edit.path, after, edited });
        bytes += after?.bytes.length ?? 0;
        if (bytes > SLICE_BYTES) await end();
      }
      await end();
    });
  }

  function chosen(waiting: readonly PendingEdit[], what: FilePath | "due" | "all"): readonly PendingEdit[] {
    if (what === "all") return waiting;
    if (what === "due") {
      const dues = dueTimes(waiting, timings, now());
      return waiting.filter((edit) => dues.get(edit)! <= now().getTime());
    }
    const one = waiting.find(({ path }) => path === what);
    return !one ? [] : one.edited ? [one] : waiting.filter(({ edited }) => !edited);
  }

  return {
    async saw(notes, date) {
      for (const { path, after } of notes) {
        const before = await held(path);
        if (before === (after?.version ?? null)) edits.drop([path]);
        else edits.saw(path, after?.version ?? null, before !== null && after !== null, date);
      }
      schedule();
    },
    begin: schedule,
    flush,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** When each is due. A time ahead of the clock, which was set back, counts as now. */
function dueTimes(waiting: readonly PendingEdit[], timings: Timings, now: Date): Map<PendingEdit, number> {
  const time = (date: Date): number => Math.min(date.getTime(), now.getTime());
  let lastMoved = 0;
  for (const { edited, last } of waiting) if (!edited) lastMoved = Math.max(lastMoved, time(last));
  return new Map(
    waiting.map((edit) => {
      const { edited, first, last } = edit;
      const due = edited
        ? Math.min(time(last) + timings.quiet, time(first) + timings.longest)
        : Math.min(lastMoved + timings.standstill, time(first) + timings.quiet);
      return [edit, due] as const;
    }),
  );
}

function revisionsOf(notes: readonly (Seen & { edited: boolean })[]): Seen[][] {
  const edited = notes.filter((note) => note.edited);
  const others = notes.filter((note) => !note.edited);
  const groups = edited.length > FEW ? [edited] : edited.map((note) => [note]);
  return others.length > 0 ? [others, ...groups] : groups;
}
