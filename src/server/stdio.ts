/** One connection over stdin and stdout: stdout carries protocol only, and the process ends soon after its client. */

import { Console } from "node:console";
import type { Surface } from "../surfaces/surface.ts";
import type { McpOptions } from "./calls.ts";
import { defectLine } from "./defect.ts";
import type { Served } from "./notes-as-resources.ts";
import { openSession } from "./session.ts";

/** How long calls under way may take to end once the client has gone; a write cut short is finished or undone at the next start. */
const GRACE = 600;
/** How long closing may take after that. */
const CLOSING = 300;
/** When the protocol library is loaded, if nothing has asked for it: a client that lists no resources is still told when they change. */
const LISTENING_AFTER = 1000;

const atMost = (work: Promise<unknown>, milliseconds: number): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Resolves, with the exit code, when the client has gone or a signal asked to end, and the calls under way are done. `close` frees what was opened. */
export const stdioSession = async (
  surface: Surface,
  notebook: Served,
  options: McpOptions,
  close: () => Promise<void>,
): Promise<number> => {
  // A stray console.log, ours or a library's, would break the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  const asked = new Promise<number>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(0));
    process.on("unhandledRejection", (error) => options.log(`defect: ${defectLine(error)}`));
    // What comes after an exception that nobody caught is not known, so the session ends; whole notes are on disk either way.
    process.on("uncaughtException", (error) => {
      options.log(`defect: ${defectLine(error)}`);
      resolve(1);
    });
  });
  const session = openSession(surface, notebook, options, { input: process.stdin, output: process.stdout });
  const listening = setTimeout(() => void session.listen(), LISTENING_AFTER);
  const code = await Promise.race([session.ended.then(() => 0), asked]);
  clearTimeout(listening);
  await atMost(session.idle(), GRACE);
  await atMost(session.close().then(close), CLOSING);
  return code;
};
