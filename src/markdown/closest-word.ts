/** The known word that is closest to a mistyped one: a tool, a parameter, a surface, a command or a flag. */

/** How many edits (insert, drop, change, swap of neighbours) turn one word into the other. */
const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
};

const folded = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Null where no known word is close. A long word is no typing mistake, and comparing it would cost time. */
export const closestWord = (word: string, known: readonly string[]): string | null => {
  if (word.length > 100) return null;
  const key = folded(word);
  let best: string | null = null;
  let least = Math.max(2, Math.floor(key.length / 3)) + 1;
  for (const candidate of known) {
    const away = distance(key, folded(candidate));
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
};
