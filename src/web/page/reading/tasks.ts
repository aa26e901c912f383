/** Boxes before tasks: `- [ ]` and `- [x]`, drawn, because this view does not write. */

import type { MarkdownIt } from "markdown-it";

export const tasks = (md: MarkdownIt): void => {
  md.core.ruler.after("inline", "tasks", (state) => {
    state.tokens.forEach((token, at) => {
      if (token.type !== "inline" || state.tokens[at - 2]?.type !== "list_item_open") return;
      const [first] = token.children ?? [];
      const box = first?.type === "text" ? /^\[([ xX/-])\]\s/.exec(first.content) : null;
      if (!box) return;
      const done = box[1] !== " ";
      first!.content = first!.content.slice(box[0].length);
      state.tokens[at - 2]!.attrJoin("class", "task");
      const drawn = new state.Token("task_box", "", 0);
      drawn.content = done ? "done" : "open";
      token.children!.unshift(drawn);
    });
  });
  md.renderer.rules["task_box"] = (tokens, at) => {
    const { content } = tokens[at]!;
    return `<span class="box ${content}" role="img" aria-label="${content}">${content === "done" ? "✓" : ""}</span> `;
  };
};
