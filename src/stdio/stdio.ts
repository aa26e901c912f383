/** One connection over stdin and stdout: stdout carries protocol only, and the process ends soon after its client (decision 6). */

import { Console } from "node:console";
import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Surface } from "../surfaces/surface.ts";
import { atMost } from "../notebook/waiting.ts";
import { failureLine, messageLine } from "../protocol/failure.ts";
import { LINE_LIMIT, lineTransport, type LineTransport } from "./lines.ts";
import { connectedServer, type McpOptions } from "../protocol/mcp.ts";
import { openSession } from "../protocol/session.ts";
import type { Served } from "../protocol/subscriptions.ts";

/** How long calls under way may take to end once the client has gone; a write cut short is finished or undone at the next start. */
const GRACE = 600;
/** How long closing may take after that. */
const CLOSING = 300;

export type Connection = Pick<LineTransport, "ended" | "idle"> & { close(): Promise<void> };

/** A connection makes its own session; the principal is the one of the process. */
export type StdioOptions = Omit<McpOptions, "session">;

/** Serves one client over two streams: the connection is the session. */
export const connect = (
  surface: Surface,
  notebook: Served,
  options: StdioOptions,
  streams: { input: Readable; output: Writable; limit?: number },
): Connection => {
  const { input, output, limit = LINE_LIMIT } = streams;
  const transport = lineTransport(input, output, limit);
  const { principal, log } = options;
  const session = openSession(surface, notebook, principal, { room: transport.room, log });
  const { close } = serveStdio(() => connectedServer(surface, notebook, { ...options, session }), {
    transport,
    onerror: (error) => log(messageLine(error)),
  });
  return { ended: transport.ended, idle: transport.idle, close };
};

/** Resolves, with the exit code, when the client has gone or a signal asked to end, and the calls under way are done. `close` frees what was opened. */
export const serveProcess = async (
  surface: Surface,
  notebook: Served,
  options: StdioOptions,
  close: () => Promise<void>,
): Promise<number> => {
  // A stray console.log, ours or a library's, would break the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  const asked = new Promise<number>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(0));
    process.on("unhandledRejection", (error) =>
      options.log(failureLine("Something failed in the background; the server goes on.", error)),
    );
    // What comes after an exception that nobody caught is not known, so the session ends; whole notes are on disk either way.
    process.on("uncaughtException", (error) => {
      options.log(failureLine("Something failed, and the session ends. Every note on disk is whole.", error));
      resolve(1);
    });
  });
  const connection = connect(surface, notebook, options, { input: process.stdin, output: process.stdout });
  const code = await Promise.race([connection.ended.then(() => 0), asked]);
  await atMost(GRACE, connection.idle());
  await atMost(CLOSING, connection.close().then(close));
  return code;
};
