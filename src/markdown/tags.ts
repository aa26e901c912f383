/** Tags: the words a note is filed under, in its fields and in its text. A tag may lie under another: `vc/fund` under `vc`. */

import { asciiTable, isDigit, SLASH } from "./characters.ts";
import type { Fields, Value } from "./frontmatter.ts";

/** From `tags` and `tag`: a list, or text parted by commas or white space; a leading `#` is left off. */
export function fieldTags(fields: Fields): string[] {
  const found = [fields["tags"], fields["tag"]].flatMap((value) =>
    typeof value === "string" ? value.split(/[,\s]/) : plainTexts(value),
  );
  return [...new Set(found.map((tag) => tag.trim().replace(/^#+/, "")).filter((tag) => tag !== ""))];
}

/** The texts and numbers of a list, or a lone one, as texts. */
export function plainTexts(value: Value | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    typeof each === "string" || typeof each === "number" ? [String(each)] : [],
  );
}

const ASCII = asciiTable("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-/");
// Obsidian also takes symbols, emoji among them, but no punctuation, space or control.
const OTHER = /[\p{L}\p{M}\p{N}\p{S}]/u;

/** Where the tag whose `#` stands at `at` ends, or -1. It needs one character that is no digit; slashes at its end are not part of it. */
export function tagEnd(text: string, at: number, end: number): number {
  let i = at + 1;
  let wordy = false;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      if (ASCII[code] === 0) break;
      wordy ||= !isDigit(code) && code !== SLASH;
      i++;
    } else {
      const character = String.fromCodePoint(text.codePointAt(i)!);
      if (!OTHER.test(character)) break;
      wordy = true;
      i += character.length;
    }
  }
  while (i > at + 1 && text.charCodeAt(i - 1) === SLASH) i--;
  return wordy && i > at + 1 ? i : -1;
}
