/** Which notes hold a piece of text (decision 11). SQLite folds only ASCII, so the bodies are read in slices and folded here. */

import { atOnce, type Steps } from "../markdown/steps.ts";
import { plainBody } from "./bodies.ts";
import { foldText } from "./fold.ts";
import { LINKS_FROM } from "./note-words.ts";
import type { Places } from "./posting-bytes.ts";
import { placesOf } from "./postings.ts";
import type { Search } from "./search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { foldWord } from "./fold-word.ts";

/** Bodies that are read at once: many, because each query costs time, and fewer where they are large. */
const SLICE = 200;
const SLICE_BYTES = 4 * 1024 * 1024;
/** Characters that are scanned for one query: about a second's work. Beyond it the answer is partial, and says so. */
export const HOLDING_LIMIT = 500_000_000;

/** `whole` is false where not every note could be looked into. */
export type Holding = { ids: number[]; whole: boolean };

/** The notes whose body holds a part, which is folded. */
export const holding = (sql: Sql, part: string, limit = HOLDING_LIMIT): Steps<Holding> =>
  scan(sql, [], (body) => foldText(body).includes(part), limit, null);

const NAMES = ["title", "aliases", "path", "tags"] as const;

/** The notes that hold a stretch of writing without spaces anywhere. They have all its pieces; where pieces do not prove it, the texts are scanned. */
export function holdingStretch(search: Search, stretch: string): Holding {
  const { sql, analyzer } = search;
  const folded = foldWord(stretch);
  const isIn = (text: string): boolean => foldWord(text).includes(folded);
  const pieces = analyzer.words.piecesOf(stretch);
  if (!pieces) return atOnce(scan(sql, NAMES, isIn, HOLDING_LIMIT, null));
  const places = placesOf(search, pieces.terms);
  const [fewest, ...others] = [...places.values()].map(notesOf).toSorted((a, b) => a.size - b.size);
  const ids = [...fewest!].filter((id) => others.every((each) => each.has(id))).toSorted((a, b) => a - b);
  return pieces.exact ? { ids, whole: true } : atOnce(scan(sql, NAMES, isIn, HOLDING_LIMIT, ids));
}

function notesOf({ data, size }: Places): Set<number> {
  const notes = new Set<number>();
  for (let at = 0; at < size; at += 3) if (data[at + 1]! < LINKS_FROM) notes.add(data[at]!);
  return notes;
}

type Text = Record<(typeof NAMES)[number], string> & { id: number; body: string | Uint8Array };

/** The bodies are looked into, with what stands \`before\` them. */
function* scan(
  sql: Sql,
  before: readonly (typeof NAMES)[number][],
  isIn: (text: string) => boolean,
  limit: number,
  among: readonly number[] | null,
): Steps<Holding> {
  const ids: number[] = [];
  const these = among === null ? "" : "AND id IN (SELECT value FROM json_each(?))";
  let read = 0;
  for (let span = after(sql, (among?.[0] ?? 1) - 1); span !== null; span = after(sql, span.to)) {
    if (read > limit) return { ids, whole: false };
    if (among && span.from > (among.at(-1) ?? 0)) break;
    const inSpan = among?.filter((id) => id >= span!.from && id <= span!.to);
    const rows = sql.all<Text>(
      `SELECT ${["id", ...before, "body"].join(", ")} FROM texts WHERE id BETWEEN ? AND ? ${these} ORDER BY id`,
      span.from,
      span.to,
      ...(inSpan ? [JSON.stringify(inSpan)] : []),
    );
    for (const row of rows) {
      const { id } = row;
      const text = [...before.map((name) => row[name]), plainBody(sql, row.body)].join("\n");
      if (isIn(text)) ids.push(id);
      read += text.length;
    }
    yield;
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
