/** Ranking: which notes have any of the words, and which fit best. Half by the note as a whole, half by its best chunk, each by BM25 over weighted fields. */

import { eachLength, lengthsAt, type Places } from "./posting-bytes.ts";
import { BLOCK, type LengthRow } from "./postings.ts";

/** A word of a question and what is filed under it. `weight` is how often it was said, `group` which part of the query it is of. */
export type Asked = { weight: number; places: Places; group: number };
export type Best = { score: number; chunk: number };
/**
 * Notes that fit: the best of them (`head`) in order, with how well they fit, the first having 1, and which of their chunks fits best; and the others,
 * which `rest` puts in order. `worth` is what each of the words counts.
 */
export type Ranking = {
  head: number[];
  best: Map<number, Best>;
  rest(): number[];
  total: number;
  worth: number[];
};

/** So many of the best notes are looked at by their chunks; the others keep the order they have as whole notes. */
const CANDIDATES = 200;
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** How much of what a note is called counts in each of its chunks. */
const NAME_SHARE = 2 / 3;

/** `lengths` are those of all notes. A note must have a word of each group of `needed`, and be one of `within`. */
export function rank(
  asked: readonly Asked[],
  lengths: readonly LengthRow[],
  needed: ReadonlySet<number>,
  within: ReadonlySet<number> | null,
): Ranking {
  const sizes = sizesOf(lengths);
  const { score, groups, worth } = noteScores(asked, sizes);
  const all = [...needed].reduce((sum, group) => sum | (1 << group), 0);
  const ids: number[] = [];
  for (const id of sizes.ids)
    if (score[id]! > 0 && (groups[id]! & all) === all && (within === null || within.has(id))) ids.push(id);
  const inOrder = (a: number, b: number): number => score[b]! - score[a]! || a - b;
  const least = leastOf(ids, score);
  const head = ids
    .filter((id) => score[id]! >= least)
    .toSorted(inOrder)
    .slice(0, CANDIDATES);
  const best = bestChunks(head, asked, sizes);
  const top = score[head[0] ?? 0]!;
  const topChunk = Math.max(...[...best.values()].map((each) => each.score), Number.MIN_VALUE);
  for (const [id, each] of best) each.score = (score[id]! / top + each.score / topChunk) / 2;
  head.sort((a, b) => best.get(b)!.score - best.get(a)!.score || a - b);
  const rest = (): number[] => ids.filter((id) => !best.has(id)).toSorted(inOrder);
  return { head, best, rest, total: ids.length, worth };
}

/** The score that the last candidate has: to find it by sorting numbers is much quicker than to sort the notes. */
function leastOf(ids: readonly number[], score: Float64Array): number {
  if (ids.length <= CANDIDATES) return 0;
  const scores = Float64Array.from(ids, (id) => score[id]!).toSorted();
  return scores[scores.length - CANDIDATES]!;
}

type Sizes = {
  ids: number[];
  /** By a note's number. */
  length: Float64Array;
  chunkLengths(id: number): number[];
  usual: number;
  usualChunk: number;
  chunkCount: number;
};

function sizesOf(rows: readonly LengthRow[]): Sizes {
  const most = rows.reduce((so, { first }) => Math.max(so, first + BLOCK), 0);
  const [length, at, chunks] = [new Float64Array(most), new Int32Array(most), new Int32Array(most)];
  const data = new Map(rows.map((row) => [row.first, row.data]));
  const ids: number[] = [];
  let [sum, named, chunkCount] = [0, 0, 0];
  for (const row of rows)
    eachLength(row.data, (note, place, count, words) => {
      const id = row.first + note;
      ids.push(id);
      length[id] = words;
      at[id] = place;
      chunks[id] = count;
      sum += words;
      named += row.data[place]! * (NAME_SHARE * (count - 1) - 1);
      chunkCount += count - 1;
    });
  return {
    ids,
    length,
    chunkLengths: (id) => lengthsAt(data.get(id - (id % BLOCK))!, at[id]!, chunks[id]!),
    usual: Math.max(1, sum / ids.length),
    usualChunk: Math.max(1, (sum + named) / chunkCount),
    chunkCount,
  };
}

/** What a word tells that so many have. */
const rarity = (count: number, having: number): number =>
  Math.log(1 + Math.max(0, count - having + 0.5) / (having + 0.5));

const saturated = (times: number, length: number, usual: number): number =>
  (times * (SATURATION + 1)) / (times + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / usual));

function noteScores(
  asked: readonly Asked[],
  sizes: Sizes,
): { score: Float64Array; groups: Int32Array; worth: number[] } {
  const score = new Float64Array(sizes.length.length);
  const times = new Float64Array(sizes.length.length);
  const groups = new Int32Array(sizes.length.length);
  const worth = asked.map(({ weight, places: { data, size }, group }) => {
    const having: number[] = [];
    for (let at = 0; at < size; at += 3) {
      const id = data[at]!;
      if (times[id] === 0) having.push(id);
      times[id]! += data[at + 2]!;
    }
    const each = weight * rarity(sizes.ids.length, having.length);
    for (const id of having) {
      score[id]! += each * saturated(times[id]!, sizes.length[id]!, sizes.usual);
      groups[id]! |= 1 << group;
      times[id] = 0;
    }
    return each;
  });
  return { score, groups, worth };
}

function bestChunks(candidates: readonly number[], asked: readonly Asked[], sizes: Sizes): Map<number, Best> {
  const lengths = new Map(candidates.map((id) => [id, sizes.chunkLengths(id)]));
  const scores = new Map(candidates.map((id) => [id, new Float64Array(lengths.get(id)!.length)]));
  const isHere = new Uint8Array(sizes.length.length);
  for (const id of candidates) isHere[id] = 1;
  for (const { weight, places } of asked) {
    const { data, size } = places;
    const here = new Map<number, Float64Array>();
    let having = 0;
    for (let at = 0; at < size; at += 3) {
      const id = data[at]!;
      const chunk = data[at + 1]!;
      if (chunk > 0) having++;
      if (isHere[id] === 0) continue;
      let times = here.get(id);
      if (!times) here.set(id, (times = new Float64Array(lengths.get(id)!.length)));
      times[chunk]! += data[at + 2]!;
    }
    const worth = weight * rarity(sizes.chunkCount, having);
    for (const [id, times] of here)
      addChunks(scores.get(id)!, times, lengths.get(id)!, worth, sizes.usualChunk);
  }
  return new Map(
    [...scores].map(([id, each]) => {
      let chunk = 1;
      for (let at = 2; at < each.length; at++) if (each[at]! > each[chunk]!) chunk = at;
      return [id, { score: each[chunk]!, chunk }];
    }),
  );
}

function addChunks(
  scores: Float64Array,
  times: Float64Array,
  lengths: readonly number[],
  worth: number,
  usual: number,
): void {
  for (let chunk = 1; chunk < scores.length; chunk++) {
    const counted = times[chunk]! + NAME_SHARE * times[0]!;
    const length = lengths[chunk]! + NAME_SHARE * lengths[0]!;
    if (counted > 0) scores[chunk]! += worth * saturated(counted, length, usual);
  }
}
