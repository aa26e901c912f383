/** Stamps: whether a file may have changed since the index read it. */

/** What a store says of a file: another one where the file may have changed. It ends in neither `?` nor `+`. */
export type FileStamp = string;

/**
 * What the index has read of a file. `racy`: it was read so shortly after it was saved that it may be saved again under the same stamp.
 * `partial`: not all of it is in the index yet.
 */
export type Stamp = { readonly file: FileStamp; readonly racy: boolean; readonly partial: boolean };

export const stampOf = (file: FileStamp): Stamp => ({ file, racy: false, partial: false });
export const racy = (stamp: Stamp): Stamp => ({ ...stamp, racy: true });
export const partial = (stamp: Stamp): Stamp => ({ ...stamp, partial: true });
/** The stamp of a note that is gone, or whose file nobody has looked at: no file's. */
export const NO_STAMP: Stamp = stampOf("");
/** The stamp of a note that is there and could not be read, because the store failed: no file has it, so every look at the note reads it again. */
export const UNREAD: Stamp = partial(NO_STAMP);
export const isUnread = (stamp: Stamp | null): boolean => stamp?.file === "" && stamp.partial;

/** Whether the index has all of a file as it is now. */
export const isCurrent = (held: Stamp | null | undefined, file: FileStamp): boolean =>
  !!held && held.file === file && !held.racy && !held.partial;

/** The one text that stands for a stamp where it is stored. */
export const encodeStamp = ({ file, racy, partial }: Stamp): string =>
  `${file}${racy ? "?" : ""}${partial ? "+" : ""}`;

export function decodeStamp(text: string): Stamp {
  const partial = text.endsWith("+");
  const read = partial ? text.slice(0, -1) : text;
  const racy = read.endsWith("?");
  return { file: racy ? read.slice(0, -1) : read, racy, partial };
}
