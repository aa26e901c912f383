/** Half characters: a lone surrogate has no UTF-8 form, so a file would get another text, or another name, than the caller gave. */

import { NoteError } from "./errors.ts";

export const hasHalfCharacter = (text: string): boolean => /\p{Surrogate}/u.test(text);

export function checkWhole(text: string, what: string, details: Record<string, unknown> = {}): void {
  if (!hasHalfCharacter(text)) return;
  throw new NoteError(
    "input_refused",
    `${what} holds half a character (a lone surrogate). Send whole characters.`,
    details,
  );
}
