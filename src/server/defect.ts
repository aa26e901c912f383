/** A defect as one log line: what failed and where in our code, never a note's text, a machine path or a secret. */

import { NoteError } from "../markdown/errors.ts";

// Messages quote what they were handed, and that may be a note; file names stand in them as absolute paths.
const withoutTexts = (message: string): string =>
  message
    .replace(/["'`«“].*["'`»”]/su, "…")
    .replace(/(?:file:\/\/|[A-Za-z]:\\|\/|\\\\)[^\s:)]+/gu, "…")
    .split("\n", 1)[0]!
    .slice(0, 200);

const places = (stack: string | undefined): string =>
  [...(stack ?? "").matchAll(/^ {4}at (?:(?:async )?([\w$.<>[\] ]+) \()?.*?([^\s/\\(]+:\d+:\d+)\)?$/gmu)]
    .slice(0, 4)
    .map(([, name, place]) => (name ? `${name} ${place}` : place))
    .join(" < ");

export const defectLine = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = (error as { code?: unknown }).code;
  const tag = typeof code === "string" && /^\w{1,60}$/.test(code) ? ` ${code}` : "";
  // A NoteError's message may name a note; its code says enough.
  const message = error instanceof NoteError ? "" : `: ${withoutTexts(error.message)}`;
  const cause =
    error.cause !== undefined && depth < 3 ? `; caused by ${defectLine(error.cause, depth + 1)}` : "";
  return `${error.name}${tag}${message} [${places(error.stack)}]${cause}`;
};
