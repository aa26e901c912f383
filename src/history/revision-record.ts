/** One pending revision, or one proposal, as bytes: a line that lists its objects, then what they hold; a folder's tree as what differs from the one before (decision 16). */

import { decoded, encoded, joined } from "./bytes.ts";
import { sharedEnds } from "./delta.ts";
import { newObject } from "./hashing.ts";
import { isId, LIMITS, type GitObject, type Kind, type NewObject } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

/** `like`: the first `start` and the last `end` bytes are those of that object. */
type Listed = { kind: Kind; id: string; size: number; like?: { id: string; start: number; end: number } };

/** Larger revisions are put into the history at once: writing their text twice would take longer. */
export const RECORD_LIMIT = 64 * 1024;
/** The bytes that a record may unfold to, those of the objects it differs from among them. They are counted before anything is copied. */
export const UNFOLDED_LIMIT = 64 * 1024 * 1024;
const LINE_LIMIT = 16 * 1024;
const KINDS = new Set<unknown>(["blob", "tree", "commit"]);

/** Null where it would unfold to more than a reader takes. */
export function encodeRecord(objects: readonly NewObject[], limit = LINE_LIMIT): Uint8Array | null {
  if (objects.some(({ kind, body }) => body.length > LIMITS[kind])) return null;
  if (objects.reduce((sum, object) => sum + unfolded(object), 0) > UNFOLDED_LIMIT) return null;
  const pieces: Uint8Array[] = [];
  const list = objects.map(({ id, kind, body, like }): Listed => {
    if (!like) {
      pieces.push(body);
      return { kind, id, size: body.length };
    }
    const { start, end } = sharedEnds(like.body, body);
    const piece = body.subarray(start, body.length - end);
    pieces.push(piece);
    return { kind, id, size: piece.length, like: { id: like.id, start, end } };
  });
  const line = encoded(`${JSON.stringify(list)}\n`);
  return line.length > limit ? null : joined([line, ...pieces]);
}

/** The bytes of an object, and of the one that it differs from, which is kept beside it. */
export const unfolded = ({ body, like }: NewObject): number => body.length + (like?.body.length ?? 0);

/**
 * Null where they are not what `encodeRecord` gives: each object is as its id says, or the whole does not count.
 * `room` is what may still be unfolded, and grows less by it.
 */
export async function decodeRecord(
  bytes: Uint8Array,
  read: ReadObject,
  room: { left: number } = { left: UNFOLDED_LIMIT },
): Promise<NewObject[] | null> {
  const decoding = objectsIn(bytes, room, LINE_LIMIT);
  let step = decoding.next();
  while (!step.done) step = decoding.next(await read(step.value));
  return step.value;
}

/** A record in which no object differs from one elsewhere. `line`: how long the line at its beginning may be. */
export function decodeWhole(bytes: Uint8Array, line: number): NewObject[] | null {
  const decoding = objectsIn(bytes, { left: UNFOLDED_LIMIT }, line);
  const step = decoding.next();
  return step.done ? step.value : null;
}

/** Asks for the objects that are elsewhere, by their ids. */
function* objectsIn(
  bytes: Uint8Array,
  room: { left: number },
  limit: number,
): Generator<string, NewObject[] | null, GitObject | null> {
  const list = listIn(bytes, limit);
  if (!list) return null;
  const objects = new Map<string, NewObject>();
  let at = bytes.indexOf(10) + 1;
  for (const { kind, id, size, like } of list) {
    const piece = bytes.subarray(at, (at += size));
    const base = like && (objects.get(like.id) ?? (yield like.id));
    if (like && (!base || like.start + like.end > base.body.length)) return null;
    const length = piece.length + (like ? like.start + like.end : 0);
    room.left -= length + (base?.body.length ?? 0);
    if (length > LIMITS[kind] || room.left < 0) return null;
    const parts =
      like && base
        ? [base.body.subarray(0, like.start), piece, base.body.subarray(base.body.length - like.end)]
        : [piece];
    const object = newObject(kind, parts.length === 1 ? piece : joined(parts));
    if (object.id !== id) return null;
    objects.set(id, like && base ? { ...object, like: { id: like.id, body: base.body } } : object);
  }
  return at === bytes.length ? [...objects.values()] : null;
}

function listIn(bytes: Uint8Array, limit: number): Listed[] | null {
  const end = bytes.indexOf(10);
  if (end === -1 || end > limit) return null;
  try {
    const list: unknown = JSON.parse(decoded(bytes.subarray(0, end)));
    return Array.isArray(list) && list.every(isListed) ? list : null;
  } catch {
    return null;
  }
}

const isLength = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isListed(value: unknown): value is Listed {
  const { kind, id, size, like } = (value ?? {}) as Partial<Listed>;
  if (!KINDS.has(kind) || !isId(String(id)) || !isLength(size)) return false;
  return like === undefined || (isId(String(like?.id)) && isLength(like?.start) && isLength(like?.end));
}
