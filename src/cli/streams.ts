/** The standard streams of a process, whose readers may go at any time: what nobody reads any more is not an error. */

import type { Writable } from "node:stream";
import type { Screen } from "./progress.ts";

type Process = { stdout: Writable; stderr: Writable & Screen; exitCode?: string | number | null | undefined };

/** A pipe without a reader, a terminal that was closed. */
const GONE = new Set(["EPIPE", "ECONNRESET", "EIO", "ENXIO", "ERR_STREAM_DESTROYED"]);
/** Log lines that wait to be read; above it they are dropped, for nobody may ever read them. */
const UNREAD_LIMIT = 64 * 1024;

/** From now on no failed write ends the process: `find … | head -1` has printed what was wanted. A full disk is reported, once. */
export const outliveReaders = (of: Process): void => {
  // Each failed write raises an error anew, so these stay for good.
  of.stderr.on("error", () => undefined);
  let reported = false;
  of.stdout.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (GONE.has(code) || reported) return;
    reported = true;
    of.stderr.write(`The output could not be written (${code}).\n`);
    of.exitCode = 1;
  });
};

/** A stream for people to read along: what they do not read is dropped and fills no memory. */
export const screenOf = (stream: Writable & Screen): Screen => ({
  get isTTY() {
    return stream.isTTY === true;
  },
  get columns() {
    return stream.columns ?? 80;
  },
  write: (text) => stream.destroyed || stream.writableLength > UNREAD_LIMIT || stream.write(text),
});
