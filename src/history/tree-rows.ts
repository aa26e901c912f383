/** The rows of one tree as bytes: found by name, set and taken out without making anything of the others. A folder of ten thousand notes costs hardly more than one of ten. */

import { TREE_ENTRIES } from "./budget.ts";
import { decoded, encoded, ID_BYTES, idAt, joined } from "./bytes.ts";
import { FILE, FOLDER, PATH_LIMIT, treeRow, type TreeEntry } from "./objects.ts";

/** A tree, and where each of its rows begins. Never changed: somebody may be walking through it. */
export type TreeRows = { body: Uint8Array; starts: Int32Array };

export const NO_ROWS: TreeRows = { body: new Uint8Array(0), starts: new Int32Array(0) };

/** A mode of a digit, a space, a name of one byte, NUL, an id. */
const SHORTEST = 24;
const SLASH = 0x2f;
/** Where the only row of a tree begins. */
const FIRST = Int32Array.of(0);
/** From this share of the rows on it is quicker to put all of them in order again. */
const MANY = 1 / 8;

/** Null where the bytes are no tree, or one with more rows or longer names than any of ours. */
export function rowsIn(body: Uint8Array): TreeRows | null {
  const starts = new Int32Array(Math.ceil(body.length / SHORTEST));
  let count = 0;
  for (let at = 0; at < body.length; count++) {
    const end = body.indexOf(0, at);
    if (end === -1 || end + 1 + ID_BYTES > body.length || spaceIn(body, at) > end) return null;
    if (end - at > PATH_LIMIT || count === TREE_ENTRIES) return null;
    starts[count] = at;
    at = end + 1 + ID_BYTES;
  }
  return { body, starts: starts.subarray(0, count) };
}

// Modes have five or six digits; whatever else git may have let through is sought.
function spaceIn(body: Uint8Array, at: number): number {
  if (body[at + 5] === 0x20) return at + 5;
  if (body[at + 6] === 0x20) return at + 6;
  const space = body.indexOf(0x20, at);
  return space === -1 ? body.length : space;
}

const endOf = ({ body, starts }: TreeRows, place: number): number => starts[place + 1] ?? body.length;

/** A row as it stands in the tree. */
const rowAt = (rows: TreeRows, place: number): Uint8Array =>
  rows.body.subarray(rows.starts[place], endOf(rows, place));

/** Byte for byte, also in different trees. */
export function isSameRow(rows: TreeRows, place: number, other: TreeRows, otherPlace: number): boolean {
  const [start, otherStart] = [rows.starts[place]!, other.starts[otherPlace]!];
  const length = endOf(rows, place) - start;
  if (endOf(other, otherPlace) - otherStart !== length) return false;
  const [body, otherBody] = [rows.body, other.body];
  for (let at = 0; at < length; at++) if (body[start + at] !== otherBody[otherStart + at]) return false;
  return true;
}

export function entryIn(rows: TreeRows, place: number): TreeEntry {
  const { body } = rows;
  const start = rows.starts[place]!;
  const space = spaceIn(body, start);
  const end = endOf(rows, place) - ID_BYTES;
  return {
    mode: modeAt(body, start, space),
    name: decoded(body.subarray(space + 1, end - 1)),
    id: idAt(body, end),
  };
}

const isText = (body: Uint8Array, start: number, end: number, text: string): boolean => {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (body[start + at] !== text.charCodeAt(at)) return false;
  return true;
};

const modeAt = (body: Uint8Array, start: number, space: number): string => {
  for (const mode of [FILE, FOLDER]) if (isText(body, start, space, mode)) return mode;
  return String.fromCharCode(...body.subarray(start, space));
};

export function* entriesOf(rows: TreeRows): Generator<TreeEntry> {
  for (let place = 0; place < rows.starts.length; place++) yield entryIn(rows, place);
}

type Named = { name: Uint8Array; folder: boolean };

function namedAt(rows: TreeRows, place: number): Named {
  const start = rows.starts[place]!;
  const space = spaceIn(rows.body, start);
  const name = rows.body.subarray(space + 1, endOf(rows, place) - ID_BYTES - 1);
  return { name, folder: isText(rows.body, start, space, FOLDER) };
}

/** Names are in the order of their bytes, a folder as if its name ended in a slash. */
function compareNames(one: Named, other: Named): number {
  const shared = Math.min(one.name.length, other.name.length);
  for (let at = 0; at < shared; at++)
    if (one.name[at] !== other.name[at]) return one.name[at]! - other.name[at]!;
  const next = ({ name, folder }: Named): number => name[shared] ?? (folder ? SLASH : 0);
  return next(one) - next(other);
}

/** The order of two rows, also of different trees. */
export const compareRows = (rows: TreeRows, place: number, other: TreeRows, otherPlace: number): number =>
  compareNames(namedAt(rows, place), namedAt(other, otherPlace));

/** Where a row of that name stands, or would. */
function placeOf(rows: TreeRows, named: Named): { place: number; there: boolean } {
  let [low, high] = [0, rows.starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareNames(namedAt(rows, middle), named) < 0) low = middle + 1;
    else high = middle;
  }
  return { place: low, there: low < rows.starts.length && compareNames(namedAt(rows, low), named) === 0 };
}

/** A file and a folder of one name stand in different places; a tree has one of them. */
function placeBy(rows: TreeRows, name: string): number | null {
  const bytes = encoded(name);
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
    const { place } = placeOf(rows, { name: encoded(name), folder: entry.mode === FOLDER });
    rows = spliced(rows, place, 0, row);
  }
  return rows;
}

function spliced(rows: TreeRows, place: number, gone: 0 | 1, come: Uint8Array | null): TreeRows {
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
  return { body: joined(pieces), starts: after };
}

function inOrder(old: TreeRows, fresh: ReadonlyMap<string, TreeEntry | null>): TreeRows {
  const rows: Uint8Array[] = [];
  for (let place = 0; place < old.starts.length; place++)
    if (!fresh.has(entryIn(old, place).name)) rows.push(rowAt(old, place));
  for (const entry of fresh.values()) if (entry) rows.push(treeRow(entry.mode, entry.name, entry.id));
  const named = rows.map((row) => ({ row, ...namedAt({ body: row, starts: FIRST }, 0) }));
  return rowsIn(joined(named.toSorted(compareNames).map(({ row }) => row)))!;
}
