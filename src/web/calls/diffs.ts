/** What differs between two texts, as much of it as one answer has room for; and the words that came and went, counted once for each pair. */

import { diffValue, type TextDiff } from "../../markdown/diff-value.ts";

/** Bytes of all diffs of one answer; those beyond it are left out. */
const DIFF_ROOM = 768 * 1024;
/** Longer texts are not counted: a list of changes must not wait for them. */
const COUNTED = 256 * 1024;
const REMEMBERED = 5000;

/** What stands for a diff that there was no room for. */
const UNSHOWN: TextDiff = { parts: [], words: { added: 0, removed: 0 }, unshown: 1 };

const sizeOf = (value: object | string): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Makes each diff of one answer; once there is no room left, what stands for it. */
export const diffRoom = (): ((before: string, after: string) => TextDiff) => {
  let room = DIFF_ROOM;
  return (before, after) => {
    if (room < 0) return UNSHOWN;
    const diff = diffValue(before, after);
    room -= sizeOf(diff);
    return room < 0 ? UNSHOWN : diff;
  };
};

/** The first of a list, as many as go into so many bytes. */
export const fitting = <T extends object | string>(list: readonly T[], bytes: number): T[] => {
  let room = bytes;
  const end = list.findIndex((item) => (room -= sizeOf(item) + 1) < 0);
  return end === -1 ? [...list] : list.slice(0, end);
};

export type Words = { added: number | null; removed: number | null };
export type WordCounts = (
  pair: { before: string | null; after: string | null },
  text: (version: string) => Promise<string | null>,
) => Promise<Words>;

/** Remembers the counts of pairs of versions: the same changes are listed again and again. */
export const openWordCounts = (): WordCounts => {
  const known = new Map<string, Words>();
  return async ({ before, after }, text) => {
    const key = `${before} ${after}`;
    const counted = known.get(key);
    if (counted) return counted;
    const old = before === null ? "" : await text(before);
    const now = after === null ? "" : await text(after);
    const words: Words =
      old === null || now === null || Math.max(old.length, now.length) > COUNTED
        ? { added: null, removed: null }
        : diffValue(old, now).words;
    known.set(key, words);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
    return words;
  };
};
