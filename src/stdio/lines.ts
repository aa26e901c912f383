/** One JSON-RPC message a line, over two streams: bounded, with back-pressure, and no line ends the session (decision 6). */

import type { Readable, Writable } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import { tooNested } from "../markdown/nesting.ts";
import type { Room } from "../protocol/slots.ts";

/** JSON may write a note's bytes as several characters each, so a line may be longer than a note. */
export const LINE_LIMIT = 4 * NOTE_LIMIT;
/** How many bytes of answers may wait to be read; above it no more requests are taken in. */
const UNREAD_LIMIT = 4 * 1024 * 1024;
/** How many bytes of requests may be unanswered; above it no more are taken in, so that their arguments fill no memory. */
const UNANSWERED_LIMIT = LINE_LIMIT;
/** How many bytes are read ahead while no requests are taken in. The end of the input is seen behind them; behind more it is not. */
const AHEAD_LIMIT = 1024 * 1024;
/** How much of the beginning and the end of a refused line is searched for its id. */
const EDGE = 1024;
/** How many characters an id may have: it is kept, and sent back with every message that belongs to its request. */
const ID_LIMIT = 1000;
const NEWLINE = 10;

type Id = string | number;

export type LineTransport = Transport & {
  /** Resolves when the other side has ended, or cannot be written to. */
  ended: Promise<void>;
  /** Resolves when every request that was read has been answered or called off. */
  idle(): Promise<void>;
  /** Resolves when the answers that were sent have been read but for a little; null where that is so now. */
  room: Room;
};

const ID = String.raw`"id"\s*:\s*(-?\d{1,16}|"[^"\\]{0,200}")`;
const FIRST_ID = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}`);
// The last brace closes the message itself, so an id right before it is the message's own.
const LAST_ID = new RegExp(String.raw`${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** The id of a line that is not parsed, where it stands at either edge. */
const idAtEdge = (start: string, end: string): Id | null => {
  const found = FIRST_ID.exec(start) ?? LAST_ID.exec(end);
  try {
    return found ? idOf({ id: JSON.parse(found[1]!) as unknown }) : null;
  } catch {
    // It looks like an id, and is no JSON: a number that begins with a zero, or a text with a control character.
    return null;
  }
};

type Refusal = { id: Id | null; code: number; refusal: string };

/** The message of a line, or why it is refused. */
const readMessage = (line: string): { message: JSONRPCMessage } | Refusal => {
  const invalid = (id: Id | null, why: string): Refusal => ({
    id,
    code: -32600,
    refusal: `Invalid request: ${why}`,
  });
  const tooMuch = tooNested(line);
  if (tooMuch !== null)
    return invalid(idAtEdge(line.slice(0, EDGE), line.slice(-EDGE)), `${tooMuch}. Send less at once.`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: null, code: -32700, refusal: "Parse error: the line is not JSON." };
  }
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(value);
  } catch {
    return invalid(idOf(value), "the line is not one JSON-RPC 2.0 message.");
  }
  if ("id" in message && typeof message.id === "string" && message.id.length > ID_LIMIT)
    return invalid(null, `its id is longer than ${ID_LIMIT} characters.`);
  return { message };
};

const idOf = (value: unknown): Id | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : null;
};

/** Cuts chunks of bytes into lines; an overlong line is refused, and its memory stays flat however long it is. */
const splitLines = (
  limit: number,
  onLine: (line: string) => void,
  refuse: (refusal: Refusal) => void,
): ((chunk: Buffer) => void) => {
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    pieces.push(piece);
    if (length <= limit) return;
    const whole = Buffer.concat(pieces);
    // Only the edges are kept, where its id may stand.
    if (whole.length > 2 * EDGE)
      pieces = [whole.subarray(0, EDGE), whole.subarray(whole.length - EDGE)].map((edge) =>
        Buffer.from(edge),
      );
  };
  const lineEnds = (): void => {
    const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    const over = length > limit;
    [pieces, length] = [[], 0];
    if (over) {
      const id = idAtEdge(whole.toString("utf8", 0, EDGE), whole.toString("utf8", whole.length - EDGE));
      const refusal = `Invalid request: the line is over the limit of ${limit} bytes. Send less at once.`;
      return refuse({ id, code: -32600, refusal });
    }
    const line = whole.toString("utf8").trim();
    if (line !== "") onLine(line);
  };
  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, at));
      lineEnds();
      start = at + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
};

/** Requests under way, by id, each with the bytes of its line. A client may send several under one id. */
const openRequests = () => {
  const sizes = new Map<Id, number[]>();
  let bytes = 0;
  return {
    bytes: () => bytes,
    none: () => sizes.size === 0,
    add(id: Id, size: number): void {
      sizes.set(id, [...(sizes.get(id) ?? []), size]);
      bytes += size;
    },
    remove(id: Id): void {
      const open = sizes.get(id);
      if (!open) return;
      bytes -= open.pop()!;
      if (open.length === 0) sizes.delete(id);
    },
  };
};

/** What was read and not taken in yet: it is taken in while there is room, and reading goes on only so far ahead. */
const openReadAhead = (input: Readable, full: () => boolean, takeIn: (chunk: Buffer) => void) => {
  const ahead: Buffer[] = [];
  let bytes = 0;
  let taking = false;
  return {
    none: () => ahead.length === 0,
    add(chunk: Buffer): void {
      ahead.push(chunk);
      bytes += chunk.length;
    },
    /** False where it is under way already: what is taken in may call it again. */
    takeIn(): boolean {
      if (taking) return false;
      taking = true;
      try {
        while (ahead.length > 0 && !full()) {
          const chunk = ahead.shift()!;
          bytes -= chunk.length;
          takeIn(chunk);
        }
      } finally {
        taking = false;
      }
      if (bytes > AHEAD_LIMIT) input.pause();
      else if (input.isPaused()) input.resume();
      return true;
    },
  };
};

export const lineTransport = (input: Readable, output: Writable, limit = LINE_LIMIT): LineTransport => {
  const requests = openRequests();
  const waiting: (() => void)[] = [];
  const waitingForRoom: (() => void)[] = [];
  let closed = false;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));

  const unread = (): boolean => output.writableLength > UNREAD_LIMIT;
  const full = (): boolean => unread() || requests.bytes() > UNANSWERED_LIMIT;
  const idle = (): boolean => requests.none() && ahead.none();
  const regulate = (): void => {
    if (closed || !ahead.takeIn()) return;
    if (!unread()) for (const wake of waitingForRoom.splice(0)) wake();
    if (idle()) for (const wake of waiting.splice(0)) wake();
  };
  const finish = (id: Id): void => {
    requests.remove(id);
    regulate();
  };
  /** `answers`: the request that is finished once the line is written. */
  const write = (line: string, answers: Id | null = null): void => {
    if (closed || output.destroyed) return;
    // A failed write shows as the stream's error event, which ends the session.
    output.write(line, () => (answers === null ? regulate() : finish(answers)));
    regulate();
  };
  const refuse = ({ id, code, refusal }: Refusal): void => {
    write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: refusal } })}\n`);
  };

  const onLine = (line: string): void => {
    const read = readMessage(line);
    if ("refusal" in read) return refuse(read);
    const { message } = read;
    if ("method" in message && "id" in message) requests.add(message.id, line.length);
    transport.onmessage?.(message);
    if ("method" in message && message.method === "notifications/cancelled")
      finish(message.params?.["requestId"] as Id);
  };
  const ahead = openReadAhead(input, full, splitLines(limit, onLine, refuse));
  const onData = (chunk: Buffer): void => {
    ahead.add(chunk);
    regulate();
  };

  const transport: LineTransport = {
    ended,
    idle: () => (idle() ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    room: () => (unread() && !closed ? new Promise((resolve) => waitingForRoom.push(resolve)) : null),
    start: async () => {
      input.on("data", onData);
      if (input.readableEnded || input.destroyed || output.destroyed || output.errored) end();
      for (const event of ["end", "close", "error"]) input.on(event, end);
      for (const event of ["close", "error"]) output.on(event, end);
    },
    // It does not wait until the line is written: who sends would keep the message meanwhile, and with it the note that it is a piece of.
    async send(message) {
      // News of changes and progress is worth nothing to a client that does not read, and there may be any number.
      if ("method" in message && unread()) return;
      const answers = "method" in message ? null : (message.id ?? null);
      write(`${JSON.stringify(message)}\n`, answers);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      for (const wake of [...waiting.splice(0), ...waitingForRoom.splice(0)]) wake();
      input.off("data", onData);
      input.pause();
      end();
      transport.onclose?.();
    },
  };
  return transport;
};
