/** Comments: what stands between `%%` and `%%`, in a line or over several, is not shown. What is not closed is. */

import type { MarkdownIt } from "markdown-it";

const SIGN = "%%";

export const comments = (md: MarkdownIt): void => {
  md.block.ruler.before(
    "fence",
    "comment",
    (state, startLine, endLine, silent) => {
      const line = (at: number): string =>
        state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]).trimEnd();
      const first = line(startLine);
      if (!first.startsWith(SIGN)) return false;
      // What follows a comment on its own line is text.
      if (first.indexOf(SIGN, 2) !== -1 && !/^%%.*%%$/.test(first)) return false;
      let last = startLine;
      if (first.indexOf(SIGN, 2) === -1) {
        do last++;
        while (last < endLine && !line(last).includes(SIGN));
        if (last >= endLine || !line(last).endsWith(SIGN)) return false;
      }
      if (!silent) state.line = last + 1;
      return true;
    },
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );
  md.inline.ruler.before("link", "comment", (state) => {
    if (!state.src.startsWith(SIGN, state.pos)) return false;
    const end = state.src.indexOf(SIGN, state.pos + 2);
    if (end === -1 || end + 2 > state.posMax) return false;
    state.pos = end + 2;
    return true;
  });
};
