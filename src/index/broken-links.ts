/** Broken links by what they lack: the note or attachment that they lead to, or the heading or block that they name in it. Worked out when it is asked, in steps: nothing of it is stored. */

import { anchorsOf, missingIn, namesPlace, type Anchors } from "../markdown/anchors.ts";
import { targetKind } from "../markdown/link-forms.ts";
import { readNote } from "../markdown/note.ts";
import type { Steps } from "../markdown/steps.ts";
import type { BrokenLink, BrokenLinks, BrokenPage, Lacking } from "../notebook/link-graph.ts";
import { isNote, type NotePath } from "../notebook/paths.ts";
import type { Sql } from "../sqlite/sql.ts";
import type { AttachmentLink } from "./attachment-links.ts";
import { readKeys, writeKeys } from "./cursor.ts";
import { shownInOrder } from "./link-query.ts";
import { linksThatMayLack, type AnchoredRow, type LinkTable } from "./link-rows.ts";
import { resolverIn } from "./link-resolver.ts";

/** Links to headings and blocks that are looked at in one vault; what a hostile one has beyond is counted, and left. */
export const ANCHORED_LIMIT = 200_000;

/** What a cursor of this list is known by. */
const LIST = "broken";

const TABLES: readonly LinkTable[] = ["links", "file_links", "canvas_links"];
type Found = AttachmentLink & { row: AnchoredRow; lacks: Lacking };
type Anchored = Found & { path: NotePath };

export function* brokenLinks(
  sql: Sql,
  { limit, after = null }: BrokenPage,
  most = ANCHORED_LIMIT,
): Steps<BrokenLinks> {
  const resolver = resolverIn(sql);
  const found: Found[] = [];
  const anchored: Anchored[] = [];
  let left = 0;
  for (const table of TABLES)
    yield* resolver.resolved(linksThatMayLack(sql, table), (link) => {
      const row = link.row as AnchoredRow;
      const lacks = targetKind(row.target, row.form) === "attachment" ? "attachment" : "note";
      const one: Found = { row, path: link.path, table, lacks };
      if (link.path === null) found.push(one);
      else if (isNote(link.path) && namesPlace(row.anchor))
        if (anchored.length < most) anchored.push({ ...one, path: link.path });
        else left++;
      return false;
    });
  for (const one of yield* lackingPlaces(sql, anchored)) found.push(one);
  found.sort((a, b) => compare(keysOf(a), keysOf(b)));
  const counts = { note: 0, heading: 0, block: 0, attachment: 0 };
  for (const { lacks } of found) counts[lacks]++;
  const begin = after === null ? 0 : placeAfter(found, after);
  const shown = found.slice(begin, begin + limit);
  const next = begin + limit < found.length ? writeKeys(LIST, keysOf(shown.at(-1)!)) : null;
  return { links: (yield* shownInOrder(resolver, shown, limit)) as BrokenLink[], counts, next, left };
}

/** Each note is read once for all links that name something in it. */
function* lackingPlaces(sql: Sql, links: Anchored[]): Steps<Found[]> {
  links.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const found: Found[] = [];
  let path: NotePath | null = null;
  let there: Anchors | null = null;
  for (const link of links) {
    if (path !== link.path) {
      path = link.path;
      there = yield* anchorsIn(sql, link.path);
      yield;
    }
    const lacks = there && missingIn(there, link.row);
    if (lacks) found.push({ ...link, lacks });
  }
  return found;
}

// Words of a note that has just changed are pending; its text then stands beside them.
const BODY = `SELECT n.size, coalesce((SELECT json_extract(p.text, '$.body') FROM pending_texts p WHERE p.id = n.id),
    (SELECT t.body FROM texts t WHERE t.id = n.id)) AS body FROM notes n WHERE n.path = ?`;
/** Where rows are bounded, a text is kept whole that takes at most this part of one: beside it stand its words. */
const PART_OF_ROW = 4;

/** Null where the note is not kept whole, so that nothing can be said to be missing in it. */
function* anchorsIn(sql: Sql, path: NotePath): Steps<Anchors | null> {
  const row = sql.get<{ size: number; body: string | null }>(BODY, path);
  if (!row || row.body === null) return null;
  if (sql.valueLimit !== undefined && row.size * PART_OF_ROW > sql.valueLimit) return null;
  // What stands below the fields may begin with `---`, and is no field for that.
  return anchorsOf(yield* readNote(`\n${row.body}`));
}

type Keys = [source: string, line: number, table: string, at: number];
const keysOf = ({ row, table }: Found): Keys => [row.source, row.line, table, row.at];

function compare(a: Keys, b: Keys): number {
  for (const [at, key] of a.entries()) if (key !== b[at]) return key < b[at]! ? -1 : 1;
  return 0;
}

function placeAfter(found: readonly Found[], after: string): number {
  const keys = readKeys(after, LIST) as Keys;
  const at = found.findIndex((one) => compare(keysOf(one), keys) > 0);
  return at === -1 ? found.length : at;
}
