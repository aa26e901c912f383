/** What rendering a note carries along, and where its links lead on this page. */

import type { MarkdownIt, RendererRule, Renderer, Token } from "markdown-it";
import { noteAddress, searchAddress } from "../route.ts";

/** Where the note is, and where its links lead. */
export type Reading = {
  path: string;
  /** Keys are targets as they are written; null where there is no such note. */
  links: ReadonlyMap<string, string | null>;
};
export type Env = Reading & {
  /** `text` is the source of a heading, `words` is it without its marks. */
  headings: { level: number; text: string; words: string; id: string }[];
  footnotes: Map<string, Footnote>;
  /** Footnotes that are named in the text, in their order. */
  numbered: Footnote[];
};
export type Footnote = { number: number; content: string | null; uses: number };

/** Ids of ours never meet ids of the page. */
export const ID = "n-";
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const OUTWARD = /^(?:https?|mailto|obsidian):/i;
const SHOWN_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Where a link leads on this page: to a note, to a note that may be written, or outward. */
export const addressOf = (
  written: string,
  { path, links: known }: Reading,
): { href: string; class: string } => {
  if (SCHEME.test(written))
    return OUTWARD.test(written) ? { href: written, class: "outward" } : { href: "", class: "dead" };
  const [target = "", section = ""] = decoded(written).split("#", 2);
  const more = section === "" ? {} : { section };
  if (target === "") return { href: noteAddress(path, "note", more), class: "inward" };
  const leadsTo = known.get(target) ?? known.get(target.replace(/\.md$/, "")) ?? null;
  if (leadsTo !== null) return { href: noteAddress(leadsTo, "note", more), class: "inward" };
  return { href: noteAddress(target.endsWith(".md") ? target : `${target}.md`, "new"), class: "missing" };
};

export const tagAddress = (tag: string): string => searchAddress(`tag:${tag}`);

/** What follows the bar of an image is its width: `words|120`, `120` or `120x80`. */
const WIDTH = /(?:^|\|)[ \t]*([1-9]\d{0,3})(?:x\d+)?[ \t]*$/;

export const imageHtml = (md: MarkdownIt, source: string, wordsAndWidth: string): string => {
  const escape = md.utils.escapeHtml;
  const [found, width] = WIDTH.exec(wordsAndWidth) ?? [""];
  const words = wordsAndWidth.slice(0, wordsAndWidth.length - found.length);
  const rest = `alt="${escape(words)}"${width ? ` width="${width}"` : ""}>`;
  if (SHOWN_IMAGE.test(source)) return `<img src="${escape(source)}" ${rest}`;
  if (!SCHEME.test(source)) return `<img data-image="${escape(decoded(source))}" ${rest}`;
  const label = escape(words === "" ? "image" : words);
  return OUTWARD.test(source)
    ? `<a class="outward" target="_blank" rel="noreferrer noopener" href="${escape(source)}">Image elsewhere: ${label}</a>`
    : label;
};

type Rule = (
  tokens: Token[],
  at: number,
  options: Parameters<RendererRule>[2],
  env: Env,
  self: Renderer,
) => string;
/** A rule of the renderer, which is always handed what `rendered` makes. */
export const rule = (make: Rule): RendererRule => make as RendererRule;
