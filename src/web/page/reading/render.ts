/** A note's body as HTML: Markdown as Obsidian reads it. Raw HTML is text; what comes out is sanitised once more before it is shown (safe.ts). */

import Markdown, { type MarkdownIt } from "markdown-it";
import { callouts } from "./callouts.ts";
import { addressOf, ID, imageHtml, rule, type Env, type Reading } from "./env.ts";
import { footnotes, footnoteSection } from "./footnotes.ts";
import { marks } from "./marks.ts";
import { tasks } from "./tasks.ts";
import { wikilinks } from "./wikilinks.ts";

export const openRenderer = (): MarkdownIt => {
  const md = new Markdown({ html: false, linkify: false, breaks: false });
  md.use(wikilinks).use(marks).use(tasks).use(callouts).use(footnotes);
  links(md);
  images(md);
  headings(md);
  alignment(md);
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
    env.headings.push({ level: Number(token.tag.slice(1)), text, id });
    token.attrSet("id", id);
    return self.renderToken(tokens, at, options);
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
