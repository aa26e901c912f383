/** A note's body as HTML: Markdown as Obsidian reads it. Raw HTML is text; what comes out is sanitised once more before it is shown (safe.ts). */

import Markdown, { type MarkdownIt, type Token } from "markdown-it";
import { addresses } from "./addresses.ts";
import { callouts } from "./callouts.ts";
import { comments } from "./comments.ts";
import { addressOf, ID, imageHtml, rule, type Env, type Reading } from "./env.ts";
import { footnotes, footnoteSection } from "./footnotes.ts";
import { marks } from "./marks.ts";
import { tasks } from "./tasks.ts";
import { wikilinkOf, wikilinks } from "./wikilinks.ts";

export const openRenderer = (): MarkdownIt => {
  const md = new Markdown({ html: false, linkify: false, breaks: true });
  md.use(wikilinks).use(addresses).use(comments).use(marks).use(tasks).use(callouts).use(footnotes);
  links(md);
  images(md);
  headings(md);
  alignment(md);
  places(md);
  return md;
};

export const rendered = (md: MarkdownIt, body: string, reading: Reading): { html: string; env: Env } => {
  const env: Env = { ...reading, headings: [], footnotes: new Map(), numbered: [] };
  const html = md.render(body, env);
  return { html: html + footnoteSection(md, env), env };
};

const links = (md: MarkdownIt): void => {
  md.renderer.rules.link_open = rule((tokens, at, options, env, self) => {
    const token = tokens[at]!;
    const to = addressOf(String(token.attrGet("href") ?? ""), env);
    token.attrs = [["class", to.class]];
    if (to.href !== "") token.attrSet("href", to.href);
    if (to.class === "outward") {
      token.attrSet("target", "_blank");
      token.attrSet("rel", "noreferrer noopener");
    }
    return self.renderToken(tokens, at, options);
  });
};

/** An image of the vault is asked for once it is on the page; one from elsewhere is a link, for nothing outside is loaded. */
const images = (md: MarkdownIt): void => {
  md.renderer.rules.image = (tokens, at) => {
    const token = tokens[at]!;
    return imageHtml(md, String(token.attrGet("src") ?? ""), token.content);
  };
};
const headings = (md: MarkdownIt): void => {
  md.renderer.rules.heading_open = rule((tokens, at, options, env, self) => {
    const token = tokens[at]!;
    const text = tokens[at + 1]?.content ?? "";
    const id = `${ID}${env.headings.length}`;
    const words = wordsOf(tokens[at + 1]?.children ?? [], env);
    env.headings.push({ level: Number(token.tag.slice(1)), text, words, id });
    token.attrSet("id", id);
    return self.renderToken(tokens, at, options);
  });
};

/** A line without its marks. */
const wordsOf = (tokens: readonly Token[], env: Env): string =>
  tokens
    .map(({ type, content }) => {
      if (type === "wiki_link") return wikilinkOf(content, env).label;
      return type === "tag" ? `#${content}` : type === "softbreak" ? " " : content;
    })
    .join("");

/** Each block takes its direction from its own words, and says how many lines of the text lie from its first one to the end. */
const places = (md: MarkdownIt): void => {
  md.core.ruler.push("places", (state) => {
    const lines = state.src.split("\n").length;
    for (const token of state.tokens) {
      if (token.level !== 0 || token.nesting < 0 || token.type === "inline") continue;
      if (token.nesting === 1) token.attrSet("dir", "auto");
      if (token.map) token.attrSet("data-below", String(lines - token.map[0]));
    }
  });
};

/** The policy of the page blocks styles in attributes. */
const alignment = (md: MarkdownIt): void => {
  for (const name of ["th_open", "td_open"] as const)
    md.renderer.rules[name] = (tokens, at, options, _, self) => {
      const token = tokens[at]!;
      const side = /text-align:\s*(left|right|center)/.exec(String(token.attrGet("style") ?? ""))?.[1];
      token.attrs = side === undefined ? [] : [["class", side]];
      return self.renderToken(tokens, at, options);
    };
};
