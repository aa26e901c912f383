/** The head of a ranking, looked at once more: the very words before their other forms, words that stand close together before scattered ones, notes that many link to before others. */

import type { Outline } from "./outline.ts";
import type { AskedWord } from "./question.ts";
import { rarity, type Ranking } from "./rank.ts";
import type { Sql } from "./sql.ts";
import { eachWord, type Word } from "./terms.ts";

const LOOKED_AT = 50;
/** Shares measured with tests of retrieval; the score itself reaches 1. */
const EXACT = 0.1;
const CLOSE = 0.1;
/** A note that very many link to gains this part of its score. */
const LINKED = 0.05;
const MANY = 100;
/** Words further apart say nothing about each other. */
const REACH = 5;
/** Longer bodies are not looked into beyond this. */
const BODY = 300_000;

type Row = { id: number; path: string; title: string; body: string; outline: string; links: number };

export function refine(sql: Sql, ranking: Ranking, words: readonly AskedWord[]): void {
  const head = ranking.ids.slice(0, LOOKED_AT);
  const rows = new Map(sql.all<Row>(HEAD, JSON.stringify(head)).map((row): [number, Row] => [row.id, row]));
  const worth = words.map(({ weight, places }) => weight * rarity(ranking.notes, notesIn(places)));
  const all = worth.reduce((sum, each) => sum + each, 0);
  for (const [id, row] of rows) {
    const best = ranking.best.get(id)!;
    const read = wordsIn(row.title).concat(wordsIn(chunkText(row, best.chunk)));
    best.score += (EXACT * exact(read, words, worth) + CLOSE * close(read, words, worth)) / all;
    best.score *= 1 + (LINKED * Math.log1p(row.links)) / Math.log1p(MANY);
  }
  const order = (a: number, b: number): number =>
    ranking.best.get(b)!.score - ranking.best.get(a)!.score ||
    (rows.get(a)!.path < rows.get(b)!.path ? -1 : 1);
  ranking.ids.splice(0, head.length, ...head.filter((id) => rows.has(id)).toSorted(order));
}

const HEAD = `SELECT n.id, n.path, t.title, substr(t.body, 1, ${BODY}) AS body, t.outline,
    (SELECT count(*) FROM (SELECT 1 FROM links l WHERE l.key = n.name_key LIMIT ${MANY})) AS links
  FROM json_each(?) j JOIN notes n ON n.id = j.value JOIN texts t ON t.id = n.id`;

function chunkText({ body, outline }: Row, chunk: number): string {
  const { chunks } = JSON.parse(outline) as Outline;
  return body.slice(chunks[chunk - 1], chunks[chunk]);
}

function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

function notesIn(places: readonly number[]): number {
  const notes = new Set<number>();
  for (let at = 0; at < places.length; at += 3) notes.add(places[at]!);
  return notes.size;
}

/** What the words are worth that stand there just as they were asked for. */
function exact(read: readonly Word[], words: readonly AskedWord[], worth: readonly number[]): number {
  const there = new Set(read.map(({ plain }) => plain));
  return words.reduce(
    (sum, { plain }, at) => sum + ([...plain].some((each) => there.has(each)) ? worth[at]! : 0),
    0,
  );
}

/** For each two words that stand near each other, what the lesser is worth, less with the square of how far. */
function close(read: readonly Word[], words: readonly AskedWord[], worth: readonly number[]): number {
  const last: number[] = words.map(() => Number.NEGATIVE_INFINITY);
  const pairs = new Map<number, number>();
  read.forEach((word, at) => {
    const here = words.findIndex(({ terms }) => terms.has(word.terms[0]!.text));
    if (here < 0) return;
    last.forEach((before, other) => {
      if (other === here || at - before > REACH) return;
      const pair = Math.min(here, other) * words.length + Math.max(here, other);
      pairs.set(pair, Math.max(pairs.get(pair) ?? 0, 1 / (at - before) ** 2));
    });
    last[here] = at;
  });
  let sum = 0;
  for (const [pair, nearness] of pairs)
    sum += nearness * Math.min(worth[Math.floor(pair / words.length)]!, worth[pair % words.length]!);
  return sum;
}
