/** Notes and files as resources: `note:///People/Ada.md`, a section as `note:///People/Ada.md#Heading`, a file as `note:///img/plan.png`: listed and read. */

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import { base64 } from "../markdown/base64.ts";
import { NoteError } from "../markdown/errors.ts";
import { label } from "../markdown/label.ts";
import { targetKind } from "../markdown/link-forms.ts";
import type { FirstBytes } from "../notebook/attachments.ts";
import { isShownText, mediaType, mediaTypeByName } from "../notebook/files/media-type.ts";
import { parseHandle, sectionBy, type Handle } from "../notebook/handle.ts";
import { decodeText } from "../notebook/note.ts";
import type { Notebook } from "../notebook/notebook.ts";
import { linkedPath, type AttachmentPath, type LinkedPath } from "../notebook/paths.ts";
import { nameIn } from "../notebook/vault-path.ts";
import { saySoFar } from "../notebook/waiting.ts";

export const TEMPLATE = "note:///{+path}";
const SCHEME = "note:///";
const PAGE = 100;
/** The largest note or file that fits into one line of the protocol as text; as bytes it takes a third more. */
const READ_LIMIT = 6 * 1024 * 1024;

/** So much of a file is read to see how large it is. */
const HEAD = 64 * 1024;

/** The URI of a note or file, as filling in `{+path}` of the template would give it. */
export const uriOf = (path: LinkedPath): string =>
  SCHEME + encodeURI(path).replace(/[?#]/g, encodeURIComponent).replace(/%5B/g, "[").replace(/%5D/g, "]");

/** What the URI says, decoded, as `read` takes it; what cannot be read is not found. */
const readUri = <T>(uri: string, read: (path: string, heading: string) => T): T => {
  if (!uri.startsWith(SCHEME)) throw new ResourceNotFoundError(uri.slice(0, 300));
  const [path = "", ...fragment] = uri.slice(SCHEME.length).split("#");
  try {
    return read(decodeURIComponent(path), decodeURIComponent(fragment.join("#")));
  } catch {
    throw new ResourceNotFoundError(uri.slice(0, 300));
  }
};

export const handleOf = (uri: string): Handle =>
  readUri(uri, (path, heading) => parseHandle(path + (heading === "" ? "" : `#${heading}`)));

/** The file that a URI may name, and whether nothing else can be meant; null where only a note can. */
const fileIn = (uri: string): { path: AttachmentPath; certain: boolean } | null =>
  readUri(uri, (name) => {
    const kind = targetKind(name, "wiki");
    return kind === "note"
      ? null
      : { path: linkedPath(name) as AttachmentPath, certain: kind === "attachment" };
  });

/** Where the list of files goes on: after a path. Cursors of notes have no colon. */
const FILES_AFTER = "files:";

/** The notes, and after the last of them the files. */
export const listResources = async (
  notebook: Notebook,
  cursor: string | undefined,
): Promise<ListResourcesResult> => {
  if (cursor?.startsWith(FILES_AFTER)) return listFiles(notebook, cursor.slice(FILES_AFTER.length), PAGE);
  const page = { limit: PAGE, sort: "path" as const, ...(cursor === undefined ? {} : { cursor }) };
  const found = await notebook.find({ all: [] }, page);
  const files = found.cursor === null ? await listFiles(notebook, "", PAGE - found.notes.length) : null;
  const nextCursor = found.cursor ?? files?.nextCursor;
  return {
    resources: [
      ...found.notes.map(({ path, name, title, size, modified }) => ({
        uri: uriOf(path),
        name: label(name),
        title: label(title),
        mimeType: "text/markdown",
        size,
        annotations: { lastModified: modified.toISOString() },
      })),
      ...(files?.resources ?? []),
    ],
    ...(nextCursor === undefined ? {} : { nextCursor }),
    // The list has no words of its own; clients are notified when it has changed.
    ...(found.soFar ? { _meta: { "notewright/indexed": saySoFar(found.soFar) } } : {}),
  };
};

const listFiles = async (notebook: Notebook, after: string, limit: number): Promise<ListResourcesResult> => {
  const { attachments } = await notebook.files({ folder: "", after: decoded(after), limit: limit + 1 });
  const shown = attachments.slice(0, limit);
  const last = shown.at(-1)?.path;
  return {
    resources: shown.map(({ path, size, modified }) => ({
      uri: uriOf(path),
      name: label(nameIn(path)),
      mimeType: mediaTypeByName(path),
      size,
      annotations: { lastModified: modified.toISOString() },
    })),
    ...(attachments.length > limit
      ? { nextCursor: FILES_AFTER + (last === undefined ? after : encodeURIComponent(last)) }
      : {}),
  };
};

const decoded = (cursor: string): string => {
  try {
    return decodeURIComponent(cursor);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "That cursor is not one of this list.");
  }
};

export const listTemplates = (): ListResourceTemplatesResult => ({
  resourceTemplates: [
    {
      uriTemplate: TEMPLATE,
      name: "note",
      title: "Note",
      description: "A note or file by its path, or a section of a note as path#Heading.",
    },
  ],
});

export const readResource = async (notebook: Notebook, uri: string): Promise<ReadResourceResult> => {
  const file = await fileOf(notebook, uri);
  if (file !== null) return { contents: [contentsOf(uri, file)] };
  const handle = handleOf(uri);
  const note = await notebook.read(handle.path).catch((error: unknown) => {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    throw new ResourceNotFoundError(uri.slice(0, 300), error.message);
  });
  if (note.bytes.length > READ_LIMIT) throw tooLarge("note", "Read it in parts with read_notes and lines.");
  if (note.text === null) {
    return { contents: [{ uri, mimeType: "application/octet-stream", blob: base64(note.bytes) }] };
  }
  const section = handle.heading === null ? null : sectionBy(note.text, handle, "read", note.headings);
  const text = section ? note.text.slice(section.start, section.end) : note.text;
  return { contents: [{ uri, mimeType: "text/markdown", text }] };
};

const tooLarge = (what: string, next: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The ${what} is larger than ${READ_LIMIT / 1024 / 1024} MiB. ${next}`,
  );

/** The file that a URI names, with all its bytes; null where there is none, and a note may be meant. */
const fileOf = async (notebook: Notebook, uri: string): Promise<FirstBytes | null> => {
  const named = fileIn(uri);
  if (named === null) return null;
  const { path, certain } = named;
  try {
    const head = await notebook.file(path, HEAD);
    if (head.size > READ_LIMIT) throw tooLarge("file", "It cannot be given as a resource.");
    return head.bytes.length < head.size ? await notebook.file(path, READ_LIMIT) : head;
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    if (certain) throw new ResourceNotFoundError(uri.slice(0, 300), error.message);
    return null;
  }
};

type Contents = ReadResourceResult["contents"][number];

const contentsOf = (uri: string, { path, bytes }: FirstBytes): Contents => {
  const mimeType = mediaType(path, bytes);
  const text = isShownText(path) || mimeType.startsWith("text/") ? decodeText(bytes) : null;
  return text === null ? { uri, mimeType, blob: base64(bytes) } : { uri, mimeType, text };
};
