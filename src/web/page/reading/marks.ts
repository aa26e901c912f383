/** Small marks within a line: `==highlights==`, `#tags` and `^block-ids`. */

import type { MarkdownIt } from "markdown-it";
import { tagAddress } from "./env.ts";

const TAG = /#([\p{L}\p{N}\p{M}_/-]*[\p{L}\p{M}_/-][\p{L}\p{N}\p{M}_/-]*)/uy;

export const marks = (md: MarkdownIt): void => {
  md.inline.ruler.after("emphasis", "highlight", (state, silent) => {
    if (!state.src.startsWith("==", state.pos)) return false;
    const end = state.src.indexOf("==", state.pos + 2);
    if (end === -1 || end === state.pos + 2 || /^\s|\s$/.test(state.src.slice(state.pos + 2, end)))
      return false;
    if (!silent) {
      const max = state.posMax;
      state.push("mark_open", "mark", 1);
      [state.pos, state.posMax] = [state.pos + 2, end];
      state.md.inline.tokenize(state);
      state.posMax = max;
      state.push("mark_close", "mark", -1);
    }
    state.pos = end + 2;
    return true;
  });
  md.inline.ruler.push("tag", (state, silent) => {
    const before = state.src[state.pos - 1];
    if (state.src[state.pos] !== "#" || (before !== undefined && !/[\s(]/.test(before))) return false;
    TAG.lastIndex = state.pos;
    const found = TAG.exec(state.src);
    if (!found) return false;
    if (!silent) state.push("tag", "", 0).content = found[1]!;
    state.pos += found[0].length;
    return true;
  });
  const escape = md.utils.escapeHtml;
  md.renderer.rules["tag"] = (tokens, at) => {
    const tag = tokens[at]!.content;
    return `<a class="tag" href="${escape(tagAddress(tag))}">#${escape(tag)}</a>`;
  };
  // Text stops before signs that rules begin with; these are ours.
  md.core.ruler.push("block-id", (state) => {
    for (const token of state.tokens)
      for (const child of token.children ?? [])
        if (child.type === "text") child.content = child.content.replace(/\s\^[\w-]+$/, "");
  });
};
