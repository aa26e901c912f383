/** Subscriptions: the notes that a session wants news of, and the news that a server sends about them. */

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Server } from "@modelcontextprotocol/server";
import type { News } from "../notebook/listeners.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { NotePath } from "../notebook/paths.ts";
import { handleOf, uriOf } from "./resources.ts";

/** A notebook that gives news of changes. */
export type Served = Notebook;

export type Subscriptions = {
  add(uri: string): void;
  remove(uri: string): void;
  /** The URIs under which the client subscribed to the note. */
  of(path: NotePath): Iterable<string>;
};

/** How many URIs a session may subscribe to, of whichever notes; a further one is refused. */
const SUBSCRIPTION_LIMIT = 1000;
/** How many characters a URI may have: it is sent back with every change of its note. */
const URI_LIMIT = 2048;
/** Lists change often while a vault is first indexed, or when a folder is moved; clients are sent one notification for all of it. */
const LIST_PAUSE = 1000;
/** How many notes a server remembers the last sent version of. */
const REMEMBERED = 1000;
/** From this revision of the protocol on, the protocol library knows what a client listens to, and we do not. */
const LISTENING_SINCE = "2026-07-28";

export const openSubscriptions = (): Subscriptions => {
  const byNote = new Map<NotePath, Set<string>>();
  let count = 0;
  return {
    add(uri) {
      if (uri.length > URI_LIMIT)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `The URI is longer than ${URI_LIMIT} characters, so changes of it cannot be subscribed to.`,
        );
      const { path } = handleOf(uri);
      const uris = byNote.get(path) ?? new Set();
      if (uris.has(uri)) return;
      if (count >= SUBSCRIPTION_LIMIT)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `This connection has ${SUBSCRIPTION_LIMIT} subscriptions already. End some of them first.`,
        );
      count++;
      byNote.set(path, uris.add(uri));
    },
    remove(uri) {
      const { path } = handleOf(uri);
      const uris = byNote.get(path);
      if (uris?.delete(uri)) count--;
      if (uris?.size === 0) byNote.delete(path);
    },
    of: (path) => byNote.get(path) ?? [],
  };
};

/** Where news of changes goes. */
export type NewsTarget = { updated(path: NotePath): void; listChanged(): void };

/** Sends news of changes, until the function it gives is called: each version of a note once, and one notice for many changes of the list. */
export const sendNews = (target: NewsTarget, notebook: Served): (() => void) => {
  const sent = new Map<NotePath, string | null>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onNews = ({ notes, list }: News): void => {
    for (const { path, version } of notes) {
      if (sent.has(path) && sent.get(path) === version) continue;
      sent.delete(path);
      sent.set(path, version);
      if (sent.size > REMEMBERED) sent.delete(sent.keys().next().value!);
      target.updated(path);
    }
    if (!list || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      target.listChanged();
    }, LIST_PAUSE);
  };
  const stopListening = notebook.onChange(onNews);
  return () => {
    clearTimeout(timer);
    stopListening();
  };
};

// A client that has gone, or has not begun, is sent nothing.
const send = (sending: Promise<void>) => void sending.catch(() => undefined);

/** The client of one server, which is sent what its session subscribed to. */
export const clientOf = (server: Server, subscriptions: Subscriptions): NewsTarget => {
  const listens = () => (server.getNegotiatedProtocolVersion() ?? "") >= LISTENING_SINCE;
  return {
    updated(path) {
      const uris = listens() ? [uriOf(path)] : subscriptions.of(path);
      for (const uri of uris) send(server.sendResourceUpdated({ uri }));
    },
    listChanged: () => send(server.sendResourceListChanged()),
  };
};
