/** Counting: how often each term stands in which chunk of one note. The arrays serve note after note; the result is the bytes that are filed. */

import { stepOf, writeNumber } from "./posting-bytes.ts";

export type TermCounts = {
  /** The terms, by their numbers in the lexicon. */
  terms: Int32Array;
  /** Where the places of each term end in `places`; they begin where those of the term before end. */
  ends: Int32Array;
  /** The chunks each term stands in, and how often: as they are filed (see posting-bytes.ts). */
  places: Uint8Array;
};

/** Counts one note at a time, from `begin` to `end`. Who pauses in between uses a counter of their own. */
export type TermCounter = {
  begin(): void;
  count(term: number, times: number): void;
  /** Gives the words of the chunk. */
  endChunk(chunk: number): number;
  end(): TermCounts;
};

type Numbers = Int32Array<ArrayBuffer>;

/** Room at first, for terms and for chunks. Many small workspaces may share the memory of one isolate. */
const FIRST = 1 << 8;
/** Bytes that any number of 32 bits may take. */
const LONGEST_STEP = 5;

export function openTermCounter(): TermCounter {
  /** How often each term stands in the chunk that is being read, and its slot among the note's terms, which is right if the term there is it. Both by the term's number. */
  let counts: Numbers = new Int32Array(FIRST);
  let slots: Numbers = new Int32Array(FIRST);
  /** The terms of the chunk that is being read. */
  let here: Numbers = new Int32Array(FIRST);
  let inChunk = 0;

  /** The term, the last chunk it stands in, and where in `steps` it begins and ends, by slot. */
  let terms: Numbers = new Int32Array(FIRST);
  let chunks: Numbers = new Int32Array(FIRST);
  let first: Numbers = new Int32Array(FIRST);
  let last: Numbers = new Int32Array(FIRST);
  let inNote = 0;

  /** Each chunk of each term, and where the next chunk of the same term is, or 0: nothing stands at 0. */
  let steps: Numbers = new Int32Array(FIRST);
  let next: Numbers = new Int32Array(FIRST);
  let places = new Uint8Array(FIRST);
  let allSteps = 1;

  function makeRoom(): void {
    const mostTerms = inNote + inChunk;
    if (mostTerms > terms.length) {
      [terms, chunks] = [grown(terms, mostTerms), grown(chunks, mostTerms)];
      [first, last] = [grown(first, mostTerms), grown(last, mostTerms)];
    }
    const mostSteps = allSteps + inChunk;
    if (mostSteps > steps.length) [steps, next] = [grown(steps, mostSteps), grown(next, mostSteps)];
  }

  return {
    begin() {
      // A note that could not be read to its end leaves counts behind.
      for (let at = 0; at < inChunk; at++) counts[here[at]!] = 0;
      [inChunk, inNote, allSteps] = [0, 0, 1];
    },
    count(term, times) {
      if (term >= counts.length) [counts, slots] = [grown(counts, term), grown(slots, term)];
      if (counts[term] === 0) {
        if (inChunk === here.length) here = grown(here, inChunk);
        here[inChunk++] = term;
      }
      counts[term]! += times;
    },
    endChunk(chunk) {
      makeRoom();
      let length = 0;
      for (let at = 0; at < inChunk; at++) {
        const term = here[at]!;
        const times = counts[term]!;
        counts[term] = 0;
        length += times;
        const step = allSteps++;
        let slot = slots[term]!;
        let before = 0;
        if (slot < inNote && terms[slot] === term) {
          before = chunks[slot]!;
          next[last[slot]!] = step;
        } else {
          slots[term] = slot = inNote++;
          terms[slot] = term;
          first[slot] = step;
        }
        steps[step] = stepOf(chunk - before, times);
        next[step] = 0;
        chunks[slot] = chunk;
        last[slot] = step;
      }
      inChunk = 0;
      return length;
    },
    end() {
      if (LONGEST_STEP * allSteps > places.length) places = new Uint8Array(2 * LONGEST_STEP * allSteps);
      const ends = new Int32Array(inNote);
      let size = 0;
      for (let slot = 0; slot < inNote; slot++) {
        for (let step = first[slot]!; step !== 0; step = next[step]!)
          size = writeNumber(places, size, steps[step]! * 2 + Number(next[step] === 0));
        ends[slot] = size;
      }
      return { terms: terms.slice(0, inNote), ends, places: places.slice(0, size) };
    },
  };
}

function grown(old: Numbers, number: number): Numbers {
  const larger = new Int32Array(2 * number);
  larger.set(old);
  return larger;
}
