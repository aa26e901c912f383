/** Notes as resources: `note:///People/Ada.md`, a section as `note:///People/Ada.md#Heading`: listed and read. */

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import { base64 } from "../markdown/base64.ts";
import { NoteError } from "../markdown/errors.ts";
import { label } from "../markdown/label.ts";
import { parseHandle, sectionBy, type Handle } from "../notebook/handle.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { NotePath } from "../notebook/paths.ts";
import { saySoFar } from "../notebook/waiting.ts";

export const TEMPLATE = "note:///{+path}";
const SCHEME = "note:///";
const PAGE = 100;
/** The largest note that fits into one line of the protocol as text; as bytes it takes a third more. */
const READ_LIMIT = 6 * 1024 * 1024;

/** The URI of a note, as filling in `{+path}` of the template would give it. */
export const uriOf = (path: NotePath): string =>
  SCHEME + encodeURI(path).replace(/[?#]/g, encodeURIComponent).replace(/%5B/g, "[").replace(/%5D/g, "]");

export const handleOf = (uri: string): Handle => {
  if (!uri.startsWith(SCHEME)) throw new ResourceNotFoundError(uri.slice(0, 300));
  const [path = "", ...fragment] = uri.slice(SCHEME.length).split("#");
  const heading = fragment.join("#");
  try {
    return parseHandle(decodeURIComponent(path) + (heading === "" ? "" : `#${decodeURIComponent(heading)}`));
  } catch {
    throw new ResourceNotFoundError(uri.slice(0, 300));
  }
};

export const listResources = async (
  notebook: Notebook,
  cursor: string | undefined,
): Promise<ListResourcesResult> => {
  const page = { limit: PAGE, sort: "path" as const, ...(cursor === undefined ? {} : { cursor }) };
  const found = await notebook.find({ all: [] }, page);
  return {
    resources: found.notes.map(({ path, name, title, size, modified }) => ({
      uri: uriOf(path),
      name: label(name),
      title: label(title),
      mimeType: "text/markdown",
      size,
      annotations: { lastModified: modified.toISOString() },
    })),
    ...(found.cursor === null ? {} : { nextCursor: found.cursor }),
    // The list has no words of its own; clients are notified when it has changed.
    ...(found.soFar ? { _meta: { "notewright/indexed": saySoFar(found.soFar) } } : {}),
  };
};

export const listTemplates = (): ListResourceTemplatesResult => ({
  resourceTemplates: [
    {
      uriTemplate: TEMPLATE,
      name: "note",
      title: "Note",
      description: "A note by its path, or one of its sections as path#Heading.",
      mimeType: "text/markdown",
    },
  ],
});

export const readResource = async (notebook: Notebook, uri: string): Promise<ReadResourceResult> => {
  const handle = handleOf(uri);
  const note = await notebook.read(handle.path).catch((error: unknown) => {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    throw new ResourceNotFoundError(uri.slice(0, 300), error.message);
  });
  if (note.bytes.length > READ_LIMIT)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The note is larger than ${READ_LIMIT / 1024 / 1024} MiB. Read it in parts with read_notes and lines.`,
    );
  if (note.text === null) {
    return { contents: [{ uri, mimeType: "application/octet-stream", blob: base64(note.bytes) }] };
  }
  const section = handle.heading === null ? null : sectionBy(note.text, handle, "read", note.headings);
  const text = section ? note.text.slice(section.start, section.end) : note.text;
  return { contents: [{ uri, mimeType: "text/markdown", text }] };
};
