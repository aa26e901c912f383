/** Callouts: a quote that begins with `[!note] Title`; with `[!note]-` it is folded, with `[!note]+` it can be. */

import type { MarkdownIt, Token } from "markdown-it";

/** Kinds that look alike, by the first of their names; any other name looks like a note. */
const KINDS: Record<string, string> = {
  abstract: "abstract summary tldr",
  info: "info",
  todo: "todo",
  tip: "tip hint important",
  success: "success check done",
  question: "question help faq",
  warning: "warning caution attention",
  failure: "failure fail missing",
  danger: "danger error",
  bug: "bug",
  example: "example",
  quote: "quote cite",
};
const looksOf = (kind: string): string =>
  Object.entries(KINDS).find(([, names]) => names.split(" ").includes(kind.toLowerCase()))?.[0] ?? "note";

/** What the first paragraph of a callout is told of it. */
type Head = { title: string; tag: "p" | "summary" };

export const callouts = (md: MarkdownIt): void => {
  md.core.ruler.after("block", "callouts", (state) => {
    state.tokens.forEach((token, at) => {
      const inline = state.tokens[at + 2];
      if (token.type !== "blockquote_open" || inline?.type !== "inline") return;
      const [first = "", ...rest] = inline.content.split("\n");
      const [, kind, fold, title = ""] = /^\[!([\w-]+)\]([+-]?)[ \t]*(.*)$/.exec(first) ?? [];
      if (kind === undefined) return;
      token.attrJoin("class", `callout ${looksOf(kind)}`);
      if (fold !== "") foldable(state.tokens, at, fold === "+");
      inline.content = rest.join("\n");
      const called = title || kind.charAt(0).toUpperCase() + kind.slice(1);
      inline.meta = { title: called, tag: fold === "" ? "p" : "summary" } satisfies Head;
    });
  });
  // The title stands in front of the first paragraph, with its own marks; a paragraph of the title alone goes.
  md.core.ruler.push("callout-titles", (state) => {
    for (let at = state.tokens.length - 1; at >= 0; at--) {
      const token = state.tokens[at]!;
      const head = token.meta as Head | null;
      if (token.type !== "inline" || head?.title === undefined) continue;
      const open = new state.Token("callout_title_open", head.tag, 1);
      const inline = new state.Token("inline", "", 0);
      open.attrSet("class", "callout-title");
      inline.content = head.title;
      inline.children = [];
      state.md.inline.parse(head.title, state.md, state.env, inline.children);
      const close = new state.Token("callout_title_close", head.tag, -1);
      state.tokens.splice(at - 1, token.content === "" ? 3 : 0, open, inline, close);
    }
  });
};

/** The quote that begins at this place becomes one that opens and closes. */
const foldable = (tokens: readonly Token[], at: number, isOpen: boolean): void => {
  const quote = tokens[at]!;
  const end = tokens.find(
    ({ type, level }, place) => place > at && type === "blockquote_close" && level === quote.level,
  );
  quote.tag = end!.tag = "details";
  if (isOpen) quote.attrSet("open", "");
};
