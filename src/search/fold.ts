/** Text as it is searched: lower case, or also without accents, and never of another length, so that what is found stands at the same place in the original. */

/** Folds case. The text must be in NFC. */
export function foldText(text: string): string {
  // This is the one letter that grows in lower case.
  const even = text.includes("\u0130") ? text.replaceAll("\u0130", "i") : text;
  return even.toLowerCase().replaceAll("ς", "σ");
}

/** Folds case and drops accents, as the full-text table does with words. */
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
