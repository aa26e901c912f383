/** Words that came and went between two texts, in pieces; each character that a reader would not see is a piece of its own. */

import { diffArrays } from "diff";
import { unseenIn } from "./unseen.ts";

/** A stretch of text. `unseen`: it is one character that a reader would not see; `turns`, where it turns the order of others. */
export type Piece = {
  kind: "same" | "added" | "removed";
  text: string;
  unseen?: { code: string; turns: boolean };
};

/** Characters of changed prose that are compared word by word; past this, and past so many edits, line by line. */
const WORDS_LIMIT = 64 * 1024;
const MOST_EDITS = 2000;

const WORD = /[\p{L}\p{N}\p{M}_'’-]+|\s+|./gsu;

/** Null where there is too much of it. */
export function wordPieces(before: string, after: string): Piece[] | null {
  if (before === "" || after === "") return replaced(before, after);
  if (before.length + after.length > WORDS_LIMIT) return null;
  const parts = diffArrays(before.match(WORD) ?? [], after.match(WORD) ?? [], { maxEditLength: MOST_EDITS });
  if (!parts) return null;
  return joined(
    phrases(
      parts.map(({ added, removed, value }) => ({
        kind: added ? "added" : removed ? "removed" : "same",
        text: value.join(""),
      })),
    ).flatMap(({ kind, text }) => marked(kind, text)),
  );
}

type Words = Pick<Piece, "kind" | "text">;

/** Words that were replaced one after another are read as one phrase: the blanks between them go and come with them. */
function phrases(words: readonly Words[]): Words[] {
  const all: Words[] = [];
  let [removed, added] = ["", ""];
  const end = (): void => {
    if (removed !== "") all.push({ kind: "removed", text: removed });
    if (added !== "") all.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  words.forEach((word, at) => {
    const { kind, text } = word;
    const next = words[at + 1];
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (removed !== "" && added !== "" && next && /^[ \t]+$/.test(text)) {
      removed += text;
      added += text;
    } else {
      end();
      all.push(word);
    }
  });
  end();
  return all;
}

export const replaced = (before: string, after: string): Piece[] => [
  ...marked("removed", before),
  ...marked("added", after),
];

/** Direction marks, embeddings, overrides and isolates. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The text in pieces: each character that is not seen is one of its own, and so is a carriage return that comes or goes. */
export function marked(kind: Piece["kind"], text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const add = (to: number): void => void (to > from && pieces.push({ kind, text: text.slice(from, to) }));
  const single = (at: number, char: string): void => {
    add(at);
    const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
    pieces.push({ kind, text: char, unseen: { code, turns: TURNS.test(char) } });
    from = at + char.length;
  };
  const found = [...unseenIn(text, "text")];
  // A text may begin with a byte order mark, a piece of one may not.
  if (text.startsWith("\uFEFF")) found.unshift({ at: 0, char: "\uFEFF" });
  if (kind !== "same") for (const { index } of text.matchAll(/\r/g)) found.push({ at: index, char: "\r" });
  for (const { at, char } of found.toSorted((one, other) => one.at - other.at)) single(at, char);
  add(text.length);
  return pieces;
}

/** Neighbours of one kind become one piece. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && last.kind === piece.kind && !last.unseen && !piece.unseen) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}
