/** A failure as one log line: what happened, what it means and why. It holds no text of a note, no place on the machine and no secret. */

import { NoteError } from "../markdown/errors.ts";

/** The messages of these refusals speak of the disk and of us, never of what a note holds, so they are logged. */
const LOGGED = new Set<NoteError["code"]>([
  "disk_full",
  "disk_refused",
  "disk_failed",
  "busy",
  "indexing",
  "read_only",
]);

const SYSTEM: Record<string, string> = {
  EACCES: "The system does not permit it",
  EPERM: "The system does not permit it",
  EROFS: "The disk cannot be written",
  ENOSPC: "The disk is full",
  EDQUOT: "The disk quota is used up",
  EMFILE: "This process has too many files open",
  ENFILE: "The system has too many files open",
  EIO: "The disk failed",
  ENOENT: "A file or folder is gone",
};

/** `what`: whole sentences on what happened and what it means for the user. */
export const failureLine = (what: string, error: unknown): string => `${what} ${reasonOf(error)}`;

/** A line about a message of a client that no call was made of: that is no mistake of ours, unless our own code failed over it. */
export const messageLine = (error: unknown): string => {
  const what = "A message of the client could not be used.";
  const isTheirs =
    error instanceof Error &&
    !(error instanceof NoteError) &&
    !OURS.some((kind) => error instanceof kind) &&
    codeOf(error) === null;
  return isTheirs
    ? `${what} It does not follow the protocol: ${withoutTexts(error.message)}.`
    : failureLine(what, error);
};
const OURS = [TypeError, ReferenceError, RangeError];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `This is a mistake in Notewright (a thrown ${typeof error}).`;
  if (error instanceof NoteError)
    return LOGGED.has(error.code) ? error.message : `It was refused with ${error.code}.`;
  const code = codeOf(error);
  if (code !== null && /^E[A-Z0-9]+$/.test(code))
    return `${SYSTEM[code] ?? "The system refused it"} (${code}).`;
  if (code !== null && /SQLITE/.test(code)) return `The index said: ${withoutTexts(error.message)}.`;
  const cause = error.cause === undefined ? "" : ` Its cause: ${reasonOf(error.cause)}`;
  return `This is a mistake in Notewright; please report it: ${error.name}: ${withoutTexts(error.message)}${placeOf(error)}.${cause}`;
}

const codeOf = (error: Error): string | null => {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : null;
};

// Messages quote what they were handed, and that may be a note; file names stand in them as absolute paths.
const withoutTexts = (message: string): string =>
  message
    .replace(/["'`«“].*["'`»”]/su, "…")
    .replace(/(?:file:\/\/|[A-Za-z]:\\|\/|\\\\)[^\s:)]+/gu, "…")
    .split("\n", 1)[0]!
    .slice(0, 200);

/** Where in our code it was thrown, for whoever repairs it. */
const placeOf = ({ stack = "" }: Error): string => {
  const place = /^ {4}at .*?([^\s/\\(]+:\d+:\d+)\)?$/mu.exec(stack)?.[1];
  return place === undefined ? "" : ` (${place})`;
};
