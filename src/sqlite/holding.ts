/** Which notes hold a piece of text. SQLite folds only ASCII, so the bodies are read in slices and folded here. */

import { foldText } from "./fold.ts";
import type { Sql } from "./sql.ts";

/** Bodies read at once: enough that the reading counts, and not the asking; and few where they are large. */
const SLICE = 200;
const SLICE_BYTES = 4 * 1024 * 1024;
/** Characters looked at for one query; about a second's work. Beyond it the answer is only part of the truth, and says so. */
export const HOLDING_LIMIT = 500_000_000;

/** `part` is folded. */
export function holding(sql: Sql, part: string, limit = HOLDING_LIMIT): { ids: number[]; whole: boolean } {
  const ids: number[] = [];
  let read = 0;
  for (let span = after(sql, 0); span !== null; span = after(sql, span.to)) {
    if (read > limit) return { ids, whole: false };
    const rows = sql.all<{ id: number; body: string }>(
      "SELECT id, body FROM texts WHERE id BETWEEN ? AND ? ORDER BY id",
      span.from,
      span.to,
    );
    for (const { id, body } of rows) {
      if (foldText(body).includes(part)) ids.push(id);
      read += body.length;
    }
  }
  return { ids, whole: true };
}

/** The next notes whose bodies together are not too large, or the next one alone. */
function after(sql: Sql, last: number): { from: number; to: number } | null {
  const next = sql.all<{ id: number; size: number }>(
    "SELECT id, size FROM notes WHERE id > ? ORDER BY id LIMIT ?",
    last,
    SLICE,
  );
  let bytes = 0;
  const over = next.findIndex(({ size }, at) => (bytes += size) > SLICE_BYTES && at > 0);
  const ending = over === -1 ? next.at(-1) : next[over - 1];
  return ending ? { from: next[0]!.id, to: ending.id } : null;
}
