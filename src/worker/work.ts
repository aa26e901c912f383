/** Work in slices: the first index, catching up and recording, a little in each alarm, because an object may do only so much at a time (decision 31). */

import { isId } from "../history/objects.ts";
import type { Content, NoteStore, Stat } from "../notebook/parts.ts";
import { isNote, type LinkedPath, type NotePath } from "../notebook/paths.ts";
import { isText } from "../notebook/pointer.ts";
import { isCurrent } from "../notebook/stamp.ts";
import type { Bucket } from "../stores/bucket.ts";
import type { Engine } from "./engine.ts";
import type { Place } from "./settings.ts";

/** What one alarm may do: calls to the bucket, and milliseconds by a clock that may stand still. */
const CALLS = 500;
const MILLISECONDS = 10_000;
/** Notes, and bytes of notes, that are read before they are in the index. */
const SLICE = 64;
const SLICE_BYTES = 1024 * 1024;
/** Rows that are looked at for one slice. */
const ROWS = 1000;
/** How often the bucket is compared with the index. */
const HOUR = 3_600_000;
const NO_BYTES = new Uint8Array();

/** A bucket whose calls are counted. */
export const countedBucket = (bucket: Bucket): { bucket: Bucket; calls(): number } => {
  let calls = 0;
  const counted =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls++;
      return call(...args);
    };
  return {
    calls: () => calls,
    bucket: {
      head: counted((key) => bucket.head(key)),
      get: counted((key, how) => bucket.get(key, how)),
      put: counted((key, bytes, how) => bucket.put(key, bytes, how)),
      delete: counted((key) => bucket.delete(key)),
      list: counted((how) => bucket.list(how)),
    },
  };
};

/** Does a slice of what there is to do; gives the milliseconds until there is more. `calls`: how many the bucket has had. */
export const workSlice = async (engine: Engine, calls: () => number): Promise<number> => {
  const { settings, ledger, store, history } = engine;
  const [first, since] = [calls(), Date.now()];
  const isOver = (): boolean => calls() - first > CALLS - SLICE || Date.now() - since > MILLISECONDS;
  const flushed = await store.flush();
  let place: Place | null = settings.get("place") ?? { listing: { area: 0, after: "" } };
  while (place && !isOver()) {
    place = await step(engine, place);
    await history.holdAll();
    settings.set("place", place);
  }
  if (place) return 0;
  if (!ledger.whole()) await record(engine);
  return flushed ? HOUR : 2000;
};

/** One page of the listing, or one slice of notes; null once all is in the index. */
const step = async (engine: Engine, place: Place): Promise<Place | null> => {
  const { store, notebook } = engine;
  if ("listing" in place) {
    const next = await store.compare(place.listing);
    return next ? { listing: next } : { after: "" };
  }
  const { paths, after } = await nextSlice(engine, place.after);
  if (paths.length > 0)
    await notebook.refreshPaths(paths, { done: engine.index.count(), total: store.count() });
  if (after !== null) return { after };
  // What is gone is found here; it also ends a first index.
  await notebook.refresh();
  return null;
};

/** Notes and canvases after a path that are not in the index as they are; `after` is null where there are no more. */
const nextSlice = async (
  { store, index }: Engine,
  from: string,
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
      if (paths.length === SLICE || (paths.length > 0 && bytes + size > SLICE_BYTES))
        return { paths, after: paths.at(-1)! };
      paths.push(path);
      bytes += size;
    }
    if (paths.length > 0) return { paths, after: last };
  }
  return { paths, after: null };
};

/** The first recording. Every text has been read for the index by now and lies in the history's own rows: it is not read again. */
const record = async (engine: Engine): Promise<void> => {
  const { store, history, ledger, notebook } = engine;
  const fromRows: NoteStore = {
    ...store,
    async read(path) {
      const stat = await store.stat(path as NotePath);
      if (!stat || !isId(stat.stamp) || !history.keeps(stat.stamp)) return store.read(path);
      const held: Stat & Content = { ...stat, bytes: NO_BYTES, version: stat.stamp, recorded: true };
      return held;
    },
  };
  await notebook.record(fromRows, new AbortController().signal);
  if (ledger.whole()) engine.recorded();
};
