/** Git's objects as rows: one for each, and more where a value would be too long. Trees are kept as what differs from the one before, texts of a first recording many in one pack (decision 23). */

import type { Sql } from "../sqlite/sql.ts";
import { idAt, idBytes, joined } from "./bytes.ts";
import { damage } from "./damage.ts";
import { deflated, inflated } from "./deflate.ts";
import { sharedEnds } from "./delta.ts";
import { openPackRows, ROOM } from "./pack-rows.ts";
import { LIMITS, type GitObject, type Kind, type NewObject } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

// `number` is the beginning of the id: a table with a number for its key takes one row for each object, and packs bodies closely. Where
// another object has that number already, the next is taken. `base` is the object that a tree is told as a difference from, `depth` steps deep.
// An object of a `pack` has no body of its own: it begins at `start` in what the pack holds.
const TABLES = `
CREATE TABLE IF NOT EXISTS git_objects (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  kind INTEGER NOT NULL,
  size INTEGER NOT NULL,
  base BLOB,
  depth INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  pack INTEGER,
  start INTEGER,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS git_parts (
  number INTEGER NOT NULL,
  part INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (number, part)
) STRICT, WITHOUT ROWID;
`;

const KINDS: readonly Kind[] = ["blob", "tree", "commit", "tag"];
/** Hex digits of an id that make its number: all that a JavaScript number holds. */
const DIGITS = 13;
/** Numbers that are looked at for one id. Eight objects of one beginning are nobody's accident. */
const SPREAD = 8;
/** Trees on top of each other, of which each tells only what differs. */
const DEPTH = 24;
/** A shorter text does not get shorter. */
const SHORT = 200;
/** Bytes of one value; longer ones go on in `git_parts`. */
const PART = 1_500_000;

type Row = {
  number: number;
  kind: number;
  size: number;
  base: Uint8Array | null;
  depth: number;
  parts: number;
  pack: number | null;
  start: number | null;
  body: Uint8Array;
};
/** An object as it will be kept: deflated, where that is shorter, or as it is. */
export type Prepared = NewObject & { kept: Uint8Array };

export type ObjectRows = {
  /** Null where there is none. */
  read: ReadObject;
  has(id: string): boolean;
  prepare(objects: readonly NewObject[]): Promise<Prepared[]>;
  /** What is there already stays as it is. */
  insert(objects: readonly Prepared[]): void;
  /** Texts of a few kilobytes, deflated together: less than half of what they take one by one, half of it for pages that each would leave half empty. */
  insertPack(objects: readonly NewObject[]): Promise<void>;
};

/** Node 22 binds empty bytes as NULL. */
const INSERT = "INSERT INTO git_objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, x''))";

export function openObjectRows(sql: Sql): ObjectRows {
  sql.exec(TABLES);
  const packs = openPackRows(sql);

  const find = (id: string): Row | undefined => {
    const number = numberOf(id);
    return sql.get<Row>(
      "SELECT * FROM git_objects WHERE number >= ? AND number < ? AND id = ?",
      number,
      number + SPREAD,
      idBytes(id),
    );
  };
  async function bodyOf(row: Row): Promise<Uint8Array> {
    const kept = wholeOf(sql, row);
    if (row.base !== null) {
      const base = await read(idAt(row.base, 0));
      if (!base) throw damage("the tree that another was told from is missing");
      return withEnds(base.body, kept);
    }
    if (row.pack !== null) return packs.read(row.pack, row.start!, row.size);
    return kept.length === row.size ? kept : inflated(kept, { maxOutputLength: row.size + ROOM });
  }

  async function read(id: string): Promise<GitObject | null> {
    const row = find(id);
    const kind = row && KINDS[row.kind];
    if (!row || !kind || row.size > LIMITS[kind]) return null;
    const body = await bodyOf(row);
    return body.length === row.size ? { kind, body } : null;
  }

  function insertOne({ id, kind, body, kept, like }: Prepared): void {
    const number = freeNumber(sql, id);
    if (number === null) return;
    const base = like && find(like.id);
    const told = base && base.depth < DEPTH ? endsOf(like.body, body) : null;
    const [bytes, depth] = told && told.length < kept.length ? [told, base!.depth + 1] : [kept, 0];
    const parts = Math.max(0, Math.ceil(bytes.length / PART) - 1);
    sql.run(
      INSERT,
      number,
      idBytes(id),
      KINDS.indexOf(kind),
      body.length,
      depth === 0 ? null : idBytes(like!.id),
      depth,
      parts,
      null,
      null,
      bytes.subarray(0, PART),
    );
    for (let part = 1; part <= parts; part++)
      sql.run(
        "INSERT INTO git_parts VALUES (?, ?, ?)",
        number,
        part,
        bytes.subarray(part * PART, (part + 1) * PART),
      );
  }

  async function insertPack(objects: readonly NewObject[]): Promise<void> {
    const missing = objects.filter(({ id }) => !find(id));
    if (missing.length === 0) return;
    const whole = joined(missing.map(({ body }) => body));
    const kept = await packs.prepare(whole);
    sql.transaction(() => {
      const pack = packs.insert(kept, whole.length);
      let start = 0;
      for (const { id, kind, body } of missing) {
        const number = freeNumber(sql, id);
        const of = [number, idBytes(id), KINDS.indexOf(kind), body.length, null, 0, 0, pack, start, null];
        if (number !== null) sql.run(INSERT, ...of);
        start += body.length;
      }
    });
  }

  return {
    read,
    has: (id) => find(id) !== undefined,
    prepare: (objects) => Promise.all(objects.map(prepared)),
    insert: (objects) => sql.transaction(() => objects.forEach(insertOne)),
    insertPack,
  };
}

async function prepared(object: NewObject): Promise<Prepared> {
  const { kind, body } = object;
  // Most of a tree is ids, which do not get shorter.
  const shorter = kind === "tree" || body.length < SHORT ? null : await deflated(body);
  return { ...object, kept: shorter && shorter.length < body.length ? shorter : body };
}

const wholeOf = (sql: Sql, { number, parts, body }: Row): Uint8Array =>
  parts === 0
    ? body
    : joined([
        body,
        ...sql
          .all<{ body: Uint8Array }>("SELECT body FROM git_parts WHERE number = ? ORDER BY part", number)
          .map((part) => part.body),
      ]);

/** The number that an object gets; null where it is there already. */
function freeNumber(sql: Sql, id: string): number | null {
  const first = numberOf(id);
  const near = sql.all<{ number: number; id: Uint8Array }>(
    "SELECT number, id FROM git_objects WHERE number >= ? AND number < ?",
    first,
    first + SPREAD,
  );
  if (near.some((row) => idAt(row.id, 0) === id)) return null;
  const taken = new Set(near.map((row) => row.number));
  let number = first;
  while (taken.has(number)) number++;
  if (number >= first + SPREAD) throw new Error("too many objects begin alike");
  return number;
}

const numberOf = (id: string): number => Number.parseInt(id.slice(0, DIGITS), 16);

/** A body as what differs from its base: how many bytes they share at the beginning and at the end, four bytes each, and what stands between. */
function endsOf(base: Uint8Array, body: Uint8Array): Uint8Array {
  const { start, end } = sharedEnds(base, body);
  const between = body.subarray(start, body.length - end);
  const told = new Uint8Array(8 + between.length);
  const view = new DataView(told.buffer);
  view.setUint32(0, start);
  view.setUint32(4, end);
  told.set(between, 8);
  return told;
}

function withEnds(base: Uint8Array, told: Uint8Array): Uint8Array {
  const view = new DataView(told.buffer, told.byteOffset, told.length);
  const [start, end] = [view.getUint32(0), view.getUint32(4)];
  return joined([base.subarray(0, start), told.subarray(8), base.subarray(base.length - end)]);
}
