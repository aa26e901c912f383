/** Sentences in place of a query: their quotation marks, parentheses, dashes and capital letters are those of prose, not signs of the query language. */

/** Nobody writes so long a query by hand. */
const WORDS = 30;
/** Names that only a query has before a sign. */
const NAMED = /(?:^|[\s("-])(?:title|tag|folder|path|link|is|created|modified)(?::|[<>]=?)\S/i;
/** Its last sign, whatever quotation marks or brackets close after it. */
const ENDED = /[\p{L}\p{M}\p{N})\]）"'”’」』]\s*[.?!…。？！؟।]+["'”’»」』)\]）\s]*$/u;

export function isSentence(text: string): boolean {
  if (NAMED.test(text)) return false;
  if (text.trim().split(/\s+/, WORDS + 1).length > WORDS) return true;
  // A phrase with a full stop after it is still a phrase.
  return ENDED.test(text) && /[\p{L}\p{N}]/u.test(text.replace(/"[^"]*"/g, ""));
}
