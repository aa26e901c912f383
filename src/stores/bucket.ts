/** A bucket of R2, as far as the store asks anything of it: what its keys mean, what is told beside each note, and which failure is which. */

import { NoteError } from "../markdown/errors.ts";
import { makeNote } from "../notebook/note.ts";
import { isNote, RULES, type NotePath } from "../notebook/paths.ts";
import { isLeftover, isVaultFile, nameIn, TRASH } from "../notebook/vault-path.ts";

type Listed = { key: string; etag: string; size: number; uploaded: Date };
/** An object with its bytes, and what its owner told beside them. */
export type Fetched = Listed & {
  arrayBuffer(): Promise<ArrayBuffer>;
  body: ReadableStream<Uint8Array>;
  httpMetadata?: object;
  customMetadata?: Record<string, string>;
};
/** The calls of `R2Bucket` that we make. */
export type Bucket = {
  head(key: string): Promise<Listed | null>;
  /** `range`: only so many of its first bytes; `size` is that of the whole. */
  get(key: string, how?: { range: { offset: number; length: number } }): Promise<Fetched | null>;
  /** Null where the condition does not hold. A stream must be one of known length, as that of an object is. */
  put(key: string, bytes: Bytes, how: PutOptions): Promise<Listed | null>;
  delete(key: string): Promise<void>;
  list(how: { prefix: string; startAfter?: string; limit?: number }): Promise<{
    objects: Listed[];
    truncated: boolean;
  }>;
};
export type Bytes = Uint8Array | ReadableStream<Uint8Array>;
export type PutOptions = {
  onlyIf: { etagMatches: string } | { etagDoesNotMatch: "*" };
  customMetadata: Record<string, string>;
  httpMetadata?: object;
  /** Hex digits: R2 refuses bytes that have another hash. */
  sha256?: string;
};

const encoder = new TextEncoder();

/** On the tag that is known, or on there being nothing. */
export const onlyIfStill = (etag: string): PutOptions["onlyIf"] =>
  etag === "" ? { etagDoesNotMatch: "*" } : { etagMatches: etag };

/** A run of keys in the order of its paths: what they begin with, and what those paths begin with. */
export type Area = { prefix: string; root: string };
const NOTES: Area = { prefix: "notes/", root: "" };
const ATTACHMENTS: Area = { prefix: "attachments/", root: "" };
const HIDDEN: readonly Area[] = [
  { prefix: "trash/", root: `${TRASH}/` },
  { prefix: "rules/", root: RULES },
];
/** Beside the notes of a workspace lie other files, what was removed, and its rule files. */
export const AREAS: readonly Area[] = [NOTES, ATTACHMENTS, ...HIDDEN];
/** Copies of our own, made where files take each other's names; nobody lists them. */
export const STAGED: Area = { prefix: "staged/", root: ".staged/" };

export const areaOf = (path: string): Area =>
  [...HIDDEN, STAGED].find(({ root }) => path.startsWith(root)) ?? (isNote(path) ? NOTES : ATTACHMENTS);

export function keyOf(workspace: string, path: string): string {
  const { prefix, root } = areaOf(path);
  return `${workspace}/${prefix}${path.slice(root.length)}`;
}

/** Bytes of the longest key that R2 takes. */
const KEY_LIMIT = 1024;

/** Refused before anything is decided: R2 would never take it. */
export function checkKey(workspace: string, path: string): void {
  const bytes = encoder.encode(keyOf(workspace, path)).length;
  if (bytes <= KEY_LIMIT) return;
  const most = KEY_LIMIT - (bytes - encoder.encode(path).length);
  throw new NoteError(
    "path_refused",
    `The path is too long for the bucket: it has ${encoder.encode(path).length} bytes, and there is room for ${most}. A letter outside of English has two to four. Nothing was changed; choose shorter names, or fewer folders.`,
    { path, limit: most },
  );
}

/** Null for what another program put there that is no file of a vault. */
export function pathOf(workspace: string, area: Area, key: string): string | null {
  const path = area.root + key.slice(workspace.length + 1 + area.prefix.length);
  // Another file is named as a note would be, but for its ending.
  const named =
    area === ATTACHMENTS ? isVaultFile(`${path}.md`) && !isLeftover(nameIn(path)) : isVaultFile(path);
  return named && areaOf(path) === area ? path : null;
}

/** Bytes of all that is told beside a note, and how much of its text is looked at for that. */
const METADATA = 2048;
const LOOKED_AT = 16 * 1024;

/** Title, type, tags and time, as a published spec has them: cut where they are too long, never refused. */
export function metadataOf(path: string, bytes: Uint8Array, modified: Date): Record<string, string> {
  if (!isNote(path)) return { modified: modified.toISOString() };
  const beginning = encoder.encode(new TextDecoder().decode(bytes.subarray(0, LOOKED_AT)));
  const { title, fields, tags } = makeNote(path as NotePath, beginning, "", modified);
  const { type } = fields as Record<string, unknown>;
  const told = {
    modified: modified.toISOString(),
    title,
    type: typeof type === "string" ? type : "",
    tags: [...new Set([...tags.fields, ...tags.inline])].join(","),
  };
  let left = METADATA - Object.keys(told).join("").length;
  return Object.fromEntries(
    Object.entries(told).map(([name, text]) => {
      const cut = shortened(text, left);
      left -= encoder.encode(cut).length;
      return [name, cut];
    }),
  );
}

/** The beginning of a text, in so many bytes at most. */
function shortened(text: string, most: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= most) return text;
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, most))).replace(/\ufffd+$/, "");
}

/** R2 takes one write a second to one key, and says so with 429 (its code is 10058). */
export const isTooSoon = (error: unknown): boolean =>
  /\(10058\)|\b429\b/.test(error instanceof Error ? error.message : "");

export const bucketFailed = (error: unknown, path?: string): NoteError =>
  new NoteError(
    "disk_failed",
    "The bucket that holds the notes could not be reached. Nothing was changed; try again in a moment.",
    { reason: error instanceof Error ? error.message.slice(0, 200) : "unknown", ...(path ? { path } : {}) },
  );

/** What the bucket says, as a refusal that a caller can act on. */
export async function refusing<T>(work: () => Promise<T>, path?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NoteError ? error : bucketFailed(error, path);
  }
}
