/** The bodies of texts as they are kept: as they are, or packed where the database says how, because room is dear there (decision 32). */

import type { Sql, SqlValue } from "../sqlite/sql.ts";

/** A shorter body does not get shorter. */
const SHORT = 200;
/** A NUL is kept as this, in every column. */
const NO_NUL = "\ufffd";

export const keptBody = ({ packing }: Sql, body: string): SqlValue =>
  packing && body.length >= SHORT ? packing.pack(body.replaceAll("\0", NO_NUL)) : body;

export const plainBody = ({ packing }: Sql, kept: string | Uint8Array): string =>
  typeof kept === "string" ? kept : packing!.unpack(kept);

/** The first characters of a body, as a column: all of it where it is packed. `beginningOf` makes it plain. */
export const beginning = (column: string, length: number): string =>
  `CASE typeof(${column}) WHEN 'text' THEN substr(${column}, 1, ${length}) ELSE ${column} END`;

export const beginningOf = (sql: Sql, kept: string | Uint8Array, length: number): string =>
  typeof kept === "string" ? kept : plainBody(sql, kept).slice(0, length);
