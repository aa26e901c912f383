/** A line of a note for people: without the marks of Markdown, cut at words, with "…" where it goes on. */

import type { Mark } from "../wire.ts";

/** What goes; where there is a group, it stays. The end of a piece may cut a mark in two. */
const MARKS: readonly RegExp[] = [
  /!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/dg,
  /!?\[([^[\]]*)\]\([^()]*\)/dg,
  /(?<=^|\s)#{1,6}(?=\s|$)/dg,
  /(?<=^|\s)(?:```|~~~)[\w-]*/dg,
  /(?<=^(?:> ?)*)[-*+] (?:\[.\] )?/dg,
  /(?<=\s)[-*+] \[.\](?=\s)/dg,
  /(?<=^|\s)>(?=\s)/dg,
  /\[![\w-]+\][+-]?/dg,
  /\[\^[^\]\s]+\]:?/dg,
  /\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/dgu,
  /~~|==|%%|`+/dg,
  /(?<=^|\s)\|?\s*:?-{3,}:?(?:\s*\|\s*:?-+:?)*\s*\|?(?=\s|$)/dg,
  /(?<=^|\s)\|(?=\s|$)/dg,
  /^[^[\]]{0,100}\]\]|!?\[\[(?![^[\]]*\]\])|\\(?=\|)/dg,
];

/** The words of a line of Markdown, and where its marks are in them. */
export const plainWords = (text: string, marks: readonly Mark[] = []): { text: string; marks: Mark[] } => {
  const gone = new Uint8Array(text.length);
  for (const pattern of MARKS)
    for (const found of text.matchAll(pattern)) {
      const [[from, to] = [0, 0], kept] = found.indices!;
      gone.fill(1, from, to);
      if (kept) gone.fill(0, ...kept);
    }
  const places: number[] = [];
  let words = "";
  for (let at = 0; at < text.length; at++) {
    places.push(words.length);
    const isSpace = text[at] === " " && (words === "" || words.endsWith(" "));
    if (gone[at] === 0 && !isSpace) words += text[at];
  }
  places.push(words.length);
  const shown = marks
    .map(([from, to]): Mark => [places[from]!, places[to]!])
    .filter(([from, to]) => to > from);
  return { text: words, marks: shown };
};

/** Words that were found in their place. It is said that they go on where they neither begin nor end a sentence. */
export const foundWords = (snippet: {
  text: string;
  marks: Mark[];
  cutBefore: boolean;
  cutAfter: boolean;
}): { text: string; marks: Mark[] } => {
  const { text, marks } = plainWords(snippet.text, snippet.marks);
  const before = snippet.cutBefore && /^[\p{Ll}\p{N}\p{P}]/u.test(text) ? "… " : "";
  const after = snippet.cutAfter && !/[.!?…:]\s*$/.test(text) ? " …" : "";
  const shift = before.length;
  return {
    text: `${before}${text.trimEnd()}${after}`,
    marks: marks.map(([from, to]) => [from + shift, to + shift]),
  };
};

/** The index keeps so many characters on either side of a link. */
const EITHER_SIDE = 50;

/** What stands around a link to a target. The index cuts it within words. */
export const linkWords = (context: string, target: string): string => {
  const [start, end] = placeOf(context, target);
  let [from, to] = [0, context.length];
  // A blank at the cut was trimmed away.
  const [cutBefore, cutAfter] = [start >= EITHER_SIDE - 1, context.length - end >= EITHER_SIDE - 1];
  if (cutBefore) from = Math.min(start, context.indexOf(" ") + 1);
  if (cutAfter) to = Math.max(end, context.lastIndexOf(" "));
  const { text } = plainWords(context.slice(from, to));
  return `${cutBefore ? "… " : ""}${text.trim()}${cutAfter ? " …" : ""}`;
};

const placeOf = (context: string, target: string): [start: number, end: number] => {
  const at = context.indexOf(target);
  if (at === -1) return [0, context.length];
  const start = Math.max(0, context.lastIndexOf("[", at));
  const close = context.slice(at).search(/\]\]|\)/);
  return [start, close === -1 ? context.length : at + close + 1];
};
