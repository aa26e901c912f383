/** Broken links by what they lack: the note or attachment that they lead to, or the heading or block that they name in it. Worked out when it is asked, in steps: nothing of it is stored. */

import { missingIn, namesPlace, type Anchors } from "../markdown/anchors.ts";
import { targetKind } from "../markdown/link-forms.ts";
import type { Steps } from "../markdown/steps.ts";
import type { BrokenLink, BrokenLinks, BrokenPage, Lacking } from "../notebook/link-graph.ts";
import { isNote, type NotePath } from "../notebook/paths.ts";
import type { Sql } from "../sqlite/sql.ts";
import type { AttachmentLink } from "./attachment-links.ts";
import { readKeys, writeKeys } from "./cursor.ts";
import { shownInOrder } from "./link-query.ts";
import { linksThatMayLack, type AnchoredRow, type LinkTable } from "./link-rows.ts";
import { resolverIn } from "./link-resolver.ts";
import { anchorsIn, lackingOwn, type OwnLink } from "./own-links.ts";

/** Links to headings and blocks that are looked at in one vault; what a hostile one has beyond is counted, and left. */
const ANCHORED_LIMIT = 200_000;

/** What a cursor of this list is known by. */
const LIST = "broken";

const TABLES: readonly LinkTable[] = ["links", "file_links", "canvas_links"];
type InTable = AttachmentLink & { row: AnchoredRow; lacks: Lacking };
type Found = InTable | OwnLink;
type Anchored = InTable & { path: NotePath };

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
      const one: InTable = { row, path: link.path, table, lacks };
      if (link.path === null) found.push(one);
      else if (isNote(link.path) && namesPlace(row.anchor))
        if (anchored.length < most) anchored.push({ ...one, path: link.path });
        else left++;
      return false;
    });
  for (const one of yield* lackingPlaces(sql, anchored)) found.push(one);
  const own = yield* lackingOwn(sql, most);
  left += own.left;
  for (const one of own.links) found.push(one);
  found.sort((a, b) => compare(keysOf(a), keysOf(b)));
  const counts = { note: 0, heading: 0, block: 0, attachment: 0 };
  for (const { lacks } of found) counts[lacks]++;
  const begin = after === null ? 0 : placeAfter(found, after);
  const shown = found.slice(begin, begin + limit);
  const next = begin + limit < found.length ? writeKeys(LIST, keysOf(shown.at(-1)!)) : null;
  const stored = (yield* shownInOrder(resolver, shown.filter(isInTable), limit)) as BrokenLink[];
  const links = [...stored, ...shown.flatMap((one) => (isInTable(one) ? [] : [one.link]))].toSorted(inOrder);
  return { links, counts, next, left };
}

const isInTable = (one: Found): one is InTable => "path" in one;
const inOrder = (a: BrokenLink, b: BrokenLink): number =>
  a.source === b.source ? a.line - b.line : a.source < b.source ? -1 : 1;

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
