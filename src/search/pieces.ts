/** Pieces: writing without spaces between words is searched by overlapping pairs or triples of its characters (decision 10). */

import { foldWord } from "./fold-word.ts";
import { nextOne, nextOther, ONE, OTHER, type Lexicon, type Term } from "./lexicon.ts";
import { kindAt, PAIRS, TRIPLES } from "./scripts.ts";
import type { Visit } from "./terms.ts";

export type Pieces = {
  /** The pieces of a stretch of one kind of writing, by number. */
  each(text: string, start: number, end: number, kind: number, visit: Visit): void;
  /** The terms a note must have to hold a stretch of writing without spaces, and whether they say it all. Null where a stretch is too short to have pieces. */
  of(stretch: string): { terms: Term[]; exact: boolean } | null;
};

// A kana alone says nothing.
const KANA = /^[\p{scx=Hiragana}\p{scx=Katakana}]$/u;

export function openPieces({ numberOf, add, termFor }: Lexicon): Pieces {
  function pieceOf(piece: string, size: number): number {
    let [one, other] = [OTHER, ONE];
    for (let at = 0; at < piece.length; at++) {
      one = nextOne(one, piece.charCodeAt(at));
      other = nextOther(other, piece.charCodeAt(at));
    }
    const known = numberOf(one, other);
    return known >= 0 ? known : add(one, other, { plain: piece, terms: [termFor(piece)], size, extra: "" });
  }

  return {
    // The characters of a pair are found alone too, if they mean something alone; a stretch too short for a triple is a piece itself.
    each(text, start, end, kind, visit) {
      const written = text.slice(start, end);
      const folded = foldWord(written);
      const characters = Array.from(folded);
      // Where folding changes the length, a piece stands for the whole stretch.
      const even = folded.length === written.length;
      const length = kind === PAIRS ? 2 : 3;
      const size = kind === PAIRS ? 0.25 : 0.2;
      let at = start;
      for (let first = 0; first < characters.length; first++) {
        const alone = characters[first]!;
        const show = (piece: string): void =>
          even ? visit(pieceOf(piece, size), at, at + piece.length) : visit(pieceOf(piece, size), start, end);
        if (first + length <= characters.length) show(characters.slice(first, first + length).join(""));
        else if (kind === TRIPLES && first === 0) show(folded);
        if (kind === PAIRS && (characters.length === 1 || !KANA.test(alone))) show(alone);
        at += alone.length;
      }
    },
    of(stretch) {
      const characters = Array.from(foldWord(stretch));
      const length = kindAt(stretch, 0) === PAIRS ? Math.min(2, characters.length) : 3;
      if (characters.length < length || (length < 2 && KANA.test(characters[0] ?? ""))) return null;
      const pieces = characters
        .slice(0, characters.length - length + 1)
        .map((_, at) => characters.slice(at, at + length).join(""));
      return { terms: [...new Set(pieces)].map(termFor), exact: pieces.length === 1 };
    },
  };
}
