/** Which notes hold a piece of text. SQLite folds only ASCII, so the bodies are read in slices and folded here. */

import { foldText } from "./fold.ts";
import type { Sql } from "./sql.ts";

/** Bodies read at once: enough that the reading counts, and not the asking. */
const SLICE = 200;
/** Characters looked at for one query; about a second's work. Beyond it the answer is only part of the truth, and says so. */
export const HOLDING_LIMIT = 500_000_000;

/** `part` is folded. */
export function holding(sql: Sql, part: string, limit = HOLDING_LIMIT): { ids: number[]; whole: boolean } {
  const ids: number[] = [];
  let last = 0;
  let read = 0;
  for (;;) {
    const rows = sql.all<{ id: number; body: string }>(
      "SELECT id, body FROM texts WHERE id > ? ORDER BY id LIMIT ?",
      last,
      SLICE,
    );
    for (const { id, body } of rows) {
      if (foldText(body).includes(part)) ids.push(id);
      read += body.length;
      last = id;
    }
    if (rows.length < SLICE) return { ids, whole: true };
    if (read > limit) return { ids, whole: false };
  }
}
