/** Cursors: where a list goes on, as a text that only this file reads. A cursor is bound to its query, and safe from notes that come, go or change between two pages. */

import { NoteError } from "../markdown/errors.ts";
import type { Filter, Page } from "../notebook/filter.ts";
import { shortHash } from "../notebook/note.ts";

/**
 * Lists by path or name go on after the last one given (`after`). In the others a write may move a note up or down,
 * so the cursor carries a short hash of each note that was given; for a very long list only the last of them.
 */
export type Place = { given: number; after: string[] | null; hashes: number[] };

export const HASHES = 1000;
/** How many keys tell where a list goes on. */
const KEYS: Record<Page["sort"], number> = { rank: 0, path: 1, name: 2, created: 0, modified: 0 };
const VERSION = 1;

export const START: Place = { given: 0, after: null, hashes: [] };

export const hashOf = (path: string): number => Number.parseInt(shortHash(path), 16);

const queryOf = (filter: Filter, sort: Page["sort"]): string => shortHash(JSON.stringify([filter, sort]));

export function writeCursor(filter: Filter, sort: Page["sort"], { given, after, hashes }: Place): string {
  const kept = toBase64(new Uint8Array(Uint32Array.from(hashes.slice(-HASHES)).buffer));
  const keys = after ?? [];
  const head = [VERSION, queryOf(filter, sort), given, sumOf(given, keys, kept), ...keys];
  const text = toBase64(new TextEncoder().encode(JSON.stringify(head)));
  return kept === "" ? text : `${text}.${kept}`;
}

// A cursor is copied by models, which now and then drop or change a letter; then it is refused, instead of going on wrongly.
const sumOf = (given: unknown, keys: unknown[], kept: string): string =>
  shortHash(JSON.stringify([given, keys, kept]));

export function readCursor(cursor: string, filter: Filter, sort: Page["sort"]): Place {
  const parts = partsOf(cursor);
  if (!parts) throw malformed("The cursor is not one that was given here. Ask again without a cursor.");
  if (parts.query !== queryOf(filter, sort) || (parts.after?.length ?? 0) !== KEYS[sort])
    throw malformed(
      "The cursor belongs to another query. Use it with the query it was given for, or leave it out.",
    );
  return parts;
}

function partsOf(cursor: string): (Place & { query: string }) | null {
  const match = /^([\w-]{1,20000})(?:\.([\w-]{1,8000}))?$/.exec(cursor);
  if (!match) return null;
  try {
    const head: unknown = JSON.parse(new TextDecoder().decode(fromBase64(match[1]!)));
    if (!Array.isArray(head)) return null;
    const [version, query, given, sum, ...after] = head as unknown[];
    const kept = match[2] ?? "";
    const bytes = fromBase64(kept);
    if (version !== VERSION || typeof query !== "string" || !Number.isSafeInteger(given)) return null;
    if ((given as number) < 0 || sum !== sumOf(given, after, kept) || bytes.length % 4 !== 0) return null;
    if (!after.every((key) => typeof key === "string")) return null;
    return {
      query,
      given: given as number,
      after: after.length === 0 ? null : after,
      hashes: [...new Uint32Array(bytes.buffer)],
    };
  } catch {
    return null;
  }
}

type Key = string | number;

/** Where a list goes on that has an order of its own, by the keys of the last that was given. */
export const writeKeys = (list: string, keys: readonly Key[]): string =>
  toBase64(new TextEncoder().encode(JSON.stringify([VERSION, list, sumOf(0, [...keys], list), ...keys])));

export function readKeys(cursor: string, list: string): Key[] {
  const match = /^[\w-]{1,20000}$/.exec(cursor);
  try {
    const head: unknown = match && JSON.parse(new TextDecoder().decode(fromBase64(match[0])));
    const [version, of, sum, ...keys] = Array.isArray(head) ? (head as unknown[]) : [];
    if (version === VERSION && of === list && sum === sumOf(0, keys, list)) return keys as Key[];
  } catch {
    // It is refused below.
  }
  throw malformed("The cursor is not one that was given here. Ask again without a cursor.");
}

const malformed = (message: string): NoteError =>
  new NoteError("query_malformed", message, { reason: "cursor" });

const toBase64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
