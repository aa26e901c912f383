/** Boxes before tasks: `- [ ]`, `- [x]` and the other signs that people put there, drawn, because this view does not write. */

import type { MarkdownIt } from "markdown-it";

/** What a sign means, and what is drawn in its box. Any other sign is drawn as it is. */
const STATES: Record<string, [name: string, drawn: string]> = {
  " ": ["open", ""],
  x: ["done", "✓"],
  X: ["done", "✓"],
  "/": ["half done", ""],
  "-": ["dropped", "–"],
};

export const tasks = (md: MarkdownIt): void => {
  md.core.ruler.after("inline", "tasks", (state) => {
    state.tokens.forEach((token, at) => {
      if (token.type !== "inline" || state.tokens[at - 2]?.type !== "list_item_open") return;
      const [first] = token.children ?? [];
      const box = first?.type === "text" ? /^\[([^[\]])\]\s/u.exec(first.content) : null;
      if (!box) return;
      const drawn = new state.Token("task_box", "", 0);
      drawn.content = box[1]!;
      first!.content = first!.content.slice(box[0].length);
      state.tokens[at - 2]!.attrJoin("class", box[1] === "-" ? "task gone" : "task");
      token.children!.unshift(drawn);
    });
  });
  const escape = md.utils.escapeHtml;
  md.renderer.rules["task_box"] = (tokens, at) => {
    const sign = tokens[at]!.content;
    const [name, drawn] = STATES[sign] ?? [`marked ${sign}`, sign];
    const kind = STATES[sign] ? name.replace(" ", "-") : "marked";
    return `<span class="box ${kind}" role="img" aria-label="${escape(name)}">${escape(drawn)}</span> `;
  };
};
