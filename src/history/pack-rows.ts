/** Packs in rows: texts of a first recording, many deflated together in one row. Each would else leave a page half empty (decision 32). */

import type { Sql } from "../sqlite/sql.ts";
import { damage } from "./damage.ts";
import { deflated, inflated } from "./deflate.ts";

const TABLE =
  "CREATE TABLE IF NOT EXISTS git_packs (number INTEGER PRIMARY KEY, size INTEGER NOT NULL, body BLOB NOT NULL) STRICT";
/** Bytes beyond the text: workerd counts what it has made room for, in pieces of 16 kB, and refuses what fits exactly. */
export const ROOM = 64 * 1024;

export type PackRows = {
  /** What stands between two places of a pack. */
  read(number: number, start: number, size: number): Promise<Uint8Array>;
  prepare(bytes: Uint8Array): Promise<Uint8Array>;
  /** Puts a prepared pack in, inside a transaction, and gives its number. */
  insert(body: Uint8Array, size: number): number;
};

export function openPackRows(sql: Sql): PackRows {
  sql.exec(TABLE);
  /** The last pack that was read is kept: those who read one text of it mostly go on with the next. */
  let known: { number: number; body: Uint8Array } | null = null;

  async function whole(number: number): Promise<Uint8Array> {
    if (known?.number === number) return known.body;
    const row = sql.get<{ size: number; body: Uint8Array }>(
      "SELECT size, body FROM git_packs WHERE number = ?",
      number,
    );
    if (!row) throw damage("a pack is missing");
    const body = await inflated(row.body, { maxOutputLength: row.size + ROOM });
    known = { number, body };
    return body;
  }

  return {
    // A copy, or whoever keeps one text would keep them all.
    read: async (number, start, size) => new Uint8Array((await whole(number)).subarray(start, start + size)),
    prepare: deflated,
    insert(body, size) {
      const { last } = sql.get<{ last: number | null }>("SELECT max(number) AS last FROM git_packs")!;
      const number = (last ?? 0) + 1;
      sql.run("INSERT INTO git_packs VALUES (?, ?, ?)", number, size, body);
      return number;
    },
  };
}
