/** Work in slices: the first index, catching up and recording, a little in each alarm, because an object may do only so much at a time (decision 31). */

import { readable } from "../history/catch-up.ts";
import { isId } from "../history/objects.ts";
import type { Content, NoteStore, Stat } from "../notebook/parts.ts";
import { isNote, type LinkedPath, type NotePath } from "../notebook/paths.ts";
import { isText } from "../notebook/pointer.ts";
import { isCurrent } from "../notebook/stamp.ts";
import type { Engine } from "./engine.ts";
import type { Place } from "./settings.ts";

/** What one alarm may do, and how much of it is read before it is in the index. */
export type Limits = {
  /** Calls to the bucket. */
  calls: number;
  /** Milliseconds, by a clock that may stand still. */
  milliseconds: number;
  notes: number;
  bytes: number;
  clock(): number;
};
export const LIMITS: Limits = {
  calls: 500,
  milliseconds: 10_000,
  notes: 64,
  bytes: 1024 * 1024,
  clock: Date.now,
};
/** Rows that are looked at for one slice. */
const ROWS = 1000;
/** How often the bucket is compared with the index; sooner where it failed to give some of the notes. */
const HOUR = 3_600_000;
const SOONER = 5 * 60_000;
/** How long nothing more is tried where notes could not be read. */
const PAUSE = 60_000;
const NO_BYTES = new Uint8Array();

/** Does a slice of what there is to do; gives the milliseconds until there is more. `calls`: how many the bucket has had. */
export const workSlice = async (
  engine: Engine,
  calls: () => number,
  limits: Limits = LIMITS,
): Promise<number> => {
  const { settings, ledger, store, history, now } = engine;
  const [first, since] = [calls(), limits.clock()];
  const isOver = (): boolean =>
    calls() - first > limits.calls - limits.notes || limits.clock() - since > limits.milliseconds;
  await store.flush();
  let place = settings.get("place");
  if (!place && (!engine.index.complete() || untilCompared(engine) === 0))
    place = { listing: { area: 0, after: "" } };
  while (place && !isOver()) {
    const next: Place | null = await step(engine, place, limits);
    await history.holdAll();
    settings.set("place", next);
    if (!next) settings.set("compared", now().getTime());
    // Too many notes were not taken on the way; whatever keeps them may pass.
    if (next && isBegin(next) && !isBegin(place) && "after" in place)
      return Math.min(PAUSE, store.due() ?? PAUSE);
    place = next;
  }
  if (place) return 0;
  if (!ledger.whole() && !(await record(engine, isOver))) return 0;
  return Math.min(untilCompared(engine), store.due() ?? HOUR);
};

/** Milliseconds until the bucket is to be compared again. */
export const untilCompared = ({
  settings,
  index,
  now,
}: Pick<Engine, "settings" | "index" | "now">): number => {
  const compared = settings.get("compared");
  if (compared === null) return 0;
  const passed = now().getTime() - compared;
  // A clock that was set back has not compared anything.
  return passed < 0 ? 0 : Math.max(0, (index.unread() > 0 ? SOONER : HOUR) - passed);
};

const isBegin = (place: Place): boolean => "after" in place && place.after === "";

/** One page of the listing, or one slice of notes; null once all is in the index. */
const step = async (engine: Engine, place: Place, limits: Limits): Promise<Place | null> => {
  const { store, notebook } = engine;
  if ("listing" in place) {
    const next = await store.compare(place.listing);
    return next ? { listing: next } : { after: "" };
  }
  const { paths, after } = await nextSlice(engine, place.after, limits);
  if (paths.length > 0)
    await notebook.refreshPaths(paths, { done: engine.index.count(), total: store.count() });
  if (after !== null) return { after };
  // What the last look reads is bounded, too.
  if (!isBegin(place) && (await isMuchLeft(engine, limits))) return { after: "" };
  // What is gone is found here; it also ends a first index.
  await notebook.refresh();
  return null;
};

/** Whether more than a slice is not in the index as it is, after all of it was looked at. */
const isMuchLeft = async (engine: Engine, limits: Limits): Promise<boolean> => {
  const { after } = await nextSlice(engine, "", limits);
  return after !== null && (await nextSlice(engine, after, limits)).paths.length > 0;
};

/** Notes and canvases after a path that are not in the index as they are; `after` is null where there are no more. */
const nextSlice = async (
  { store, index }: Engine,
  from: string,
  limits: Limits,
): Promise<{ paths: LinkedPath[]; after: string | null }> => {
  const paths: LinkedPath[] = [];
  let bytes = 0;
  for await (const { notes, inOrder, last } of store.listAfter(from, ROWS)) {
    const known = index.stamps({ paths: notes.map(({ path }) => path) });
    for (const { path, stamp, size } of inOrder) {
      // Nothing is read of other files.
      if (!isText(path, size)) continue;
      if (isNote(path) ? isCurrent(known.get(path), stamp) : index.attachments.stamp(path) === stamp)
        continue;
      if (paths.length === limits.notes || (paths.length > 0 && bytes + size > limits.bytes))
        return { paths, after: paths.at(-1)! };
      paths.push(path);
      bytes += size;
    }
    if (paths.length > 0) return { paths, after: last };
  }
  return { paths, after: null };
};

/** The first recording. Every text has been read for the index by now and lies in the history's own rows: it is not read again. False where texts are left to be read first. */
const record = async (engine: Engine, isOver: () => boolean): Promise<boolean> => {
  const { store, history, ledger, notebook } = engine;
  const isHeld = (stamp: string): boolean => isId(stamp) && history.keeps(stamp);
  for await (const { notes } of store.listAfter("", ROWS))
    for (const { path, stamp } of notes) {
      if (isHeld(stamp)) continue;
      if (isOver()) {
        await history.holdAll();
        return false;
      }
      // What is too large, or what the bucket fails to give, is left out here as well as below.
      const file = await readable(store, path);
      if (file) await history.hold(file.bytes);
    }
  await history.holdAll();
  const fromRows: NoteStore = {
    ...store,
    async read(path) {
      const stat = await store.stat(path as NotePath);
      if (!stat || !isHeld(stat.stamp)) return store.read(path);
      const held: Stat & Content = { ...stat, bytes: NO_BYTES, version: stat.stamp, recorded: true };
      return held;
    },
  };
  await notebook.record(fromRows, new AbortController().signal);
  if (ledger.whole()) engine.recorded();
  return true;
};
