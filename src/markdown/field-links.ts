/** Wikilinks in frontmatter, found in the YAML as typed: unquoted, `up: [[Home]]` is a list in a list to YAML, and a link to whoever wrote it. */

import { seeker } from "./characters.ts";
import type { Front } from "./frontmatter.ts";
import { wikiLink } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";

/** In order; none where the block cannot be read, since it is never rewritten. */
export function fieldLinks(text: string, front: Front): LinkMark[] {
  if (!front.yaml || front.trouble !== null) return [];
  const source = text.slice(0, front.yaml.end);
  if (!source.includes("[[", front.yaml.start)) return [];
  const links: LinkMark[] = [];
  const nextOpen = seeker(source, "[[");
  const nextClose = seeker(source, "]]");
  /** The quote that is open, also over lines. */
  let quote: "" | "'" | '"' = "";
  let flowDepth = 0;
  /** Inside `|` or `>`: lines indented by more than this are text. -1: not inside. */
  let blockIndent = -1;

  for (let start = front.yaml.start; start < source.length;) {
    const newline = source.indexOf("\n", start);
    const end = newline < 0 ? source.length : newline;
    readLine(start, end);
    start = end + 1;
  }
  return links;

  function readLine(start: number, end: number): void {
    let at = start;
    while (at < end && source[at] === " ") at++;
    if (blockIndent >= 0) {
      if (at >= end || source[at] === "\r" || at - start > blockIndent) {
        for (let i = source.indexOf("[[", at); i >= 0 && i < end; i = source.indexOf("[[", i))
          i = Math.max(i + 1, readLink(i, end));
        return;
      }
      blockIndent = -1;
    }
    /** Whether a value may begin here: only there are quotes, brackets and `|` more than characters. */
    let beginsValue = quote === "";
    let parent = 0;
    for (let own = at - start; at < end;) {
      const character = source[at]!;
      const spaced = at + 1 >= end || source[at + 1] === " " || source[at + 1] === "\r";
      if (source.startsWith("[[", at)) {
        const after = readLink(at, end);
        if (after > at) {
          at = after;
          beginsValue = false;
          continue;
        }
      }
      if (quote !== "") {
        if (character === "\\" && quote === '"') at++;
        else if (character === quote && quote === "'" && source[at + 1] === "'") at++;
        else if (character === quote) quote = "";
      } else if (character === "#" && (at === start || source[at - 1] === " " || source[at - 1] === "\t"))
        return;
      else if (character === ":" && spaced) [beginsValue, parent] = [true, own];
      else if (character === "-" && spaced && beginsValue) [parent, own] = [at - start, at - start + 2];
      else if (character === "," && flowDepth > 0) beginsValue = true;
      else if (beginsValue && (character === "[" || character === "{")) flowDepth++;
      else if (flowDepth > 0 && (character === "]" || character === "}")) flowDepth--;
      else if (beginsValue && (character === "'" || character === '"'))
        [quote, beginsValue] = [character, false];
      else if (beginsValue && (character === "|" || character === ">") && flowDepth === 0) {
        blockIndent = parent;
        return;
      } else if (character !== " ") beginsValue = false;
      at++;
    }
  }

  /** Takes the link at `at`; gives the offset after it, or `at` where there is none. */
  function readLink(at: number, end: number): number {
    const close = nextClose(at + 2);
    if (close >= end || source[at + 2] === "[" || nextOpen(at + 2) < close) return at;
    if (leavesValue(source.slice(at + 2, close))) return at;
    const link = wikiLink(source, source[at - 1] === "!" ? at - 1 : at, close + 2, "fields");
    if (link) links.push(quote === "" ? link : { ...link, quote, target: unquoted(link.target) });
    return close + 2;
  }

  /** Whether what seems to stand in a link holds the end of its quotes, the beginning of a comment, or more lists. */
  function leavesValue(inside: string): boolean {
    if (quote === "'") return inside.replaceAll("''", "").includes("'");
    if (quote === '"') return inside.replace(/\\./g, "").includes('"');
    return blockIndent < 0 && /[[\]]| #/.test(inside);
  }

  function unquoted(target: string): string {
    return quote === "'" ? target.replaceAll("''", "'") : target.replace(/\\(["\\/])/g, "$1");
  }
}
