/** Callouts: a quote that begins with `[!note] Title`. */

import type { MarkdownIt } from "markdown-it";

const KINDS: Record<string, string> = {
  warning: "warn",
  caution: "warn",
  attention: "warn",
  danger: "warn",
  error: "warn",
  bug: "warn",
  failure: "warn",
  fail: "warn",
  missing: "warn",
};

export const callouts = (md: MarkdownIt): void => {
  md.core.ruler.after("block", "callouts", (state) => {
    state.tokens.forEach((token, at) => {
      const inline = state.tokens[at + 2];
      if (token.type !== "blockquote_open" || inline?.type !== "inline") return;
      const [first = "", ...rest] = inline.content.split("\n");
      const [, kind, title = ""] = /^\[!([\w-]+)\][+-]?[ \t]*(.*)$/.exec(first) ?? [];
      if (kind === undefined) return;
      token.attrJoin("class", `callout ${KINDS[kind.toLowerCase()] ?? ""}`.trim());
      inline.content = rest.join("\n");
      const heading = new state.Token("callout_title", "", 0);
      heading.content = title || kind.charAt(0).toUpperCase() + kind.slice(1);
      inline.meta = { title: heading.content };
    });
  });
  // The title stands in front of the first paragraph, with its own marks.
  md.core.ruler.push("callout-titles", (state) => {
    for (let at = state.tokens.length - 1; at >= 0; at--) {
      const token = state.tokens[at]!;
      const title = (token.meta as { title?: string } | null)?.title;
      if (token.type !== "inline" || title === undefined) continue;
      const [open, inline, close] = ["paragraph_open", "inline", "paragraph_close"].map(
        (type) =>
          new state.Token(
            type,
            type === "inline" ? "" : "p",
            type === "inline" ? 0 : type === "paragraph_open" ? 1 : -1,
          ),
      );
      open!.attrSet("class", "callout-title");
      inline!.content = title;
      inline!.children = [];
      state.md.inline.parse(title, state.md, state.env, inline!.children);
      state.tokens.splice(at - 1, 0, open!, inline!, close!);
    }
  });
};
