/** Frontmatter for the editor's Markdown: the block of fields at the start is no heading, and nothing in it is a link. */

import type { Input } from "@lezer/common";
import { tags } from "@lezer/highlight";
import type { BlockContext, MarkdownConfig } from "@lezer/markdown";

const FENCE = /^---[ \t]*$/;
const END = /^(?:---|\.\.\.)[ \t]*$/;
/** A block that is not closed within so many characters is none. */
const LIMIT = 64 * 1024;

/** A parser of blocks cannot go back, so it looks first whether the block is ever closed. */
const isClosed = (context: BlockContext): boolean => {
  const { input } = context as unknown as { input: Input };
  const [, ...lines] = input.read(0, Math.min(LIMIT, input.length)).split("\n");
  return lines.some((line) => END.test(line));
};

export const frontmatter: MarkdownConfig = {
  defineNodes: [
    { name: "Frontmatter", block: true, style: { "Frontmatter/...": tags.meta } },
    { name: "FrontmatterMark", style: tags.processingInstruction },
  ],
  parseBlock: [
    {
      name: "Frontmatter",
      before: "HorizontalRule",
      parse(context, line) {
        if (context.lineStart !== 0 || !FENCE.test(line.text) || !isClosed(context)) return false;
        const mark = () =>
          context.elt("FrontmatterMark", context.lineStart, context.lineStart + line.text.length);
        const first = mark();
        while (context.nextLine() && !END.test(line.text));
        const last = mark();
        context.nextLine();
        context.addElement(context.elt("Frontmatter", 0, last.to, [first, last]));
        return true;
      },
    },
  ],
};
