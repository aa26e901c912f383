/** A session: what outlives a request of a client. Over stdio it is the connection; over HTTP several requests share one. */

import type { Who } from "../notebook/change.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Surface } from "../surfaces/surface.ts";
import { openingOf, type Opening } from "./opening.ts";
import type { Principal } from "./principal.ts";
import { openSlots, type Room, type SlotLimits, type Slots } from "./slots.ts";
import { openSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { openWriteQueue, type WriteQueue } from "./write-queue.ts";

/** A plain value: sessions that must share a part, such as the order of writes, are given the same one. */
export type Session = {
  /** The history keeps it with each change as its connection; "undo mine" finds a session's changes by it. */
  id: string;
  /** The order of its writes, and the limit on its calls under way. */
  queue: WriteQueue;
  /** How many of its reading calls run at once, and how much of the notes they hold in memory. */
  slots: Slots;
  /** Whether its answers are read; no call begins while too many wait. */
  room: Room;
  opening: Opening;
  subscriptions: Subscriptions;
  /** The troubles of the vault that its client was sent already. */
  sentTroubles: Set<string>;
};

/** A further call of a client is refused. */
const CALL_LIMIT = 1000;
/** A reading call runs beside these many others; it holds so many bytes of notes, or is the one call that holds more. */
export const READING: SlotLimits = { calls: 8, bytes: 1024 * 1024 };

export type SessionOptions = {
  id?: string;
  room?: Room;
  /** Shared, where several sessions of one process are to be bounded together. */
  slots?: Slots;
  /** Shared with an earlier session of the same client, so that its writes stay in order. */
  queue?: WriteQueue;
  /** Takes one line, for people. */
  log(line: string): void;
};

/** Begins a session of the principal on the surface: its opening block is built from what that principal may see. */
export const openSession = (
  surface: Surface,
  notebook: Notebook,
  principal: Principal,
  { id = crypto.randomUUID(), room = () => null, slots, queue, log }: SessionOptions,
): Session => {
  const builder: Who = {
    ...whoAsks(surface, principal, id, { tool: "opening", client: "notewright" }),
    patience: "endless",
  };
  return {
    id,
    queue: queue ?? openWriteQueue(CALL_LIMIT),
    slots: slots ?? openSlots(READING, room),
    room,
    opening: openingOf(surface, notebook.as(builder), log),
    subscriptions: openSubscriptions(),
    sentTroubles: new Set(),
  };
};

/** Who is sent news of the notes that the principal may see. */
export const whoListens = (surface: Surface, principal: Principal, session: string): Who =>
  whoAsks(surface, principal, session, { tool: "news", client: "notewright" });

/** Who asks, as the engine and the history know it. */
export const whoAsks = (
  surface: Surface,
  principal: Principal,
  session: string,
  { tool, client }: { tool: string; client: string },
): Who => ({
  client: principal.name ?? client,
  ...(principal.name === null ? {} : { program: client }),
  rights: principal.rights,
  ...(principal.folders === "all" ? {} : { folders: principal.folders }),
  surface: surface.name,
  tool,
  connection: session,
});
