/** Characters that a reader does not see, or that turn the order of what is seen: which they are, and where they rightly stand. */

/** Control, format and line-separator characters, letters without a shape, halves of characters, and variation selectors. */
const IN_LINE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
/** In a text of several lines tabs and line endings are what they seem. */
const IN_TEXT = new RegExp(`(?![\\t\\n\\r])(?:${IN_LINE.source})`, "gu");
/** Format characters of Unicode that are seen: signs that enclose the number or the verse after them. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}\u{e0020}-\u{e007f}]$/u;
/** Scripts whose letters are joined and parted by characters without a shape. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]\p{M}*$/u;
const SELECTOR = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const SELECTED = /[^\s\p{Cc}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u;
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007f}]*$/u;

/** These are tested many times sooner than that nothing suspect is there. */
const LINE_SEEN = /^[ -~]*$/;
const TEXT_SEEN = /^[\t\n\r -~]*$/;

export type Unseen = { at: number; char: string };

/** All of them in their order, but for those that emoji and some scripts are rightly made of. A text may begin with a BOM. */
export function* unseenIn(text: string, within: "line" | "text"): Generator<Unseen> {
  const lines = within === "text";
  if ((lines ? TEXT_SEEN : LINE_SEEN).test(text)) return;
  for (const { index: at, 0: char } of text.matchAll(lines ? IN_TEXT : IN_LINE))
    if (!(lines && at === 0 && char === "\uFEFF") && !belongs(text, at, char)) yield { at, char };
}

function belongs(text: string, at: number, char: string): boolean {
  if (SEEN.test(char)) return true;
  const before = text.slice(Math.max(0, at - 16), at);
  if (char === "\u200D") return PICTURE.test(before) || JOINED.test(before);
  if (char === "\u200C" || char === "\u180E") return JOINED.test(before);
  // One selector chooses a form of the character before it; a row of them spells something else.
  if (SELECTOR.test(char)) return SELECTED.test(before);
  // Flags of regions are spelled in tag characters after a black flag.
  const code = char.codePointAt(0)!;
  return code >= 0xe0020 && code <= 0xe007f && FLAG.test(before);
}
