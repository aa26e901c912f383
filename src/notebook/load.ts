/** Loading: a note as it is on disk now, why there is none, and a note made of a text that is to be written. */

import { NoteError } from "../markdown/errors.ts";
import { checkWhole } from "../markdown/half-characters.ts";
import type { Who } from "./change.ts";
import { readWithin } from "./memory.ts";
import { encodeText, type Note } from "./note.ts";
import { NOTE_LIMIT, type NoteIndex, type Parts, type Revision } from "./parts.ts";
import { isNote, nameOf, type NotePath, type LinkedPath } from "./paths.ts";
import { foldKey } from "./resolve.ts";

/** The note as it is on disk now. A path spelled in another Unicode form finds it too. `times`: where they are to be shown. */
export async function load(
  parts: Parts,
  path: NotePath,
  { times, memory }: { times?: Pick<NoteIndex, "created" | "modified">; memory?: Who["memory"] } = {},
): Promise<Note | null> {
  const read = (from: NotePath) =>
    readWithin(
      memory,
      () => parts.store.read(from),
      (file) => file.bytes,
      async () => (await parts.store.stat(from))?.size ?? 0,
    );
  const here = await read(path);
  const made = (at: NotePath, { bytes, version, modified }: NonNullable<typeof here>): Promise<Note> =>
    parts.openNote(
      at,
      bytes,
      version,
      modified,
      times && { created: () => times.created(at) ?? modified, modified: times.modified },
    );
  if (here) return made(path, here);
  const twin = twins(parts, path).find((other) => other.normalize("NFC") === path);
  const there = twin === undefined ? null : await read(twin);
  return there && (await made(twin!, there));
}

export async function missing(parts: Parts, path: NotePath): Promise<NoteError> {
  const movedTo = await parts.history.movedTo(path);
  if (movedTo)
    return new NoteError("note_missing", `The note "${path}" was moved to "${movedTo}".`, {
      path,
      name: nameOf(path),
      similar: [movedTo],
      movedTo,
    });
  const similar = parts.index.similarNames(nameOf(path), 3);
  const hint =
    similar.length === 0 ? "" : ` The nearest there are: ${similar.map((one) => `"${one}"`).join(", ")}.`;
  return new NoteError("note_missing", `There is no note "${path}".${hint}`, {
    path,
    name: nameOf(path),
    similar,
    ...(await deletion(parts, path)),
  });
}

/** For a note that was deleted: in which revision, and the last one that had it. */
export type Deleted = { by: Revision; had: Revision | null };

async function deletion(parts: Parts, path: NotePath): Promise<{ deleted?: Deleted }> {
  const [by, had = null] = await parts.history.log({ path, limit: 2 });
  const gone = by?.changes.some((change) => change.path === path && change.version === null);
  return by && gone ? { deleted: { by, had } } : {};
}

/** Notes whose path differs only in case or Unicode form. */
export const twins = ({ index: { lookup } }: Parts, path: NotePath): NotePath[] => {
  const found: LinkedPath[] = isNote(path)
    ? lookup.byPath(foldKey(path))
    : (lookup.attachments?.byPath(foldKey(path)) ?? []);
  return found.filter((other) => other !== path && !lookup.hides?.(other)) as NotePath[];
};

/** A long text is parsed in turns. */
export async function draft(parts: Parts, path: NotePath, text: string): Promise<Note> {
  checkWhole(text, "The text", { path });
  const bytes = encodeText(text);
  if (bytes.length > NOTE_LIMIT)
    throw new NoteError(
      "too_large",
      `The note "${path}" would be larger than ${NOTE_LIMIT / 1024 / 1024} MiB. Split it into several notes.`,
      { path, size: bytes.length, limit: NOTE_LIMIT },
    );
  return parts.openNote(path, bytes, parts.versionOf(bytes), parts.now());
}
