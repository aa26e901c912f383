/** Puts texts into SQLite's full-text table and takes them out. It keeps no text, so it is given the columns each time, and the same ones again when they go (decision 32). */

import type { Sql } from "../sqlite/sql.ts";
import { WORD_COLUMNS } from "./text-tables.ts";

/** The number of a note and its columns, in the order of the table. */
export type FullText = [id: number, ...columns: string[]];

/** Characters of one lot, as JSON: a value may have 2 MB in a Durable Object, and a character takes three bytes at most. */
const LOT = 600_000;
const COLUMNS = Array.from({ length: WORD_COLUMNS.split(", ").length }, (_, at) => `value ->> ${at + 1}`);

export const putFullText = (sql: Sql, texts: readonly FullText[]): void =>
  inLots(sql, texts, `(rowid, ${WORD_COLUMNS})`, "");

/** Every column must be as it was put in, or the counts of the table go wrong for good. */
export const dropFullText = (sql: Sql, texts: readonly FullText[]): void =>
  inLots(sql, texts, `(words, rowid, ${WORD_COLUMNS})`, "'delete', ");

// The table empties its memory to disk whenever a statement is begun that could fail half-way, so there are as few statements as may be.
function inLots(sql: Sql, texts: readonly FullText[], into: string, first: string): void {
  let [lot, length]: [string[], number] = [[], 0];
  const put = (): void => {
    if (lot.length > 0)
      sql.run(
        `INSERT INTO words ${into} SELECT ${first}value ->> 0, ${COLUMNS.join(", ")} FROM json_each(?)`,
        `[${lot.join(",")}]`,
      );
    [lot, length] = [[], 0];
  };
  for (const text of texts) {
    const json = JSON.stringify(text.map(stored));
    if (length + json.length > LOT) put();
    if (json.length > LOT)
      sql.run(
        `INSERT INTO words ${into} VALUES (${first}${text.map(() => "?").join(", ")})`,
        ...text.map(stored),
      );
    else {
      lot.push(json);
      length += json.length;
    }
  }
  put();
}

/** A value as it is once it was stored: without NUL, and without halves of characters. */
const stored = (value: string | number): string | number =>
  typeof value === "string" ? value.replaceAll(/[\0\p{Surrogate}]/gu, "\ufffd") : value;
