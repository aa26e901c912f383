/** `[[links]]` and `![[embeds]]`: images are shown, notes are put in once the page is there. */

import type { MarkdownIt } from "markdown-it";
import { addressOf, imageHtml, rule } from "./env.ts";

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;
const LENGTH_LIMIT = 1000;

/** `target#anchor|label`, taken apart; the target with its anchor as it is written. */
const partsOf = (inner: string): { target: string; label: string | null } => {
  const bar = inner.search(/\\?\|/);
  if (bar === -1) return { target: inner.trim(), label: null };
  return {
    target: inner.slice(0, bar).trim(),
    label: inner
      .slice(bar)
      .replace(/^\\?\|/, "")
      .trim(),
  };
};

export const wikilinks = (md: MarkdownIt): void => {
  md.inline.ruler.before("link", "wikilink", (state, silent) => {
    const embed = state.src.startsWith("![[", state.pos);
    if (!embed && !state.src.startsWith("[[", state.pos)) return false;
    const start = state.pos + (embed ? 3 : 2);
    const end = state.src.indexOf("]]", start);
    const inner = end === -1 ? "" : state.src.slice(start, end);
    if (inner.trim() === "" || inner.length > LENGTH_LIMIT || /[\n[]/.test(inner)) return false;
    if (!silent) {
      const token = state.push(embed ? "wiki_embed" : "wiki_link", "", 0);
      token.content = inner;
    }
    state.pos = end + 2;
    return true;
  });
  const escape = md.utils.escapeHtml;
  md.renderer.rules["wiki_link"] = rule((tokens, at, _, env) => {
    const { target, label } = partsOf(tokens[at]!.content);
    const to = addressOf(encodeURI(target).replaceAll("%23", "#"), env);
    return `<a class="${to.class}" href="${escape(to.href)}">${escape(label || target)}</a>`;
  });
  md.renderer.rules["wiki_embed"] = rule((tokens, at, _, env) => {
    const { target, label } = partsOf(tokens[at]!.content);
    const [name = "", section = ""] = target.split("#", 2);
    // What follows the bar of an image is its width.
    if (IMAGE.test(name)) return imageHtml(md, name, label && !/^\d+(?:x\d+)?$/.test(label) ? label : name);
    const path = env.links.get(name);
    if (!path) return `<span class="missing">${escape(target)}</span>`;
    return `<span class="embed" data-embed="${escape(path)}" data-section="${escape(section)}">${escape(target)}</span>`;
  });
};
