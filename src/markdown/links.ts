/** Links to notes: wikilinks and embeds, Markdown links and images, reference definitions, wikilinks in fields. Found with line and span; rewritten in the style they were written in. */

import { isTableRule } from "./block-starts.ts";
import { hasScheme, percentDecoded } from "./link-forms.ts";
import type { Steps } from "./steps.ts";

export type LinkMark = {
  form: "wiki" | "markdown";
  embed: boolean;
  /** The note that it names: percent-decoded, unescaped, NFC as typed, without anchor; keeps `.md`, `./`, `../` and a leading `/` if written. */
  target: string;
  /** `#Heading`, `#^block` (as written, with its mark), or "". */
  anchor: string;
  /** The words shown instead of the target, or null. */
  label: string | null;
  /** The whole link, as offsets into the text. */
  start: number;
  end: number;
  /** The part a new target replaces (without anchor, label, brackets). */
  targetStart: number;
  targetEnd: number;
  /** Line of the file, counted from 1. */
  line: number;
  where: "body" | "fields";
  /** The quotes of the YAML value it stands in, if any. */
  quote?: "'" | '"';
};

/** The text around a link: that many characters either side on its own line or lines, white space folded to single spaces. */
export function contextOf(text: string, mark: LinkMark, width = 50): string {
  // Looks at a few times the width only: a note may be one line of megabytes, full of links.
  const reach = width * 4;
  const before = text.slice(Math.max(0, mark.start - reach), mark.start);
  const after = text.slice(mark.end, mark.end + reach);
  const lineEnd = after.indexOf("\n");
  const left = characters(before.slice(before.lastIndexOf("\n") + 1)).slice(-width);
  const own = characters(text.slice(mark.start, Math.min(mark.end, mark.start + LINK_SHOWN)));
  const right = characters(lineEnd < 0 ? after : after.slice(0, lineEnd)).slice(0, width);
  return [...left, ...own, ...right].join("").trim();
}

/** More of one link than this is not shown as context. */
const LINK_SHOWN = 500;

/** White space folded, halves of cut surrogate pairs left off. */
const characters = (piece: string): string[] => [
  ...piece
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
    .split(/\s/)
    .filter((word, index, words) => word !== "" || index === 0 || index === words.length - 1)
    .join(" "),
];

/** Links that are rewritten in one step: a long note has hundreds of thousands. */
export const LINKS_IN_A_STEP = 1000;

/** Puts new targets into the given links, in steps, each in the style it was written in; null, or the target it has, leaves a link as it is. */
export function* rewriteLinks(
  text: string,
  marks: readonly LinkMark[],
  newTargetFor: (mark: LinkMark) => string | null,
): Steps<string> {
  const splices: Splice[] = [];
  for (const [at, mark] of marks.entries()) {
    const target = newTargetFor(mark);
    if (target !== null && target !== mark.target) splices.push(retargeted(text, mark, target));
    if (at % LINKS_IN_A_STEP === LINKS_IN_A_STEP - 1) yield;
  }
  return spliced(text, splices);
}

/** Turns the given links into `[[name (deleted)]]`, anchor and label kept. A definition stays one, since other places refer to it. */
export function markRemoved(
  text: string,
  marks: readonly LinkMark[],
  nameOf: (mark: LinkMark) => string,
): string {
  const rows = marks.some((mark) => mark.form === "markdown" && mark.label) ? tableRows(text) : [];
  let row = 0;
  const splices = marks
    .toSorted((a, b) => a.start - b.start)
    .map((mark): Splice => {
      const target = `${nameOf(mark)} (deleted)`;
      if (mark.form === "wiki") return retargeted(text, mark, target);
      if (isDefinition(text, mark)) return retargeted(text, mark, `${target}.md`);
      while (row < rows.length && rows[row]!.end <= mark.start) row++;
      const pipe = row < rows.length && rows[row]!.start <= mark.start ? "\\|" : "|";
      const label = mark.label ? pipe + wikiLabel(mark.label) : "";
      const link = `${mark.embed ? "!" : ""}[[${target}${percentDecoded(mark.anchor)}${label}]]`;
      return { start: mark.start, end: mark.end, text: link };
    });
  return spliced(text, splices);
}

type Splice = { start: number; end: number; text: string };

function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    // An embed in the text of a link that is replaced whole.
    if (splice.start < at) continue;
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

function retargeted(text: string, mark: LinkMark, target: string): Splice {
  const { targetStart: start, targetEnd: end } = mark;
  if (mark.form === "markdown") return { start, end, text: asDestination(text, mark, target) };
  if (mark.quote === "'") return { start, end, text: target.replaceAll("'", "''") };
  if (mark.quote === '"') return { start, end, text: escapedForDouble(target) };
  if (mark.where === "fields" && RISKY_IN_YAML.test(target) && isWholeValue(text, mark)) {
    const link = text.slice(mark.start, start) + target + text.slice(end, mark.end);
    return { start: mark.start, end: mark.end, text: `"${escapedForDouble(link)}"` };
  }
  return { start, end, text: target };
}

const escapedForDouble = (value: string): string => value.replace(/["\\]/g, "\\$&");

/** What an unquoted `[[…]]` cannot hold and stay the YAML it was. */
const RISKY_IN_YAML = /^[\s\-?:#&*!|>'"%@`]|[[\]{},]|:(?:\s|$)|\s#/;

function isWholeValue(text: string, mark: LinkMark): boolean {
  const before = text.slice(Math.max(0, mark.start - 2), mark.start);
  const after = text.slice(mark.end, mark.end + 2);
  return /(?:[:,-] |[\n[,])$/.test(before) && /^(?: *(?:\r?\n|#|$)| ?[,\]])/.test(after);
}

/** Angle brackets stay; elsewhere a space is percent-encoded, and letters beyond ASCII are where they were before. */
function asDestination(text: string, mark: LinkMark, target: string): string {
  const before = text.slice(mark.targetStart, mark.targetEnd);
  const angled = text[mark.targetStart - 1] === "<";
  let written = target.replace(angled ? /[%#<>\\\n\r]/g : /[%#<>\\\s]/g, encodeURIComponent);
  if (!angled && !hasPairedParentheses(written))
    written = written.replace(/[()]/g, (paren) => (paren === "(" ? "%28" : "%29"));
  if (/%[89a-f][0-9a-f]/i.test(before))
    written = written.replace(/[\u0080-\uD7FF\uE000-\u{10FFFF}]+/gu, encodeURIComponent);
  return hasScheme(written) ? written.replace(":", "%3A") : written;
}

function hasPairedParentheses(written: string): boolean {
  let depth = 0;
  for (const character of written) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

function isDefinition(text: string, mark: LinkMark): boolean {
  let at = mark.targetStart - (text[mark.targetStart - 1] === "<" ? 2 : 1);
  while (at > mark.start && text.charCodeAt(at) <= 32) at--;
  return text[at] === ":" || text[at] === ">";
}

/** A label that the brackets of a wikilink can hold. */
const wikiLabel = (label: string): string => label.replaceAll("]]", "] ]").replace(/\]$/, "] ");

function tableRows(text: string): { start: number; end: number }[] {
  const rows: { start: number; end: number }[] = [];
  let previous = { start: 0, end: 0 };
  let inTable = false;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    let at = start;
    while (at < end && (text.charCodeAt(at) <= 32 || text[at] === ">")) at++;
    if (at === end) inTable = false;
    else if (inTable) rows.push({ start, end });
    else if (isTableRule(text, at, text.slice(at, end).trimEnd().length + at)) {
      inTable = text.slice(previous.start, previous.end).includes("|");
      if (inTable) rows.push(previous);
    }
    previous = { start, end };
    start = end;
  }
  return rows;
}
