import { expect, test } from "vitest";
import { makeShelf, packed } from "./shelf.ts";

/** Numbers that are the same each time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}
const vectors = (count: number, size: number, next: () => number): Float32Array[] =>
  Array.from({ length: count }, () => Float32Array.from({ length: size }, next));
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, each, at) => sum + each * b[at]!, 0) / Math.hypot(...a) / Math.hypot(...b);
const row = (note: number, own: readonly Float32Array[]) => ({
  number: note,
  note,
  version: `v${note}`,
  chunks: own.length,
  data: packed(own),
});

test("a byte a number tells likeness as well as the number itself", async () => {
  const next = chance(7);
  const shelf = makeShelf();
  const notes = Array.from({ length: 300 }, () => vectors(3, 96, next));
  notes.forEach((own, note) => shelf.add(row(note, own)));
  for (const question of vectors(20, 96, next)) {
    const exact = notes
      .map((own, note) => ({ note, likeness: Math.max(...own.map((each) => cosine(each, question))) }))
      .toSorted((a, b) => b.likeness - a.likeness);
    const found = await shelf.closest(question, 10);
    const first = new Set(exact.slice(0, 12).map(({ note }) => note));
    expect(found.filter(({ note }) => first.has(note)).length).toBe(10);
    for (const { note, chunk, likeness, version } of found) {
      expect(likeness).toBeCloseTo(cosine(notes[note]![chunk - 1]!, question), 2);
      expect(version).toBe(`v${note}`);
    }
  }
});

test("a note that comes again replaces what was; one without vectors is not there; another size is passed over", async () => {
  const next = chance(3);
  const shelf = makeShelf();
  expect([shelf.size(), await shelf.closest(new Float32Array(8).fill(1), 5)]).toEqual([0, []]);
  const [a, b, other] = [vectors(1, 8, next), vectors(2, 8, next), vectors(1, 4, next)];
  shelf.add(row(1, a));
  shelf.add(row(2, []));
  shelf.add(row(3, other));
  expect((await shelf.closest(a[0]!, 5)).map(({ note }) => note)).toEqual([1]);
  shelf.add(row(1, b));
  expect(await shelf.closest(b[1]!, 5)).toEqual([
    { note: 1, version: "v1", chunk: 2, likeness: expect.closeTo(1, 2) },
  ]);
  shelf.add(row(1, []));
  expect(await shelf.closest(b[1]!, 5)).toEqual([]);
});

test("where only some notes may be seen, the closest are looked for among these", async () => {
  const next = chance(3);
  const shelf = makeShelf();
  for (let note = 0; note < 50; note++) shelf.add(row(note, vectors(1, 16, next)));
  const [question] = vectors(1, 16, next);
  const seen = new Set([3, 17, 40]);
  const found = await shelf.closest(question!, 3, seen);
  expect(new Set(found.map(({ note }) => note))).toEqual(seen);
});
