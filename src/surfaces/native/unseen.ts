/** Characters of a note that a reader does not see, and that may hide words from a person or turn their order: the answer warns of them beside the text, never in it. */

import { unseenIn } from "../../markdown/unseen.ts";

const KINDS_NAMED = 5;

/** A warning in one sentence, or null where the text holds no such character. `firstLine`: the line of the file that the text begins on. */
export function unseenWarning(text: string, firstLine = 1): string | null {
  const found = new Map<string, { count: number; line: number }>();
  let [line, from, total] = [firstLine, 0, 0];
  for (const { at: place, char } of unseenIn(text, "text")) {
    for (; from < place; from++) if (text.charCodeAt(from) === 10) line++;
    total++;
    const name = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
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
