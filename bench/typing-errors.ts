/** One typing error in the longest word of a query, always the same one for the same query. */

/** Shorter words become other words by it, and nobody could tell what was meant. */
const SHORTEST = 4;
const LETTERS = "etaoinshrdlu";

/** Null where no word is long enough. */
export function mistyped(query: string): string | null {
  const words = [...query.matchAll(/[\p{L}\p{M}]+/gu)];
  const longest = Math.max(0, ...words.map(([word]) => Array.from(word).length));
  const found = words.find(([word]) => Array.from(word).length === longest);
  if (!found || longest < SHORTEST) return null;
  const chance = hashOf(query);
  const letters = Array.from(found[0]);
  // The first letter is seldom the wrong one.
  const at = 1 + (chance % (longest - 1));
  wrong(letters, at, Math.floor(chance / 1000));
  const word = letters.join("");
  return query.slice(0, found.index) + word + query.slice(found.index + found[0].length);
}

/** A letter swapped with its neighbour, left out, struck twice, or another in its place. */
function wrong(letters: string[], at: number, chance: number): void {
  const letter = letters[at]!;
  const other = at + 1 < letters.length ? at + 1 : at - 1;
  switch (letters[other] === letter ? 1 : chance % 4) {
    case 0:
      [letters[at], letters[other]] = [letters[other]!, letter];
      return;
    case 1:
      letters.splice(at, 1);
      return;
    case 2:
      letters.splice(at, 0, letter);
      return;
    default:
      letters[at] = otherThan(letter, letters, chance);
  }
}

/** Of the same script: a frequent letter of ours, or one of the word itself. */
function otherThan(letter: string, letters: readonly string[], chance: number): string {
  const from = (/\p{Script=Latin}/u.test(letter) ? Array.from(LETTERS) : letters).filter(
    (each) => each !== letter,
  );
  return from[chance % from.length] ?? "";
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
