/** Pointers: what the history holds of an attachment in place of its bytes, which it never holds: size and SHA-256, in the form that git-lfs gives them. An attachment's version is that of its pointer (decision 22). */

import { isNote } from "./paths.ts";

const FIRST = "version https://git-lfs.github.com/spec/v1";
const POINTER = new RegExp(
  `^${FIRST.replaceAll(".", "\\.")}\noid sha256:([0-9a-f]{64})\nsize (\\d{1,15})\n$`,
);

export type Pointer = { sha256: string; size: number };

export const pointerText = ({ sha256, size }: Pointer): string =>
  `${FIRST}\noid sha256:${sha256}\nsize ${size}\n`;

/** The longest text that may be a pointer. */
const LONGEST = 200;

export function readPointer(bytes: Uint8Array): Pointer | null {
  if (bytes.length > LONGEST) return null;
  const [, sha256, size] = POINTER.exec(new TextDecoder().decode(bytes)) ?? [];
  return sha256 === undefined ? null : { sha256, size: Number(size) };
}

/** The largest canvas whose links are followed. */
export const CANVAS_LIMIT = 8 * 1024 * 1024;

export const isCanvas = (path: string): boolean => /\.canvas$/i.test(path);

/** Whether the bytes of such a file are what its version is of: notes are text, and so is a canvas, in which links are rewritten. */
export const isText = (path: string, size: number): boolean =>
  isNote(path) || (isCanvas(path) && size <= CANVAS_LIMIT);

/** Whether these bytes stand for an attachment, instead of being what its file holds. */
export const pointsTo = (path: string, bytes: Uint8Array): boolean =>
  !isNote(path) && readPointer(bytes) !== null;
