/** Notes as resources: `note:///People/Ada.md`, a section as `note:///People/Ada.md#Heading`; read, listed, and told of when they change. */

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { ListResourcesResult, ReadResourceResult, Server } from "@modelcontextprotocol/server";
import { NoteError } from "../markdown/errors.ts";
import { label } from "../markdown/label.ts";
import { parseHandle, sectionBy, type Handle } from "../notebook/handle.ts";
import type { News } from "../notebook/listeners.ts";
import type { Notebook, OpenNotebook } from "../notebook/notebook.ts";
import type { NotePath } from "../notebook/paths.ts";
import { saySoFar } from "../notebook/waiting.ts";

/** A notebook that may tell of changes. */
export type Served = Notebook & Partial<Pick<OpenNotebook, "onChange">>;

export const TEMPLATE = "note:///{+path}";
const SCHEME = "note:///";
const PAGE = 100;
/** Addresses, of whichever notes; a client that wants more is told so. */
const SUBSCRIPTION_LIMIT = 1000;
/** Characters of an address, each of which is sent back with every change of its note. */
const URI_LIMIT = 2048;
/** As text in one line of the protocol; notes that are not text take a third more. */
const READ_LIMIT = 6 * 1024 * 1024;
/** Lists change often while a vault is first indexed, or by a move of a folder; clients are told once for all of it. */
const LIST_PAUSE = 1000;
const REMEMBERED = 1000;
/** From this revision of the protocol on, what a client listens to is known to the connection, not to us. */
const LISTENING_SINCE = "2026-07-28";

/** As `{+path}` of the template would be filled in. */
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
    // The list has no words of its own; clients are told when it has changed.
    ...(found.soFar ? { _meta: { "notewright/indexed": saySoFar(found.soFar) } } : {}),
  };
};

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
    const blob = Buffer.from(note.bytes).toString("base64");
    return { contents: [{ uri, mimeType: "application/octet-stream", blob }] };
  }
  const section = handle.heading === null ? null : sectionBy(note.text, handle, "read", note.headings);
  const text = section ? note.text.slice(section.start, section.end) : note.text;
  return { contents: [{ uri, mimeType: "text/markdown", text }] };
};

// A client that has gone, or has not begun, is told nothing.
const send = (sending: Promise<void>) => void sending.catch(() => undefined);

/** Tells one connection of what it subscribed to; `stop` when it has ended. */
export const tellOfChanges = (server: Server, notebook: Served) => {
  /** By note, under the names the client has for it. */
  const subscribed = new Map<NotePath, Set<string>>();
  let subscriptions = 0;
  const told = new Map<NotePath, string | null>();
  let timer: NodeJS.Timeout | undefined;
  const listens = () => (server.getNegotiatedProtocolVersion() ?? "") >= LISTENING_SINCE;

  const tell = ({ notes, list }: News): void => {
    for (const { path, version } of notes) {
      if (told.has(path) && told.get(path) === version) continue;
      told.delete(path);
      told.set(path, version);
      if (told.size > REMEMBERED) told.delete(told.keys().next().value!);
      const uris = listens() ? [uriOf(path)] : (subscribed.get(path) ?? []);
      for (const uri of uris) send(server.sendResourceUpdated({ uri }));
    }
    if (!list || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      send(server.sendResourceListChanged());
    }, LIST_PAUSE);
    timer.unref();
  };
  const unhear = notebook.onChange?.(tell);

  return {
    subscribe(uri: string): void {
      if (uri.length > URI_LIMIT)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `The URI is longer than ${URI_LIMIT} characters, so changes of it cannot be subscribed to.`,
        );
      const { path } = handleOf(uri);
      const uris = subscribed.get(path) ?? new Set();
      if (uris.has(uri)) return;
      if (subscriptions >= SUBSCRIPTION_LIMIT)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `This connection has ${SUBSCRIPTION_LIMIT} subscriptions already. End some of them first.`,
        );
      subscriptions++;
      subscribed.set(path, uris.add(uri));
    },
    unsubscribe(uri: string): void {
      const { path } = handleOf(uri);
      const uris = subscribed.get(path);
      if (uris?.delete(uri)) subscriptions--;
      if (uris?.size === 0) subscribed.delete(path);
    },
    stop(): void {
      clearTimeout(timer);
      unhear?.();
    },
  };
};
