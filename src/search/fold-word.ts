/** One spelling for a word: lower case, no accents or points, full width as half width (decision 10). */

/** What is written so needs no folding. */
export const PLAIN = /^[a-z\d]*$/;
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};

export function foldWord(written: string): string {
  if (PLAIN.test(written)) return written;
  const lower = written.normalize("NFKC").toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const plain = lower.normalize("NFD").replace(MARKS, "").normalize("NFC");
  return plain.replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter]!);
}
