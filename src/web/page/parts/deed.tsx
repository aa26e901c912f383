/** What a change did, as a sentence: names of notes are told apart from the words. */

import type { DeedPiece } from "../../wire.ts";
import { inSentence, useAuthor } from "../app.ts";
import { seen } from "../words.ts";

export const Deed = ({ deed }: { deed: readonly DeedPiece[] }) => {
  const called = useAuthor();
  return (
    <>
      {deed.map((piece, at) => {
        if (typeof piece === "string") return piece;
        if ("name" in piece) return <cite key={at}>{seen(piece.name)}</cite>;
        return inSentence(called(piece.author));
      })}
    </>
  );
};

/** That sentence where there is room for text alone. */
export const deedWords = (deed: readonly DeedPiece[], called: (author: string) => string): string =>
  deed
    .map((piece) =>
      typeof piece === "string" ? piece : "name" in piece ? piece.name : inSentence(called(piece.author)),
    )
    .join("");
