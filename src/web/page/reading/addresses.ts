/** Addresses of the web that are written out in full, as links. What only looks like one, as the name of a file does, is text. */

import type { MarkdownIt } from "markdown-it";

const SCHEME = /(?<![\p{L}\p{N}_])https?$/iu;
const REST = /:\/\/[\p{L}\p{N}[][^\s<>"`]{0,2000}/uy;

export const addresses = (md: MarkdownIt): void => {
  md.inline.ruler.after("text", "address", (state, silent) => {
    const [scheme] = (state.linkLevel === 0 && SCHEME.exec(state.pending)) || [];
    REST.lastIndex = state.pos;
    const [rest] = (scheme && REST.exec(state.src.slice(0, state.posMax))) || [];
    if (!scheme || !rest) return false;
    const written = withoutEnd(scheme + rest);
    const href = md.normalizeLink(written);
    if (!md.validateLink(href)) return false;
    if (!silent) {
      state.pending = state.pending.slice(0, -scheme.length);
      state.push("link_open", "a", 1).attrs = [["href", href]];
      state.push("text", "", 0).content = written;
      state.push("link_close", "a", -1);
    }
    state.pos += written.length - scheme.length;
    return true;
  });
};

/** What ends the sentence does not belong to the address; a bracket does where it was opened within. */
const withoutEnd = (written: string): string => {
  let end = written.length;
  for (;;) {
    const rest = written.slice(0, end);
    const last = rest.at(-1)!;
    const isOpened = last === ")" && rest.split("(").length >= rest.split(")").length;
    if (isOpened || !".,;:!?*_~'])}|".includes(last)) return rest;
    end--;
  }
};
