/** One JSON-RPC message a line, over two streams: bounded, with back-pressure, and no bad line ends the session. */

import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, JSONRPCNotification, Transport } from "@modelcontextprotocol/server";
import { NOTE_LIMIT } from "../notebook/parts.ts";

/** JSON may write a note's bytes as several characters each, so a line may be longer than a note. */
export const LINE_LIMIT = 4 * NOTE_LIMIT;
/** Answers that wait to be read; above it no more requests are taken in. */
const UNREAD_LIMIT = 4 * 1024 * 1024;
/** How much of an overlong line's beginning and end is kept, to find its id in. */
const EDGE = 1024;
const NEWLINE = 10;

/** Answers some requests in place of the listener. */
export type Shortcut = {
  /** The line to answer with, or null for none; no promise where the message is for the listener. */
  take(message: unknown, send: (message: object) => Promise<void>): Promise<string | null> | null;
  /** A message goes to the listener. */
  passed(message: unknown): void;
  /** The listener has answered a request, well or with an error. False where nobody waits for that. */
  answered(id: string | number, good: boolean): boolean;
  close(): void;
};

export type LineOptions = {
  limit?: number;
  shortcut?: Shortcut;
  /** Sees to it that somebody listens to the transport, and gives what tells messages from other values. Asked when a message first needs it. */
  listener(): Promise<(value: unknown) => JSONRPCMessage>;
};

export type LineTransport = Transport & {
  /** Resolves when the other side has ended, or cannot be written to. */
  ended: Promise<void>;
  /** Resolves when every request that was read has been answered or called off. */
  idle(): Promise<void>;
  /** Asks for the listener, if nobody has. */
  listen(): Promise<void>;
};

const ID = String.raw`"id"\s*:\s*(-?\d{1,16}|"[^"\\]{0,200}")`;
const FIRST_ID = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}`);
// The last brace closes the message itself, so an id right before it is the message's own.
const LAST_ID = new RegExp(String.raw`${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

export const lineTransport = (
  input: Readable,
  output: Writable,
  { limit = LINE_LIMIT, shortcut, listener }: LineOptions,
): LineTransport => {
  const pending = new Set<string | number>();
  let waiting: (() => void)[] = [];
  let pieces: Buffer[] = [];
  let length = 0;
  let closed = false;
  let parse: ((value: unknown) => JSONRPCMessage) | null = null;
  let listening: Promise<void> | null = null;
  /** Messages that came before anybody listened. */
  const held: unknown[] = [];
  let started = false;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));

  const settle = (id: unknown): void => {
    pending.delete(id as string | number);
    if (pending.size > 0) return;
    for (const tell of waiting) tell();
    waiting = [];
  };
  const write = (line: string): Promise<void> =>
    new Promise((resolve) => {
      if (closed || output.destroyed) return resolve();
      // A failed write shows as the stream's error event, which ends the session.
      output.write(line, () => resolve());
      if (output.writableLength > UNREAD_LIMIT && !input.isPaused()) {
        input.pause();
        output.once("drain", () => closed || input.resume());
      }
    });
  const refuse = (id: string | number | null, code: number, message: string): void => {
    void write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  };

  const take = (line: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return refuse(null, -32700, "Parse error: the line is not JSON.");
    }
    const id = idOf(value);
    const answer = shortcut?.take(value, send);
    if (id !== null && (answer || methodOf(value) !== null)) pending.add(id);
    if (answer) {
      const written = answer.then((said) => (said === null ? undefined : write(said)));
      void written.finally(() => id !== null && settle(id));
      return;
    }
    shortcut?.passed(value);
    if (parse) return pass(parse, value);
    held.push(value);
    void listen();
  };
  const pass = (parsed: (value: unknown) => JSONRPCMessage, value: unknown): void => {
    const id = idOf(value);
    try {
      const message = parsed(value);
      transport.onmessage?.(message);
      if (methodOf(message) === "notifications/cancelled" && id === null)
        settle((message as JSONRPCNotification).params?.["requestId"]);
    } catch {
      refuse(id, -32600, "Invalid request: the line is not one JSON-RPC 2.0 message.");
      if (id === null) return;
      shortcut?.answered(id, false);
      settle(id);
    }
  };
  const listen = (): Promise<void> =>
    (listening ??= listener().then((found) => {
      parse = found;
      for (const value of held.splice(0)) pass(found, value);
    }));
  const send = async (message: object): Promise<void> => {
    const id = methodOf(message) === null ? idOf(message) : null;
    if (id !== null && shortcut?.answered(id, "result" in message) === false) return;
    await write(`${JSON.stringify(message)}\n`);
    if (id !== null) settle(id);
  };
  const lineEnds = (): void => {
    const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    const over = length > limit;
    [pieces, length] = [[], 0];
    if (over) {
      const found =
        FIRST_ID.exec(whole.toString("utf8", 0, EDGE)) ??
        LAST_ID.exec(whole.toString("utf8", whole.length - EDGE));
      const id = found ? (JSON.parse(found[1]!) as string | number) : null;
      return refuse(
        id,
        -32600,
        `Invalid request: the line is over the limit of ${limit} bytes. Send less at once.`,
      );
    }
    const line = whole.toString("utf8").trim();
    if (line !== "") take(line);
  };
  const keep = (piece: Buffer): void => {
    length += piece.length;
    pieces.push(piece);
    if (length <= limit) return;
    // Overlong: only the edges are kept, so that memory stays flat however long the line is.
    const whole = Buffer.concat(pieces);
    if (whole.length > 2 * EDGE)
      pieces = [whole.subarray(0, EDGE), whole.subarray(whole.length - EDGE)].map((edge) =>
        Buffer.from(edge),
      );
  };
  const onData = (chunk: Buffer): void => {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, at));
      lineEnds();
      start = at + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };

  const transport: LineTransport = {
    ended,
    idle: () => (pending.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    listen,
    start: async () => {
      if (started) return;
      started = true;
      input.on("data", onData);
      for (const event of ["end", "close", "error"]) input.on(event, end);
      for (const event of ["close", "error"]) output.on(event, end);
    },
    send,
    close: async () => {
      if (closed) return;
      closed = true;
      shortcut?.close();
      input.off("data", onData);
      input.pause();
      end();
      transport.onclose?.();
    },
  };
  return transport;
};

const idOf = (value: unknown): string | number | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
};

const methodOf = (value: unknown): string | null =>
  typeof value === "object" && value !== null && "method" in value && typeof value.method === "string"
    ? value.method
    : null;
