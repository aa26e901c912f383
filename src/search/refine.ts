/** Refinement: the head of a ranking is looked at once more (decisions 10 and 11). The very words come before their other forms, words close together before scattered ones, notes that many link to before others. */

import type { Analyzer } from "./analyzer.ts";
import { beginning, beginningOf } from "./bodies.ts";
import type { Outline } from "./outline.ts";
import type { QuestionWord } from "./question.ts";
import type { Ranking } from "./rank.ts";
import type { Search } from "./search.ts";
import type { Sql } from "../sqlite/sql.ts";

const LOOKED_AT = 15;
/** These shares were measured with tests of retrieval; the score itself reaches 1. */
const EXACT = 0.1;
const CLOSE = 0.2;
/** A note that very many link to gains this part of its score. */
const LINKED = 0.05;
const MANY = 100;
/** Words further apart say nothing about each other. */
const REACH = 5;
/** Characters of a body that are looked into, here or for a snippet. */
const BODY = 300_000;

/** What is read of a text to look into it. */
export type StoredText = { id: number; title: string; body: string; outline: string };
export const TEXT = `t.id, t.title, ${beginning("t.body", BODY)} AS body, t.outline`;
/** A text as \`TEXT\` reads it. */
export type KeptText = Omit<StoredText, "body"> & { body: string | Uint8Array };
export const storedText = <T extends KeptText>(sql: Sql, row: T): T & StoredText => ({
  ...row,
  body: beginningOf(sql, row.body, BODY),
});

type Row = KeptText & { path: string; links: number };

/** Pieces of writing without spaces overlap, so that they know their neighbours already: only whole words are looked at. Gives the texts it read. */
export function refine(
  { sql, analyzer }: Search,
  ranking: Ranking,
  asked: readonly QuestionWord[],
): Map<number, StoredText> {
  const words = asked.flatMap((word, at) => (word.whole ? [{ ...word, worth: ranking.worth[at]! }] : []));
  const head = ranking.head.slice(0, LOOKED_AT);
  const paths = new Map<number, string>();
  const texts = new Map<number, StoredText>();
  const score = scorerFor(analyzer, words);
  const { names, texts: withTexts } = sql.narrowed ? SEEN : ALL;
  for (const row of sql.all<Row>(words.length === 0 ? names : withTexts, JSON.stringify(head))) {
    const { id, path, links } = row;
    paths.set(id, path);
    const best = ranking.best.get(id)!;
    if (words.length > 0) {
      const text = storedText(sql, row);
      texts.set(id, text);
      const { title, body, outline } = text;
      const { chunks } = JSON.parse(outline) as Outline;
      const [start, end] = [chunks[best.chunk - 1], chunks[best.chunk]];
      best.score += score(`${title}\n${body.slice(start, end)}`);
    }
    best.score *= 1 + (LINKED * Math.log1p(links)) / Math.log1p(MANY);
  }
  const order = (a: number, b: number): number =>
    ranking.best.get(b)!.score - ranking.best.get(a)!.score || (paths.get(a)! < paths.get(b)! ? -1 : 1);
  ranking.head.splice(0, head.length, ...head.filter((id) => paths.has(id)).toSorted(order));
  return texts;
}

const links = (those: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM links l WHERE l.key = n.name_key ${those} LIMIT ${MANY})) AS links`;
const statements = (those: string) => ({
  names: `SELECT n.id, n.path, ${links(those)} ${FROM}`,
  texts: `SELECT n.path, ${links(those)}, ${TEXT} ${FROM} JOIN texts t ON t.id = n.id`,
});
const FROM = "FROM json_each(?) j JOIN notes n ON n.id = j.value";
const ALL = statements("");
const SEEN = statements("AND l.source IN (SELECT id FROM notes)");

/** 1 for the very word; for another form of it a fifth of the share of letters both begin with. */
function likenessOf(word: string, asked: ReadonlySet<string>): number {
  if (asked.has(word)) return 1;
  let most = 0;
  for (const each of asked) {
    let same = 0;
    while (same < each.length && each[same] === word[same]) same++;
    most = Math.max(most, same / Math.max(each.length, word.length));
  }
  return most / 5;
}

/** Gives how well a text fits beyond the number of its words: by the words that stand there just as in the question, and near each other. */
function scorerFor(
  { lexicon, words: { eachNumber } }: Analyzer,
  words: readonly (QuestionWord & { worth: number })[],
): (text: string) => number {
  const { termFor, codeOf, wordAt } = lexicon;
  const worth = words.map((each) => each.worth);
  const all = worth.reduce((sum, each) => sum + each, 0);
  const byTerm = new Map(
    words.flatMap(({ terms }, at) => Array.from(terms, (term) => [termFor(term).number, at] as const)),
  );
  return (text) => {
    const likeness = new Float64Array(words.length);
    const last = words.map(() => Number.NEGATIVE_INFINITY);
    const pairs = new Map<number, number>();
    let at = 0;
    eachNumber(text, (word) => {
      at++;
      const here = byTerm.get(codeOf(word) >> 1);
      if (here === undefined) return;
      likeness[here] = Math.max(likeness[here]!, likenessOf(wordAt(word).plain, words[here]!.plain));
      last.forEach((before, other) => {
        if (other === here || at - before > REACH) return;
        const pair = Math.min(here, other) * words.length + Math.max(here, other);
        pairs.set(pair, Math.max(pairs.get(pair) ?? 0, 1 / (at - before) ** 2));
      });
      last[here] = at;
    });
    let sum = 0;
    likeness.forEach((like, at) => (sum += EXACT * like * worth[at]!));
    for (const [pair, nearness] of pairs)
      sum +=
        CLOSE * nearness * Math.min(worth[Math.floor(pair / words.length)]!, worth[pair % words.length]!);
    return sum / all;
  };
}
