/** Patterns that people put into rules: compiled for an engine without backtracking, and bounded in size and in work. */

import { RE2JS, RE2JSException } from "re2js";
import { NoteError } from "../markdown/errors.ts";

export type Pattern = {
  source: string;
  /** Instructions of the program that it is compiled to. */
  size: number;
  /** Whether it is found anywhere in the text. The caller keeps size × length within WORK_LIMIT. */
  found(text: string): boolean;
};

const SOURCE_LIMIT = 1024;
const SIZE_LIMIT = 500;
/** Size × UTF-16 units. Linear time is not enough: a large program on a long text still takes minutes. */
export const WORK_LIMIT = 5_000_000;
/** The size is only known once a program is built, and 1 kB of nested repeats builds a million; this many are quick to build. */
const BUILD_LIMIT = 2000;
const REFERS_BACK = "it refers back to a group, which is not supported";

/** Throws `pattern_refused` for a pattern that could not be used later. */
export function compilePattern(source: string): Pattern {
  if (new TextEncoder().encode(source).length > SOURCE_LIMIT)
    throw refused(source, `it is longer than ${SOURCE_LIMIT} bytes`);
  // The library would read `\k<name>` as plain letters.
  if (source.replace(/\\[^k]/gs, "").includes("\\k<")) throw refused(source, REFERS_BACK);
  if (expandedSize(source) > BUILD_LIMIT)
    throw refused(source, "its repeats make it too large; use fewer or smaller ones");
  const program = build(source);
  const size = program.programSize();
  if (size > SIZE_LIMIT)
    throw refused(
      source,
      `it takes ${size} steps and ${SIZE_LIMIT} are allowed; use fewer or smaller repeats`,
    );
  return { source, size, found: (text) => program.test(text) };
}

function build(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    if (error instanceof RE2JSException) throw refused(source, plainReason(error.message));
    throw error;
  }
}

function refused(source: string, reason: string): NoteError {
  const shown = source.length > 80 ? `${source.slice(0, 80)}…` : source;
  return new NoteError("pattern_refused", `The pattern ${JSON.stringify(shown)} cannot be used: ${reason}.`, {
    pattern: shown,
    reason,
  });
}

// What other engines have and a linear one cannot, in words that a person can act on.
function plainReason(complaint: string): string {
  if (/\(\?<?[=!]/.test(complaint)) return "it looks ahead or behind, which is not supported";
  if (/escape sequence: `\\[1-9]/.test(complaint)) return REFERS_BACK;
  return complaint.replace("error parsing regexp: ", "");
}

/** How many single characters, classes and groups are left when every repeat is written out: near the size of the program. */
export function expandedSize(source: string): number {
  const open: number[] = [];
  let sum = 0;
  let last = 0;
  const token =
    /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;
  for (const match of source.matchAll(token)) {
    const [text, least, most] = match;
    if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      sum += last * (times - 1);
      last *= times;
    } else if (text === "(") {
      open.push(sum);
      sum = 0;
      last = 0;
    } else if (text === ")") {
      last = sum + 1;
      sum = (open.pop() ?? 0) + last;
    } else {
      last = text.startsWith("\\Q") ? text.length : 1;
      sum += last;
    }
  }
  return open.reduce((all, one) => all + one, sum);
}
