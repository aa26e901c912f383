import { expect, test } from "vitest";
import { openAnalyzer } from "./analyzer.ts";
import { eachBucket } from "./new-postings.ts";
import { readWords, wordsOf, type NoteWords } from "./note-words.ts";
import { eachFiled, noPlaces, openPlacePool, readPlaces } from "./posting-bytes.ts";

const analyzer = openAnalyzer();
const { lexicon } = analyzer;
const wordsIn = (body: string): NoteWords =>
  wordsOf(analyzer, { title: "T", aliases: "", path: "t.md", tags: "", body, sections: [], labels: [] });

const filled = (word: string, count: number): string => Array(count).fill(word).join(" ");

const expectFiled = (notes: { note: number; words: NoteWords }[]): void => {
  const filed = new Map<string, string>();
  eachBucket(lexicon, notes, (bucket, bytes) =>
    eachFiled(bytes, (key, each) => {
      for (const { note, places } of each) filed.set(`${bucket} ${key} ${note}`, places);
    }),
  );
  const said = new Map<string, string>();
  for (const { note, words } of notes)
    words.terms.forEach((term, at) => {
      const { bucket, key } = lexicon.termAt(term);
      const places = words.places.subarray(words.ends[at - 1] ?? 0, words.ends[at]);
      said.set(`${bucket} ${key} ${note}`, String.fromCharCode(...places));
    });
  expect(filed).toEqual(said);
};

test("what is written for many notes at once is what each of them says of its terms", () => {
  const notes = Array.from({ length: 300 }, (_, at) => ({
    // Steps of one byte and of two.
    note: at < 100 ? at : at + 200,
    words: wordsIn(`common rare${at % 7} ${filled("often", at)} own${at}`),
  }));
  expectFiled(notes);
});

test("more terms than there was room for at first come in the middle of it", () => {
  const many = Array.from({ length: 70_000 }, (_, at) => `new${at}`).join(" ");
  expectFiled([
    { note: 1, words: wordsIn("alpha beta") },
    { note: 2, words: wordsIn(many) },
    { note: 3, words: wordsIn("alpha gamma") },
  ]);
});

test("a term that takes more than 127 bytes is read back whole", () => {
  const notes = Array.from({ length: 200 }, (_, note) => ({ note, words: wordsIn("everywhere") }));
  const places = noPlaces(openPlacePool());
  const { bucket, key } = lexicon.termFor("everywher");
  eachBucket(lexicon, notes, (each, bytes) => each === bucket && readPlaces(bytes, key, 512, places));
  const found = Array.from({ length: 200 }, (_, note) => [512 + note, 1, 1]).flat();
  expect([...places.data.subarray(0, places.size)]).toEqual(found);
});

test("a note that could not be counted to its end leaves nothing behind", () => {
  const before = wordsIn("one two");
  const unreadable = {
    start: 0,
    get heading(): string {
      throw new Error("unreadable");
    },
  };
  expect(() =>
    wordsOf(analyzer, {
      title: "three",
      aliases: "",
      path: "t.md",
      tags: "",
      body: "four",
      sections: [unreadable],
      labels: [],
    }),
  ).toThrow("unreadable");
  expect(wordsIn("one two")).toEqual(before);
});

test("a note that is read in steps comes out as if it had been read at once, also where another is read between two of them", () => {
  const body = Array.from({ length: 30_000 }, (_, at) => `# h${at % 50}\nword${at % 999} plain`).join("\n");
  const note = { title: "T", aliases: "", path: "t.md", tags: "", body, sections: [], labels: [] };
  const atOnce = wordsOf(analyzer, note);
  for (const disturbed of [false, true]) {
    const steps = readWords(analyzer, note);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next(), count++) if (disturbed && count === 2) wordsIn("other words");
    expect(count).toBe(Math.floor(body.length / 65_536));
    expect(step.value).toEqual(atOnce);
  }
});
