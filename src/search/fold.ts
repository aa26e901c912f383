/** Text as it is searched: lower case, or also without accents, and never of another length, so that what is found stands at the same place in the original. */

/** For text in NFC. */
export function foldText(text: string): string {
  // The one letter that grows in lower case.
  const even = text.includes("\u0130") ? text.replaceAll("\u0130", "i") : text;
  return even.toLowerCase().replaceAll("ς", "σ");
}

/** The same without accents: what the full-text table makes of words. */
export function foldWords(text: string): string {
  const bases = new Map<string, string>();
  return foldText(text).replace(/[^\0-\x7f]/g, (letter) => {
    let base = bases.get(letter);
    if (base === undefined) bases.set(letter, (base = baseOf(letter)));
    return base;
  });
}

function baseOf(letter: string): string {
  const [first, ...marks] = letter.normalize("NFD");
  return first!.length === letter.length && marks.every((mark) => /\p{M}/u.test(mark)) ? first! : letter;
}
