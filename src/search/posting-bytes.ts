/** The bytes of postings: small numbers in seven bits a byte, each as the step from the one before. */

/** A note of a block, and the chunks a term stands in, as bytes kept in a string: the numbers of `stepOf`, doubled, and one more for the last. */
export type Filed = { note: number; places: string };

/** More times than this add nothing to a score. */
const TIMES_BITS = 4;
const MOST_TIMES = 1 << TIMES_BITS;

/** The step from the chunk before, and how often a term stands there. */
export const stepOf = (chunks: number, times: number): number =>
  chunks * MOST_TIMES + Math.min(times, MOST_TIMES) - 1;

/** Writes a number, and gives where the next one goes. */
export function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  let [place, rest] = [at, number];
  for (; rest >= 0x80; rest >>>= 7) bytes[place++] = (rest & 0x7f) | 0x80;
  bytes[place] = rest;
  return place + 1;
}

/** How many bytes a number takes. */
export function bytesOf(number: number): number {
  let bytes = 1;
  for (let rest = number; rest >= 0x80; rest >>>= 7) bytes++;
  return bytes;
}

// A term is written as its key, the number of bytes that follow, and its notes: for each the step from the note before, then its places.
export const KEY_BYTES = 3;

/** Writes a key, and gives where the number of bytes goes. */
export function writeKey(bytes: Uint8Array, at: number, key: number): number {
  bytes[at] = key & 0xff;
  bytes[at + 1] = (key >>> 8) & 0xff;
  bytes[at + 2] = key >>> 16;
  return at + KEY_BYTES;
}

/** Terms by their keys, each with its notes in order. */
export function filedBytes(terms: readonly (readonly [key: number, filed: readonly Filed[]])[]): Uint8Array {
  const sizes = terms.map(([, filed]) => sizeOf(filed));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + KEY_BYTES + bytesOf(size) + size, 0));
  let at = 0;
  terms.forEach(([key, filed], which) => {
    at = writeNumber(bytes, writeKey(bytes, at, key), sizes[which]!);
    let last = 0;
    for (const { note, places } of filed) {
      at = writeNumber(bytes, at, note - last);
      last = note;
      for (let place = 0; place < places.length; place++) bytes[at++] = places.charCodeAt(place);
    }
  });
  return bytes;
}

function sizeOf(filed: readonly Filed[]): number {
  let size = 0;
  let last = 0;
  for (const { note, places } of filed) {
    size += bytesOf(note - last) + places.length;
    last = note;
  }
  return size;
}

/** Where the next number is read from. */
type Reader = { data: Uint8Array; at: number };

function nextNumber(reader: Reader): number {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.data[reader.at++]!;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return number >>> 0;
  }
}

function nextKey(reader: Reader): number {
  const { data, at } = reader;
  reader.at += 3;
  return data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16);
}

/** Bytes under rising numbers: for each the step from the number before, how many bytes follow, and these. Only those that are wanted are handed over: a view of bytes takes more memory than most of them have. */
export function eachNumbered(
  data: Uint8Array,
  wanted: (number: number) => boolean,
  visit: (number: number, bytes: Uint8Array) => void,
): void {
  const reader = { data, at: 0 };
  let number = 0;
  while (reader.at < data.length) {
    number += nextNumber(reader);
    const size = nextNumber(reader);
    if (wanted(number)) visit(number, data.subarray(reader.at, reader.at + size));
    reader.at += size;
  }
}

export function eachFiled(data: Uint8Array, visit: (key: number, filed: Filed[]) => void): void {
  const reader = { data, at: 0 };
  while (reader.at < data.length) {
    const key = nextKey(reader);
    const end = nextNumber(reader) + reader.at;
    const filed: Filed[] = [];
    let note = 0;
    while (reader.at < end) {
      note += nextNumber(reader);
      const from = reader.at;
      while ((nextNumber(reader) & 1) === 0);
      filed.push({ note, places: String.fromCharCode(...data.subarray(from, reader.at)) });
    }
    visit(key, filed);
  }
}

/** The places of a term: note, chunk, times, note, chunk, times … as far as `size`. As they are read, notes stand in order. No chunk is above `highest`. */
export type Places = { data: Int32Array; size: number; highest: number; pool: PlacePool };

/** Where the memory of places comes from. What is taken is the taker's until `reclaim`, which a question calls when it is answered. */
export type PlacePool = { take(size: number): Int32Array; reclaim(): void };

/** This many numbers are kept for the next question: 16 megabytes. */
const SPARE = 1 << 22;

export function openPlacePool(): PlacePool {
  /** Buffers in use, and spare ones, the largest first: memory that is new takes longer to get than to fill. */
  let lent: Int32Array[] = [];
  let spare: Int32Array[] = [];
  return {
    take(size) {
      const known = spare[0] && spare[0].length >= size ? spare.shift()! : new Int32Array(size);
      lent.push(known);
      return known;
    },
    reclaim() {
      let kept = 0;
      spare = [...spare, ...lent]
        .toSorted((a, b) => b.length - a.length)
        .filter(({ length }) => kept + length <= SPARE && (kept += length));
      lent = [];
    },
  };
}

/** The first place of a note, or of the next after it, before `end`, where notes are in order. */
export function firstPlaceOf({ data }: Places, note: number, end: number): number {
  let [low, high] = [0, end / 3];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (data[3 * middle]! < note) low = middle + 1;
    else high = middle;
  }
  return 3 * low;
}

export const noPlaces = (pool: PlacePool): Places => ({
  data: new Int32Array(96),
  size: 0,
  highest: 0,
  pool,
});

/** Reads what a row holds of one term, and puts it behind `places`. `first` is the number of the block's first note. */
export function readPlaces(data: Uint8Array, key: number, first: number, places: Places): void {
  const reader = { data, at: 0 };
  while (reader.at < data.length) {
    const found = nextKey(reader) === key;
    const end = nextNumber(reader) + reader.at;
    if (found) readTerm(reader, end, first, places);
    else reader.at = end;
  }
}

// This reads as `nextNumber` does, but written out: a word that every note of 100,000 has is half a million places.
function readTerm(reader: Reader, end: number, first: number, places: Places): void {
  // Each place takes a byte at least.
  makeRoom(places, 3 * (end - reader.at));
  const { data: bytes } = reader;
  const { data } = places;
  let { size, highest } = places;
  let { at } = reader;
  let note = first;
  while (at < end) {
    let byte = bytes[at++]!;
    note += byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      note += (byte & 0x7f) << shift;
    }
    let chunk = 0;
    for (let last = false; !last;) {
      byte = bytes[at++]!;
      let number = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++]!;
        number |= (byte & 0x7f) << shift;
      }
      last = (number & 1) === 1;
      chunk += number >>> (TIMES_BITS + 1);
      data[size] = note;
      data[size + 1] = chunk;
      data[size + 2] = ((number >>> 1) & (MOST_TIMES - 1)) + 1;
      size += 3;
    }
    if (chunk > highest) highest = chunk;
  }
  places.size = size;
  places.highest = highest;
  reader.at = at;
}

export function addPlace(places: Places, note: number, chunk: number, times: number): void {
  makeRoom(places, 3);
  places.data.set([note, chunk, times], places.size);
  places.size += 3;
  places.highest = Math.max(places.highest, chunk);
}

function makeRoom(places: Places, more: number): void {
  if (places.size + more <= places.data.length) return;
  const larger = places.pool.take(2 * (places.size + more));
  larger.set(places.data.subarray(0, places.size));
  places.data = larger;
}

export function joinPlaces(lists: readonly Places[], pool: PlacePool): Places {
  if (lists.length === 1) return lists[0]!;
  const all = noPlaces(pool);
  for (const { data, size, highest } of lists) {
    makeRoom(all, size);
    all.data.set(data.subarray(0, size), all.size);
    all.size += size;
    all.highest = Math.max(all.highest, highest);
  }
  return all;
}

/** Drops the places of all notes but these. */
export function keepPlaces(places: Places, notes: ReadonlySet<number>): void {
  const { data, size } = places;
  let kept = 0;
  for (let at = 0; at < size; at += 3)
    if (notes.has(data[at]!)) {
      data.copyWithin(kept, at, at + 3);
      kept += 3;
    }
  places.size = kept;
}

/** The numbers of the notes. */
export function notesIn({ data, size }: Places): Set<number> {
  const notes = new Set<number>();
  for (let at = 0; at < size; at += 3) notes.add(data[at]!);
  return notes;
}

/** The lengths of each note's chunks. */
export function lengthBytes(notes: readonly (readonly [number, readonly number[]])[]): Uint8Array {
  const bytes = new Uint8Array(notes.reduce((sum, [, lengths]) => sum + 5 * (lengths.length + 2), 0));
  let size = 0;
  let last = 0;
  for (const [note, lengths] of notes) {
    size = writeNumber(bytes, size, note - last);
    last = note;
    size = writeNumber(bytes, size, lengths.length);
    for (const length of lengths) size = writeNumber(bytes, size, length);
  }
  return bytes.slice(0, size);
}

/** For each note where its chunks' lengths begin in the bytes, how many there are, and their sum. */
export function eachLength(
  data: Uint8Array,
  visit: (note: number, at: number, chunks: number, sum: number) => void,
): void {
  const reader = { data, at: 0 };
  let note = 0;
  while (reader.at < data.length) {
    note += nextNumber(reader);
    const chunks = nextNumber(reader);
    const { at } = reader;
    let sum = 0;
    for (let chunk = 0; chunk < chunks; chunk++) sum += nextNumber(reader);
    visit(note, at, chunks, sum);
  }
}

export function lengthsAt(data: Uint8Array, at: number, chunks: number): number[] {
  const reader = { data, at };
  return Array.from({ length: chunks }, () => nextNumber(reader));
}
