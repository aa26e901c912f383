/** Characters of a note that a reader does not see, and that may hide words from a person or turn their order: told beside the text, never in it. */

/** Not told: a BOM at the beginning, tabs, line endings, and what emoji and some scripts are rightly made of. */
const SUSPECT = /(?![\t\n\r])[\p{Cc}\p{Cf}\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}\u{e0020}-\u{e007f}]$/u;
/** Scripts whose letters are joined and parted by characters without a shape. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]\p{M}*$/u;
const KINDS_NAMED = 5;

/** Found many times sooner than that nothing suspect is there. */
const ALL_SEEN = /^[\t\n\r -~]*$/;

/** One sentence, or null where there is nothing to tell. `firstLine`: the line of the file that the text begins on. */
export function unseenWarning(text: string, firstLine = 1): string | null {
  if (ALL_SEEN.test(text)) return null;
  const found = new Map<string, { count: number; line: number }>();
  let [line, from, total] = [firstLine, 0, 0];
  for (const match of text.matchAll(SUSPECT)) {
    if (belongs(text, match.index, match[0])) continue;
    for (; from < match.index; from++) if (text.charCodeAt(from) === 10) line++;
    total++;
    const name = `U+${match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
    const known = found.get(name);
    if (known) known.count++;
    else found.set(name, { count: 1, line });
  }
  if (total === 0) return null;
  const kinds = [...found].slice(0, KINDS_NAMED).map(([name, { count, line: at }]) => {
    return `${name}${count > 1 ? ` ${count} times, first` : ""} on line ${at}`;
  });
  const more = found.size > KINDS_NAMED ? ` and ${found.size - KINDS_NAMED} more kinds` : "";
  return `The text holds ${total} invisible or direction-turning character${total === 1 ? "" : "s"}: ${kinds.join(", ")}${more}. It may read otherwise to a person.`;
}

function belongs(text: string, at: number, char: string): boolean {
  if (char === "\uFEFF") return at === 0;
  const before = text.slice(Math.max(0, at - 8), at);
  const code = char.codePointAt(0)!;
  if (char === "\u200D") return PICTURE.test(before) || JOINED.test(before);
  if (char === "\u200C") return JOINED.test(before);
  // Flags of regions are spelled in tag characters after a black flag.
  return (
    code >= 0xe0020 &&
    code <= 0xe007f &&
    /\u{1f3f4}[\u{e0020}-\u{e007f}]*$/u.test(text.slice(Math.max(0, at - 16), at))
  );
}
