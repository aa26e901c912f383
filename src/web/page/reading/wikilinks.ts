/** `[[links]]` and `![[embeds]]`: images are shown, notes are put in once the page is there. */

import type { MarkdownIt } from "markdown-it";
import { addressOf, imageHtml, rule, type Reading } from "./env.ts";

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;
const LENGTH_LIMIT = 1000;
/** Files that only Obsidian shows, by what they are. */
const ELSEWHERE: Record<string, RegExp> = {
  Audio: /\.(?:mp3|ogg|oga|wav|flac|m4a|3gp|opus)$/i,
  Video: /\.(?:mp4|webm|mkv|mov|ogv)$/i,
  PDF: /\.pdf$/i,
  Base: /\.base$/i,
  Canvas: /\.canvas$/i,
};

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

/** An image is called by its name where no words are given. */
const imageWords = (name: string, label: string | null): string => {
  if (label === null) return name;
  return /^\d+(?:x\d+)?$/.test(label) ? `${name}|${label}` : label;
};

/** Where `target#section|label` leads, and what it is called: a section of a note as Obsidian writes it, `Note > Section`. */
export const wikilinkOf = (
  inner: string,
  reading: Reading,
): { href: string; label: string; kind: string } => {
  const { target, label } = partsOf(inner);
  const to = addressOf(encodeURI(target).replaceAll("%23", "#"), reading);
  const called = target
    .split("#")
    .filter((part) => part !== "")
    .join(" > ");
  return { href: to.href, label: label || called || target, kind: to.class };
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
    const { href, label, kind } = wikilinkOf(tokens[at]!.content, env);
    return `<a class="${kind}" href="${escape(href)}">${escape(label)}</a>`;
  });
  md.renderer.rules["wiki_embed"] = rule((tokens, at, _, env) => {
    const { target, label } = partsOf(tokens[at]!.content);
    const [name = "", section = ""] = target.split("#", 2);
    if (IMAGE.test(name)) return imageHtml(md, name, imageWords(name, label));
    const kind = Object.keys(ELSEWHERE).find((one) => ELSEWHERE[one]!.test(name));
    if (kind)
      return `<span class="elsewhere"><b>${kind}</b> ${escape(target)} <small>Obsidian shows it.</small></span>`;
    const path = env.links.get(name);
    if (!path) return `<span class="missing">${escape(target)}</span>`;
    return `<span class="embed" data-embed="${escape(path)}" data-section="${escape(section)}">${escape(target)}</span>`;
  });
};
