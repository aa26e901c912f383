/** Vectors in memory, and which of them are most like one: every one is compared, a slice at a time, so that nobody waits for it. */

import type { Version } from "../notebook/parts.ts";
import type { Near, VectorRow } from "../notebook/vectors.ts";

/** In all; a vault of a hundred thousand notes comes to about half. What is beyond is found by its words. */
const BYTES = 400_000_000;
/** So many numbers are compared at a stretch: a few milliseconds. */
const SLICE = 4_000_000;

type Kept = { version: Version; size: number; data: Int8Array; lengths: Float32Array };

export type Shelf = {
  add(row: VectorRow): void;
  /** How many numbers a vector has; 0 where there is none. */
  size(): number;
  /** `among`: only of these notes. */
  closest(vector: Float32Array, limit: number, among?: ReadonlySet<number>): Promise<Near[]>;
};

export function makeShelf(): Shelf {
  const kept = new Map<number, Kept>();
  let bytes = 0;
  return {
    add({ note, version, chunks, data }) {
      bytes -= kept.get(note)?.data.length ?? 0;
      kept.delete(note);
      if (chunks === 0 || data.length % chunks !== 0 || bytes + data.length > BYTES) return;
      const numbers = new Int8Array(data.slice().buffer);
      kept.set(note, {
        version,
        size: numbers.length / chunks,
        data: numbers,
        lengths: lengthsOf(numbers, chunks),
      });
      bytes += numbers.length;
    },
    size: () => kept.values().next().value?.size ?? 0,
    async closest(vector, limit, among) {
      const found: Near[] = [];
      let work = 0;
      for (const [note, { version, size, data, lengths }] of kept) {
        if (size !== vector.length || among?.has(note) === false) continue;
        found.push({ note, version, ...bestChunk(vector, data, lengths) });
        work += data.length;
        if (work < SLICE) continue;
        work = 0;
        await new Promise((resolve) => setTimeout(resolve));
      }
      const own = Math.hypot(...vector);
      return found
        .toSorted((a, b) => b.likeness - a.likeness || a.note - b.note)
        .slice(0, limit)
        .map((each) => ({ ...each, likeness: each.likeness / own }));
    },
  };
}

/** Not yet divided by the length of the vector asked for, which is the same for all. */
function bestChunk(
  vector: Float32Array,
  data: Int8Array,
  lengths: Float32Array,
): Pick<Near, "chunk" | "likeness"> {
  let [best, likeness] = [0, Number.NEGATIVE_INFINITY];
  for (let chunk = 0; chunk < lengths.length; chunk++) {
    const from = chunk * vector.length;
    let sum = 0;
    for (let at = 0; at < vector.length; at++) sum += vector[at]! * data[from + at]!;
    const each = sum / lengths[chunk]!;
    if (each > likeness) [best, likeness] = [chunk, each];
  }
  return { chunk: best + 1, likeness };
}

function lengthsOf(data: Int8Array, chunks: number): Float32Array {
  const size = data.length / chunks;
  return Float32Array.from({ length: chunks }, (_, chunk) => {
    let sum = 0;
    for (let at = chunk * size; at < (chunk + 1) * size; at++) sum += data[at]! ** 2;
    return Math.sqrt(sum) || 1;
  });
}

/** A signed byte a number, the largest being 127: only the direction of a vector counts. */
export function packed(vectors: readonly Float32Array[]): Uint8Array {
  const size = vectors[0]?.length ?? 0;
  const data = new Int8Array(size * vectors.length);
  vectors.forEach((vector, chunk) => {
    const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), Number.MIN_VALUE);
    for (let at = 0; at < size; at++) data[chunk * size + at] = Math.round((127 * vector[at]!) / largest);
  });
  return new Uint8Array(data.buffer);
}
