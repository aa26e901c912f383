/** Listeners: they hear of notes that go into the index here, and of those that another process has put there. */

import type { IndexRow, NoteIndex, NoteStore, Revision, Version } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { encodeStamp, isUnread } from "./stamp.ts";

/** Notes that may have changed (`version: null`: gone), and whether notes may have come or gone. */
export type News = {
  notes: ChangedNote[];
  list: boolean;
  /** What was recorded with it here, oldest first. */
  revisions: readonly Revision[];
  /** Another process put it into the index, and may have recorded it. */
  elsewhere: boolean;
};
/** `listed`: it may have come or gone. */
export type ChangedNote = { path: NotePath; version: Version | null; listed: boolean };
export type Listener = (news: News) => void;

/** How many paths are remembered as announced; one that falls out is at worst announced twice. */
const REMEMBERED = 5000;

export function listening(index: NoteIndex, store: NoteStore) {
  const listeners = new Set<Listener>();
  const announced = new Map<NotePath, string | null>();
  const remember = (path: NotePath, stamp: string | null) => {
    announced.delete(path);
    announced.set(path, stamp);
    if (announced.size > REMEMBERED) announced.delete(announced.keys().next().value!);
  };
  const announce = (news: News) => {
    for (const listener of listeners) listener(news);
  };

  /** What the index holds now, where anybody wants to know what will be new. */
  const held = (rows: readonly IndexRow[]): Map<NotePath, Version | null> =>
    new Map(listeners.size === 0 ? [] : rows.map(({ path }) => [path, index.version(path)]));

  const applied = (
    rows: readonly IndexRow[],
    before: ReadonlyMap<NotePath, Version | null>,
    stale: NotePath[],
    revisions: readonly Revision[] = [],
  ): NotePath[] => {
    if (listeners.size === 0) return stale;
    const left = new Set(stale);
    const isNew = ({ path, note }: IndexRow) => (before.get(path) ?? null) !== (note?.version ?? null);
    const taken = rows.filter(
      ({ path, seen, stamp, note }) =>
        // What could not be read has not changed, as far as anybody knows.
        !left.has(path) && (seen !== null ? !isUnread(stamp) : note !== null),
    );
    for (const { path, stamp, note } of taken) remember(path, note ? encodeStamp(stamp) : null);
    // A backup by hard links touches the times of every file, and the text of none.
    const news = taken.filter(isNew);
    const notes = news.map(({ path, seen, note }) => ({
      path,
      version: note?.version ?? null,
      listed: seen === null || !note,
    }));
    if (notes.length + revisions.length > 0)
      announce({ notes, list: notes.some(({ listed }) => listed), revisions, elsewhere: false });
    return stale;
  };

  return {
    /** The index, with every change of it announced. */
    index: {
      ...index,
      apply(rows, made, attachments) {
        const before = held(rows);
        return applied(rows, before, index.apply(rows, made, attachments), made?.revisions);
      },
      async put(rows) {
        const before = held(rows);
        return applied(rows, before, await index.put(rows));
      },
    } satisfies NoteIndex as NoteIndex,
    /** Notes that were reported as changed and that the index knows already: another process came first, unless it was us. Gives whether one did. */
    async known(paths: readonly NotePath[]): Promise<boolean> {
      if (listeners.size === 0) return false;
      const notes: News["notes"] = [];
      for (const path of paths) {
        const held = index.stamp(path);
        const stamp = held && encodeStamp(held);
        if (isUnread(held)) continue;
        if (announced.has(path) && announced.get(path) === stamp) continue;
        remember(path, stamp);
        const version = await store.read(path).then(
          (file) => file?.version ?? null,
          () => index.version(path),
        );
        notes.push({ path, version, listed: true });
      }
      if (notes.length > 0) announce({ notes, list: true, revisions: [], elsewhere: true });
      return notes.length > 0;
    },
    /** Another process recorded what other programs had changed: the history is another, and no note is. */
    recordedElsewhere: () => announce({ notes: [], list: false, revisions: [], elsewhere: true }),
    /** Gives what ends it. */
    onChange(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
