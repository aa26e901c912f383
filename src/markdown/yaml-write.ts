/** Values to YAML that reads back as the same value; quoted only where it must be. */

import { NoteError } from "./errors.ts";
import type { Value } from "./frontmatter.ts";
import { checkWhole } from "./half-characters.ts";
import { DEEPEST_VALUE, plainScalar } from "./yaml-read.ts";

/** How a value beside it was quoted, to be kept; null where it was plain or there was none. */
export type Quote = '"' | "'" | null;

// Characters YAML gives a meaning at the start of a plain scalar; `-` is one only before a space, but `--` is odd enough to quote.
const STARTS_PLAIN = /^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-[\p{L}\p{N}])/u;
const BREAKS_PLAIN = /:\s|\s#|:$|\s$/;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u;
const UNPRINTABLE_LEFT_BY_JSON = /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A name as it stands before its colon, in a block or between braces. */
export function yamlKey(name: string): string {
  return isPlain(name, "flow") && !name.startsWith("-") && name !== "<<" ? name : doubleQuoted(name);
}

/** On one line. `flow` is inside brackets or braces, where commas part. */
export function inlineYaml(value: Value, where: "block" | "flow", quote: Quote = null, depth = 1): string {
  checkDepth(depth);
  if (value === null) return "null";
  if (typeof value === "string") return quotedAsNeeded(value, where, quote);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new NoteError(
      "input_refused",
      "A field cannot hold a number that is not finite; give a plain number.",
    );
  }
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => inlineYaml(item, "flow", null, depth + 1)).join(", ")}]`;
  }
  const pairs = Object.keys(value).map(
    (key) => `${yamlKey(key)}: ${inlineYaml(value[key]!, "flow", null, depth + 1)}`,
  );
  return `{${pairs.join(", ")}}`;
}

/** Everything after the colon of a block entry that stands at `indent`: ` value`, or the lines that follow. */
export function afterColon(value: Value, indent: string, eol: string, depth = 1): string {
  checkDepth(depth);
  if (value === null) return "";
  if (typeof value === "string" && isLiteral(value)) {
    const lines = value.replace(/\n$/, "").split("\n");
    const text = lines.map((line) => eol + (line && `${indent}  ${line}`)).join("");
    return (value.endsWith("\n") ? " |" : " |-") + text;
  }
  if (typeof value === "object" && Object.keys(value).length > 0) {
    return eol + blockYaml(value, `${indent}  `, eol, depth);
  }
  return ` ${inlineYaml(value, "block")}`;
}

/** The lines of a list or map that is not empty, each with its indent; the last without line ending. */
export function blockYaml(
  value: Value[] | { [key: string]: Value },
  indent: string,
  eol: string,
  depth = 1,
): string {
  const lines = Array.isArray(value)
    ? value.map((item) => `${indent}- ${inlineYaml(item, "block", null, depth + 1)}`)
    : Object.keys(value).map(
        (key) => `${indent}${yamlKey(key)}:${afterColon(value[key]!, indent, eol, depth + 1)}`,
      );
  return lines.join(eol);
}

function quotedAsNeeded(text: string, where: "block" | "flow", quote: Quote): string {
  if (quote === "'" && !UNPRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return quote === null && isPlain(text, where) ? text : doubleQuoted(text);
}

function isPlain(text: string, where: "block" | "flow"): boolean {
  return (
    plainScalar(text) === text &&
    STARTS_PLAIN.test(text) &&
    !BREAKS_PLAIN.test(text) &&
    !UNPRINTABLE.test(text) &&
    !(where === "flow" && /[,[\]{}]/.test(text))
  );
}

// Every JSON string is a double-quoted YAML one; JSON leaves a few characters bare that YAML or an editor would not keep.
function doubleQuoted(text: string): string {
  checkWhole(text, "A field");
  return JSON.stringify(text).replace(
    UNPRINTABLE_LEFT_BY_JSON,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Text of several lines that a literal block gives back whole: no white space at its edges but one line ending. */
function isLiteral(text: string): boolean {
  return (
    /^\S[^]*\S\n?$/.test(text) &&
    text.trimEnd().includes("\n") &&
    !UNPRINTABLE.test(text.replace(/[\n\t]/g, ""))
  );
}

function checkDepth(depth: number): void {
  if (depth > DEEPEST_VALUE) {
    throw new NoteError(
      "input_refused",
      `A field cannot be nested more than ${DEEPEST_VALUE} deep; give a flatter value.`,
    );
  }
}
