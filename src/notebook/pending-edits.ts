/** The queue of pending edits: what other programs save is recorded when a note has been quiet for a while, not at each save (decision 18). */

import type { Content } from "./parts.ts";
import type { PendingEdit, PendingEdits } from "./pending-table.ts";
import type { FilePath } from "./paths.ts";
import { underWay } from "./under-way.ts";

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

export type Seen = { path: FilePath; after: Content | null };
type Found = Seen & { edited: boolean };

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
  /** Called where another process has recorded what was pending, or what was seen here: nothing else tells of that. */
  recordedElsewhere(): void;
};

export type Queue = {
  /** Notes as another program left them just now; what the history holds so is not pending. Only inside the lock. */
  saw(notes: readonly Seen[], date: Date): Promise<void>;
  /** They were recorded here at once. */
  recorded(paths: readonly FilePath[]): void;
  /** Records from now on what is due, whichever process saw it; called again, where another process may have seen something. */
  look(): void;
  /**
   * Records what is pending: that of one note, what is due, or all. Takes the lock itself. A note that is gone is recorded before its time only where
   * it, and whatever else went, is found to have been moved: what it became may not have been seen yet.
   */
  flush(which: FilePath | "due" | "all"): Promise<void>;
  /** Records what is pending at the end of a process. Notes that came or went just now are left to whoever comes next: the vault may be on its way out. */
  flushAtEnd(): Promise<void>;
  /** Records all, once notes that come and go have come to a standstill. */
  flushWhenStill(): Promise<void>;
  /** From then on only `flushAtEnd` records. Waits for what is being recorded: index and history are not closed under it. */
  close(): Promise<void>;
};

/** More edits than these that are due together are one revision; each of fewer is one of its own, under its file's time. */
const FEW = 10;
/** Texts are recorded in slices of this size, so that they are not all in memory at a time. */
const SLICE_BYTES = 32 * 1024 * 1024;

const NO_BYTES = new Uint8Array();

/** That of one note, what is due, all at the end of a process but what came or went just now, or all. */
type Which = FilePath | "due" | "end" | "all";

export function openQueue(given: QueueParts): Queue {
  const { timings, now, alone, held } = given;
  /** Pending when this was last looked at, but what was dropped here. */
  let known = new Set<FilePath>();
  const edits: PendingEdits = {
    ...given.edits,
    drop(paths) {
      for (const path of paths) known.delete(path);
      given.edits.drop(paths);
    },
  };
  const parts = { ...given, edits };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const { counted, ended } = underWay();

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    const pending = edits.all();
    const left = new Set(pending.map(({ path }) => path));
    const isGone = [...known].some((path) => !left.has(path));
    known = left;
    if (isGone) given.recordedElsewhere();
    const dues = dueTimes(pending, timings, now());
    let wait = timings.look;
    for (const due of dues.values()) wait = Math.min(wait, due - now().getTime());
    timer = setTimeout(() => void flushDue(), Math.max(0, wait));
  }

  /** What could not be recorded, because others hold the lock, the disk is full, or the folder is another one, is tried again in a while; nothing is lost by waiting. */
  async function flushDue(): Promise<void> {
    try {
      const due = new Set(chosen(parts, "due").map(({ path }) => path));
      await flush("due");
      if (chosen(parts, "due").some(({ path }) => due.has(path))) later();
      else schedule();
    } catch {
      later();
    }
  }

  function later(): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(schedule, timings.look);
  }

  // What is recorded is decided inside the lock, by what is pending and what the history holds then: every process comes to the same result.
  async function flush(which: Which): Promise<void> {
    const isOver = (): boolean => closed && which !== "end";
    if (isOver() || chosen(parts, which).length === 0) return;
    await counted(alone(async () => (isOver() ? undefined : recordEdits(parts, which))));
  }

  return {
    async saw(notes, date) {
      let isRecorded = false;
      for (const { path, after } of notes) {
        const before = await held(path);
        if (before === (after?.version ?? null)) {
          edits.drop([path]);
          isRecorded = true;
        } else edits.saw(path, after?.version ?? null, before !== null && after !== null, date);
      }
      schedule();
      // Another process has written and recorded it, and it went into the index here before it did there.
      if (isRecorded) given.recordedElsewhere();
    },
    recorded: edits.drop,
    look: schedule,
    flush,
    flushAtEnd: () => flush("end"),
    async flushWhenStill() {
      for (;;) {
        const dues = dueTimes(edits.all(), timings, now());
        const wait = [...dues].reduce((most, [{ edited }, due]) => (edited ? most : Math.max(most, due)), 0);
        if (closed || wait <= now().getTime()) return flush("all");
        await new Promise((done) => setTimeout(done, wait - now().getTime()));
      }
    },
    close() {
      closed = true;
      clearTimeout(timer);
      return ended();
    },
  };
}

function chosen({ edits, timings, now }: QueueParts, which: Which): readonly PendingEdit[] {
  const pending = edits.all();
  if (which === "all") return pending;
  if (which === "due" || which === "end") {
    const dues = dueTimes(pending, timings, now());
    return pending.filter((edit) => (which === "end" && edit.edited) || dues.get(edit)! <= now().getTime());
  }
  const one = pending.find(({ path }) => path === which);
  return !one ? [] : one.edited ? [one] : pending.filter(({ edited }) => !edited);
}

/** Only inside the lock. */
async function recordEdits(parts: QueueParts, which: Which): Promise<void> {
  const { edits, now, look, held, record } = parts;
  const pending = chosen(parts, which);
  const seen = new Map(pending.flatMap(({ path, version }) => (version ? [[path, version]] : [])));
  const before = new Map<FilePath, string | null>();
  for (const { path } of pending) before.set(path, await held(path));
  const known = new Set(before.values());
  const light: Found[] = [];
  let heavy: Found[] = [];
  let bytes = 0;
  const recordFound = async (notes: readonly Found[]): Promise<void> => {
    for (const group of revisionsOf(notes))
      if (await record(group, seen)) edits.drop(group.map(({ path }) => path));
    [heavy, bytes] = [[], 0];
  };
  // What the disk fails to give stays pending, and holds back nothing else.
  let failure: unknown;
  for (const { path, edited: wasEdited } of pending) {
    const looked = await look(path).then(
      (after) => ({ after }),
      (error: unknown) => void (failure ??= error),
    );
    if (!looked) continue;
    const { after } = looked;
    const old = before.get(path)!;
    if (after === undefined || old === (after?.version ?? null)) {
      edits.drop([path]);
      continue;
    }
    const edited = old !== null && after !== null;
    // A program that saves by taking the note away and putting it back has edited it.
    if (edited && !wasEdited && which === "due") {
      edits.saw(path, after.version, true, now());
      continue;
    }
    // What only moved is in the history already: a large folder is one revision, whatever it holds.
    if (after === null) light.push({ path, after, edited });
    else if (known.has(after.version))
      light.push({ path, after: { ...after, bytes: NO_BYTES, recorded: true }, edited });
    else {
      heavy.push({ path, after, edited });
      if ((bytes += after.bytes.length) > SLICE_BYTES) await recordFound(heavy);
    }
  }
  if (!["due", "end", "all"].includes(which) && isLeft(light, [...light, ...heavy], seen, before)) return;
  await recordFound([...light, ...heavy]);
  if (failure !== undefined) throw failure;
}

/** When each is due. A time ahead of the clock, which was set back, counts as now. */
function dueTimes(pending: readonly PendingEdit[], timings: Timings, now: Date): Map<PendingEdit, number> {
  const time = (date: Date): number => Math.min(date.getTime(), now.getTime());
  let lastMoved = 0;
  for (const { edited, last } of pending) if (!edited) lastMoved = Math.max(lastMoved, time(last));
  return new Map(
    pending.map((edit) => {
      const { edited, first, last } = edit;
      const due = edited
        ? Math.min(time(last) + timings.quiet, time(first) + timings.longest)
        : Math.min(lastMoved + timings.standstill, time(first) + timings.quiet);
      return [edit, due] as const;
    }),
  );
}

/** Whether a note went of which none that came tells where to. */
function isLeft(
  light: readonly Found[],
  all: readonly Found[],
  seen: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string | null>,
): boolean {
  const come = new Set(all.map(({ after }) => after?.version));
  return light.some(({ path, after }) => !after && !come.has(seen.get(path) ?? before.get(path) ?? ""));
}

function revisionsOf(notes: readonly Found[]): Seen[][] {
  const edited = notes.filter((note) => note.edited);
  const others = notes.filter((note) => !note.edited);
  const groups = edited.length > FEW ? [edited] : edited.map((note) => [note]);
  return others.length > 0 ? [others, ...groups] : groups;
}
