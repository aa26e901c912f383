/** Ranking: which notes have any of the words, and which fit best (decision 10). About half of a score is that of the note as a whole, half that of its best chunk, each by BM25 over weighted fields. */

import { NAME_SHARE, type Sizes } from "./lengths.ts";
import { firstPlaceOf, type Places } from "./posting-bytes.ts";

/** A word of a question and what is filed under it. `weight` is how often the question has it, `group` which part of the question it is of. */
export type WeightedWord = { weight: number; places: Places; group: number };
export type Best = { score: number; chunk: number };
/**
 * Notes that fit: the best of them (`head`) in order, with how well they fit, the first having 1, and which of their chunks fits best; and the others,
 * which `rest` puts in order. `worth` is what each of the words counts.
 */
export type Ranking = {
  head: number[];
  best: Map<number, Best>;
  rest(): number[];
  /** Which of these fit. */
  among(ids: ReadonlySet<number>): Set<number>;
  total: number;
  worth: number[];
};

/** This many of the best notes are looked at by their chunks; the others keep the order they have as whole notes. */
const CANDIDATES = 200;
/** These were measured with tests of retrieval: a little more or less of any of these serves nearly alike. */
const SATURATION = 1.3;
const LENGTH_SHARE = 0.75;
const CHUNK_SHARE = 0.45;

/** A note must have a word of each group of `needed`, and be one of `within`. */
export type Ranker = (
  words: readonly WeightedWord[],
  sizes: Sizes,
  needed: ReadonlySet<number>,
  within: ReadonlySet<number> | null,
) => Ranking;

export function openRanker(): Ranker {
  const scorer = openScorer();
  return (words, sizes, needed, within) => ranked(scorer(words, sizes), words, sizes, needed, within);
}

function ranked(
  { ids: having, scores, groups, worth, spread }: Scored,
  words: readonly WeightedWord[],
  sizes: Sizes,
  needed: ReadonlySet<number>,
  within: ReadonlySet<number> | null,
): Ranking {
  const all = [...needed].reduce((sum, group) => sum | (1 << group), 0);
  // Notes are known by their places in these lists, which are as long as there are notes with a word, not as there are notes.
  const fitting = new Int32Array(having.length);
  let total = 0;
  for (let at = 0; at < having.length; at++)
    if ((groups[at]! & all) === all && (within === null || within.has(having[at]!))) fitting[total++] = at;
  const fit = fitting.subarray(0, total);
  const inOrder = (a: number, b: number): number => scores[b]! - scores[a]! || having[a]! - having[b]!;
  const least = leastOf(fit, scores);
  const good: number[] = [];
  for (let at = 0; at < total; at++) if (scores[fit[at]!]! >= least) good.push(fit[at]!);
  const first = good.toSorted(inOrder).slice(0, CANDIDATES);
  const head = first.map((at) => having[at]!);
  const best = bestChunks(head, words, spread, sizes);
  const top = scores[first[0] ?? 0]!;
  const topChunk = Math.max(...[...best.values()].map((each) => each.score), Number.MIN_VALUE);
  for (const at of first) {
    const each = best.get(having[at]!)!;
    each.score = ((1 - CHUNK_SHARE) * scores[at]!) / top + (CHUNK_SHARE * each.score) / topChunk;
  }
  head.sort((a, b) => best.get(b)!.score - best.get(a)!.score || a - b);
  const rest = (): number[] =>
    Array.from(fit.filter((at) => !best.has(having[at]!)))
      .toSorted(inOrder)
      .map((at) => having[at]!);
  const among = (ids: ReadonlySet<number>): Set<number> =>
    new Set([...fit].flatMap((at) => (ids.has(having[at]!) ? [having[at]!] : [])));
  return { head, best, rest, among, total, worth };
}

/** The score that the last candidate has. To sort the notes by it would take much longer. */
function leastOf(fit: Int32Array, scores: Float64Array): number {
  if (fit.length <= CANDIDATES) return 0;
  const numbers = new Float64Array(fit.length);
  for (let at = 0; at < fit.length; at++) numbers[at] = scores[fit[at]!]!;
  return nthHighest(numbers, CANDIDATES);
}

/** Quickselect: it parts the numbers around one of them, and goes on in the part that holds the one it looks for. It changes their order. */
export function nthHighest(numbers: Float64Array, nth: number): number {
  const wanted = numbers.length - nth;
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (numbers[left]! < pivot) left++;
      while (numbers[right]! > pivot) right--;
      if (left <= right) {
        const kept = numbers[left]!;
        numbers[left++] = numbers[right]!;
        numbers[right--] = kept;
      }
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return numbers[wanted]!;
}

/** How much a word tells that this many of all have. */
const rarity = (count: number, having: number): number =>
  Math.log(1 + Math.max(0, count - having + 0.5) / (having + 0.5));

const saturated = (times: number, length: number, usual: number): number =>
  (times * (SATURATION + 1)) / (times + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / usual));

/** How many chunks have a word, and how far notes are in order among its places; labels of links come behind. */
type Spread = { chunks: number; inOrder: number };
type Scored = {
  ids: Int32Array;
  scores: Float64Array;
  groups: Int32Array;
  worth: number[];
  spread: Spread[];
};

/** Finds the notes that have any of the words; and of each how well it fits, and which groups it has a word of. */
function openScorer(): (words: readonly WeightedWord[], sizes: Sizes) => Scored {
  /** These are kept by a note's number, and cleared after each question: to make new ones for each would take longer than to answer it. */
  let [times, groupsOf] = [new Int32Array(0), new Int32Array(0)];
  let scoreOf = new Float64Array(0);
  /** Lists of notes, with room for all of them. */
  let [here, found] = [new Int32Array(0), new Int32Array(0)];

  function roomFor(notes: number): void {
    if (times.length >= notes) return;
    const size = Math.max(256, 2 * notes);
    const ints = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const larger = new Int32Array(size);
      larger.set(old);
      return larger;
    };
    [times, groupsOf, here, found] = [ints(times), ints(groupsOf), ints(here), ints(found)];
    const scores = new Float64Array(size);
    scores.set(scoreOf);
    scoreOf = scores;
  }

  return (words, sizes) => {
    roomFor(sizes.length.length);
    let count = 0;
    const spread: Spread[] = [];
    const worth = words.map(({ weight, places: { data, size }, group }) => {
      let [having, chunks, last, inOrder] = [0, 0, -1, size];
      // Local names: a variable that another function may set is looked up each time.
      let [counts, these, those, seen, points] = [times, here, found, groupsOf, scoreOf];
      for (let at = 0; at < size;) {
        const id = data[at]!;
        if (id < last && at < inOrder) inOrder = at;
        last = id;
        // The places of a note stand side by side.
        let sum = 0;
        for (; at < size && data[at] === id; at += 3) {
          if (data[at + 1]! > 0) chunks++;
          sum += data[at + 2]!;
        }
        // This note came after the lengths were read.
        if (id >= counts.length) {
          roomFor(id + 1);
          [counts, these, those, seen, points] = [times, here, found, groupsOf, scoreOf];
        }
        if (counts[id] === 0) these[having++] = id;
        counts[id]! += sum;
      }
      const each = weight * rarity(sizes.notes, having);
      for (let at = 0; at < having; at++) {
        const id = these[at]!;
        if (seen[id] === 0) those[count++] = id;
        seen[id]! |= 1 << group;
        points[id]! += each * saturated(counts[id]!, sizes.length[id] ?? 0, sizes.usual);
        counts[id] = 0;
      }
      spread.push({ chunks, inOrder });
      return each;
    });
    const ids = found.slice(0, count);
    const [scores, groups] = [new Float64Array(count), new Int32Array(count)];
    for (let at = 0; at < count; at++) {
      const id = ids[at]!;
      scores[at] = scoreOf[id]!;
      groups[at] = groupsOf[id]!;
      scoreOf[id] = groupsOf[id] = 0;
    }
    return { ids, scores, groups, worth, spread };
  };
}

function bestChunks(
  candidates: readonly number[],
  words: readonly WeightedWord[],
  spread: readonly Spread[],
  sizes: Sizes,
): Map<number, Best> {
  const lengths = new Map(candidates.map((id) => [id, sizes.chunkLengths(id)]));
  const scores = new Map(candidates.map((id) => [id, new Float64Array(lengths.get(id)!.length)]));
  words.forEach(({ weight, places }, which) => {
    const { chunks, inOrder } = spread[which]!;
    const { data, size } = places;
    const counts = new Map<number, Float64Array>();
    const count = (id: number, at: number): void => {
      let times = counts.get(id);
      if (!times) counts.set(id, (times = new Float64Array(lengths.get(id)!.length)));
      times[data[at + 1]!]! += data[at + 2]!;
    };
    for (const id of candidates)
      for (let at = firstPlaceOf(places, id, inOrder); at < inOrder && data[at] === id; at += 3)
        count(id, at);
    for (let at = inOrder; at < size; at += 3) if (lengths.has(data[at]!)) count(data[at]!, at);
    const worth = weight * rarity(sizes.chunks, chunks);
    for (const [id, times] of counts)
      addChunks(scores.get(id)!, times, lengths.get(id)!, worth, sizes.usualChunk);
  });
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
  counts: Float64Array,
  lengths: readonly number[],
  worth: number,
  usual: number,
): void {
  for (let chunk = 1; chunk < scores.length; chunk++) {
    const counted = counts[chunk]! + NAME_SHARE * counts[0]!;
    const length = lengths[chunk]! + NAME_SHARE * lengths[0]!;
    if (counted > 0) scores[chunk]! += worth * saturated(counted, length, usual);
  }
}
