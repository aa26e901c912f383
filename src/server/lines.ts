/** One JSON-RPC message a line, over two streams: bounded, with back-pressure, and no bad line ends the session. */

import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  serializeMessage,
} from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { NOTE_LIMIT } from "../notebook/parts.ts";

/** JSON may write a note's bytes as several characters each, so a line may be longer than a note. */
export const LINE_LIMIT = 4 * NOTE_LIMIT;
/** Answers that wait to be read; above it no more requests are taken in. */
const UNREAD_LIMIT = 4 * 1024 * 1024;
/** How much of an overlong line's beginning and end is kept, to find its id in. */
const EDGE = 1024;
const NEWLINE = 10;

/** Answers some requests in place of whoever listens to the transport. */
export type Shortcut = {
  /** The line to answer with, or null for none; no promise where the message is for the listener. */
  take(message: unknown): Promise<string | null> | null;
  /** A message goes to the listener. */
  passed(message: unknown): void;
  /** The listener has answered a request, well or with an error. */
  answered(id: string | number, good: boolean): void;
  close(): void;
};

export type LineTransport = Transport & {
  /** Resolves when the other side has ended, or cannot be written to. */
  ended: Promise<void>;
  /** Resolves when every request that was read has been answered or called off. */
  idle(): Promise<void>;
};

const ID = String.raw`"id"\s*:\s*(-?\d{1,16}|"[^"\\]{0,200}")`;
const FIRST_ID = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}`);
// The last brace closes the message itself, so an id right before it is the message's own.
const LAST_ID = new RegExp(String.raw`${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

export const lineTransport = (
  input: Readable,
  output: Writable,
  limit = LINE_LIMIT,
  shortcut?: Shortcut,
): LineTransport => {
  const pending = new Set<string | number>();
  let waiting: (() => void)[] = [];
  let pieces: Buffer[] = [];
  let length = 0;
  let closed = false;
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
    const answer = shortcut?.take(value);
    if (answer && id !== null) {
      pending.add(id);
      void answer.then((said) => (said === null ? undefined : write(said))).finally(() => settle(id));
      return;
    }
    try {
      const message = parseJSONRPCMessage(value);
      if (isJSONRPCRequest(message)) pending.add(message.id);
      shortcut?.passed(value);
      transport.onmessage?.(message);
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
        settle(message.params?.requestId);
    } catch {
      refuse(id, -32600, "Invalid request: the line is not one JSON-RPC 2.0 message.");
      if (id === null) return;
      shortcut?.answered(id, false);
      settle(id);
    }
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
    start: async () => {
      input.on("data", onData);
      for (const event of ["end", "close", "error"]) input.on(event, end);
      for (const event of ["close", "error"]) output.on(event, end);
    },
    send: async (message: JSONRPCMessage) => {
      const id = "id" in message && !("method" in message) ? message.id : undefined;
      if (id !== undefined) shortcut?.answered(id, "result" in message);
      await write(serializeMessage(message));
      if (id !== undefined) settle(id);
    },
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
