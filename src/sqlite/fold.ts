/** Text as it is searched: lower case, or also without accents, and never of another length, so that what is found stands at the same place in the original. */

/** For text in NFC. */
export function foldText(text: string): string {
  // The one letter that grows in lower case.
  const even = text.includes("\u0130") ? text.replaceAll("\u0130", "i") : text;
  return even.toLowerCase().replaceAll("ς", "σ");
}

/** The same without accents: what the full-text table makes of words. */
export const foldWords = (text: string): string => foldText(text).replace(/[^\0-\x7f]/g, baseOf);

const bases = new Map<string, string>();

function baseOf(letter: string): string {
  let base = bases.get(letter);
  if (base === undefined) {
    const [first, ...marks] = letter.normalize("NFD");
    base = first!.length === letter.length && marks.every((mark) => /\p{M}/u.test(mark)) ? first! : letter;
    bases.set(letter, base);
  }
  return base;
}
