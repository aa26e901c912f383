/** Stems: English words without their endings, by the rules of M. F. Porter ("An algorithm for suffix stripping", 1980). Words of other languages lose an ending now and then, the same one in note and query. */

const VOWELS = "aeiou";

const isConsonant = (word: string, at: number): boolean => {
  const letter = word[at]!;
  if (VOWELS.includes(letter)) return false;
  return letter !== "y" || at === 0 || !isConsonant(word, at - 1);
};

/** How often a vowel is followed by a consonant. */
function measure(word: string): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < word.length; at++) {
    const consonant = isConsonant(word, at);
    if (consonant && afterVowel) count++;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isConsonant(word, at)) return true;
  return false;
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);

/** Whether it ends in consonant, vowel, consonant other than w, x, y: `hop` wants its `e` back after `hoping`. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !"wxy".includes(word[last]!)
  );
}

type Endings = [ending: string, by: string][];
const longestFirst = (list: string): Endings =>
  list
    .split(" ")
    .map((each) => each.split(">") as [string, string])
    .toSorted(([a], [b]) => b.length - a.length);

const SECOND = longestFirst(
  "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble logi>log",
);
const THIRD = longestFirst("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>");
const FOURTH = longestFirst(
  "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> sion>s tion>t ou> ism> ate> iti> ous> ive> ize>",
);

/** The longest ending that fits is replaced, where what stands before it is long enough. */
function replaceEnding(
  word: string,
  endings: Endings,
  longEnough: (before: string, by: string) => boolean,
): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const [ending, by] = found;
  const before = word.slice(0, word.length - ending.length);
  return longEnough(before, by) ? before + by : word;
}

const isSyllable = (before: string): boolean => measure(before) > 0;
/** `sion` and `tion` leave their first letter, which counts. */
const isWord = (before: string, by: string): boolean => measure(before + by) > 1;

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const before = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(before)) return word;
  if (/(?:at|bl|iz)$/.test(before)) return `${before}e`;
  if (endsDouble(before) && !/[lsz]$/.test(before)) return before.slice(0, -1);
  return measure(before) === 1 && endsShort(before) ? `${before}e` : before;
}

function withoutLastE(word: string): string {
  const before = word.slice(0, -1);
  const dropped =
    word.endsWith("e") && (measure(before) > 1 || (measure(before) === 1 && !endsShort(before)));
  const left = dropped ? before : word;
  return left.endsWith("ll") && measure(left) > 1 ? left.slice(0, -1) : left;
}

/** Longer than any English word: what is longer is no word. */
const LONGEST = 40;

/** The word has letters a to z in lower case only. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST) return word;
  let left = withoutPast(withoutPlural(word));
  if (left.endsWith("y") && hasVowel(left.slice(0, -1))) left = `${left.slice(0, -1)}i`;
  left = replaceEnding(left, SECOND, isSyllable);
  left = replaceEnding(left, THIRD, isSyllable);
  left = replaceEnding(left, FOURTH, isWord);
  return withoutLastE(left);
}
