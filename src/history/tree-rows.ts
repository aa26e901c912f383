/** The rows of one tree as bytes: found by name, set and taken out without making anything of the others. A folder of ten thousand notes costs hardly more than one of ten. */

import { TREE_ENTRIES } from "./budget.ts";
import { entryAt, FOLDER, PATH_LIMIT, treeRow, type TreeEntry } from "./objects.ts";

/** A tree, and where each of its rows begins. Never changed: somebody may be walking through it. */
export type TreeRows = { body: Buffer; starts: Int32Array };

export const NO_ROWS: TreeRows = { body: Buffer.alloc(0), starts: new Int32Array(0) };

/** A mode of a digit, a space, a name of one byte, NUL, an id. */
const SHORTEST = 24;
const ID = 20;
const SLASH = 0x2f;
/** From this share of the rows on it is quicker to put all of them in order again. */
const MANY = 1 / 8;

/** Null where the bytes are no tree, or one with more rows or longer names than any of ours. */
export function rowsIn(body: Buffer): TreeRows | null {
  const starts = new Int32Array(Math.ceil(body.length / SHORTEST));
  let count = 0;
  for (let at = 0; at < body.length; count++) {
    const end = body.indexOf(0, at);
    if (end === -1 || end + 1 + ID > body.length || spaceIn(body, at) > end) return null;
    if (end - at > PATH_LIMIT || count === TREE_ENTRIES) return null;
    starts[count] = at;
    at = end + 1 + ID;
  }
  return { body, starts: starts.subarray(0, count) };
}

// Modes have five or six digits; whatever else git may have let through is sought.
function spaceIn(body: Buffer, at: number): number {
  if (body[at + 5] === 0x20) return at + 5;
  if (body[at + 6] === 0x20) return at + 6;
  const space = body.indexOf(0x20, at);
  return space === -1 ? body.length : space;
}

const endOf = ({ body, starts }: TreeRows, place: number): number => starts[place + 1] ?? body.length;

const entryIn = (rows: TreeRows, place: number): TreeEntry => entryAt(rows.body, rows.starts[place]!)!.entry;

export function* entriesOf(rows: TreeRows): Generator<TreeEntry> {
  for (let place = 0; place < rows.starts.length; place++) yield entryIn(rows, place);
}

type Named = { name: Buffer; folder: boolean };

const isFolder = (body: Buffer, start: number, space: number): boolean =>
  body.toString("latin1", start, space) === FOLDER;

/** By the bytes of the names, a folder as if its name ended in a slash. Above 0 where the row comes later than the name. */
function compared(rows: TreeRows, place: number, { name, folder }: Named): number {
  const { body } = rows;
  const start = rows.starts[place]!;
  const from = spaceIn(body, start) + 1;
  const end = endOf(rows, place) - ID - 1;
  const shared = Math.min(end - from, name.length);
  const order = body.compare(name, 0, shared, from, from + shared);
  if (order !== 0) return order;
  const next = from + shared < end ? body[from + shared]! : isFolder(body, start, from - 1) ? SLASH : 0;
  return next - (shared < name.length ? name[shared]! : folder ? SLASH : 0);
}

/** Where a row of that name stands, or would. */
function placeOf(rows: TreeRows, named: Named): { place: number; there: boolean } {
  let [low, high] = [0, rows.starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compared(rows, middle, named) < 0) low = middle + 1;
    else high = middle;
  }
  return { place: low, there: low < rows.starts.length && compared(rows, low, named) === 0 };
}

/** A file and a folder of one name stand in different places; a tree has one of them. */
function placeBy(rows: TreeRows, name: string): number | null {
  const bytes = Buffer.from(name);
  for (const folder of [false, true]) {
    const { place, there } = placeOf(rows, { name: bytes, folder });
    if (there) return place;
  }
  return null;
}

export function entryBy(rows: TreeRows, name: string): TreeEntry | undefined {
  const place = placeBy(rows, name);
  return place === null ? undefined : entryIn(rows, place);
}

/** With rows set or (null) gone. */
export function withRows(old: TreeRows, fresh: ReadonlyMap<string, TreeEntry | null>): TreeRows {
  if (fresh.size > old.starts.length * MANY) return inOrder(old, fresh);
  let rows = old;
  for (const [name, entry] of fresh) {
    const there = placeBy(rows, name);
    const row = entry && treeRow(entry.mode, name, entry.id);
    const replaced = there !== null && entry?.mode === entryIn(rows, there).mode;
    if (there !== null) rows = spliced(rows, there, 1, replaced ? row : null);
    if (!entry || replaced) continue;
    const { place } = placeOf(rows, { name: Buffer.from(name), folder: entry.mode === FOLDER });
    rows = spliced(rows, place, 0, row);
  }
  return rows;
}

function spliced(rows: TreeRows, place: number, gone: 0 | 1, come: Buffer | null): TreeRows {
  const { body, starts } = rows;
  const start = starts[place] ?? body.length;
  const end = gone === 1 ? endOf(rows, place) : start;
  const size = come?.length ?? 0;
  const after = new Int32Array(starts.length - gone + (come ? 1 : 0));
  after.set(starts.subarray(0, place));
  if (come) after[place] = start;
  const moved = place + (come ? 1 : 0);
  for (let at = place + gone; at < starts.length; at++)
    after[moved + at - place - gone] = starts[at]! + size - (end - start);
  const pieces = [body.subarray(0, start), ...(come ? [come] : []), body.subarray(end)];
  return { body: Buffer.concat(pieces), starts: after };
}

function inOrder(old: TreeRows, fresh: ReadonlyMap<string, TreeEntry | null>): TreeRows {
  const rows: Buffer[] = [];
  for (let place = 0; place < old.starts.length; place++)
    if (!fresh.has(entryIn(old, place).name))
      rows.push(old.body.subarray(old.starts[place], endOf(old, place)));
  for (const entry of fresh.values()) if (entry) rows.push(treeRow(entry.mode, entry.name, entry.id));
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  return rowsIn(Buffer.concat(keyed.toSorted((a, b) => a.key.compare(b.key)).map(({ row }) => row)))!;
}

function keyOf(row: Buffer): Buffer {
  const space = spaceIn(row, 0);
  const name = row.subarray(space + 1, row.length - ID - 1);
  return isFolder(row, 0, space) ? Buffer.concat([name, Buffer.of(SLASH)]) : name;
}
