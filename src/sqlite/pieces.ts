/** Scripts without spaces between words: cut into overlapping pieces, in the same way for a note and for a query. SQLite would take a whole sentence for one word. */

/** What the full-text table takes for parts of a word. */
export const LETTERS = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;

// Chinese, Japanese and Korean words are mostly of two characters; in the others a syllable takes three.
const PAIRS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
const TRIPLES = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const EITHER = new RegExp(`${PAIRS.source}+|${TRIPLES.source}+`, "gu");
const QUICK = /[\u0e00-\uffff]/;

/** Whether anything in the text must be cut. Nearly all text in Latin script is told by one look. */
export const isUnspaced = (text: string): boolean => QUICK.test(text) && EITHER_ONCE.test(text);
const EITHER_ONCE = new RegExp(EITHER.source, "u");

/** A run of letters as stretches of one kind; `size` is how long the pieces of a stretch are, or 0 where it stays whole. */
export function stretches(letters: string): { text: string; size: number }[] {
  const found: { text: string; size: number }[] = [];
  let end = 0;
  for (const match of letters.matchAll(EITHER)) {
    if (match.index > end) found.push({ text: letters.slice(end, match.index), size: 0 });
    found.push({ text: match[0], size: PAIRS.test(match[0]) ? 2 : 3 });
    end = match.index + match[0].length;
  }
  if (end < letters.length) found.push({ text: letters.slice(end), size: 0 });
  return found;
}

/** The pieces of a text, as words with spaces between them. Those at the end of a stretch are shorter, so that its last characters can be found too. */
export function piecesOf(text: string): string {
  if (!isUnspaced(text)) return "";
  const pieces: string[] = [];
  for (const [letters] of text.matchAll(LETTERS)) {
    if (!isUnspaced(letters)) continue;
    for (const { text, size } of stretches(letters.normalize("NFKC")))
      pieces.push(size === 0 ? text : cut(text, size).join(" "));
  }
  return pieces.join(" ");
}

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  if (!/[\ud800-\udfff]/.test(text)) {
    for (let at = 0; at < text.length; at++) pieces.push(text.slice(at, at + size));
    return pieces;
  }
  const characters = Array.from(text);
  return characters.map((_, at) => characters.slice(at, at + size).join(""));
}

/** The full-text expression for a stretch of a query: its whole pieces in a row, or, where it is too short for one, whatever begins with it. */
export function pieceExpression(text: string, size: number): string {
  const plain = text.normalize("NFKC");
  const whole = cut(plain, size).slice(0, 1 - size);
  return whole.length === 0 ? `extra : "${plain}" *` : `extra : "${whole.join(" ")}"`;
}
