/** What is printed for people: colours, where the screen is a terminal, and texts that it does not obey. */

import { escaped } from "../markdown/label.ts";

export type Paint = (code: number, text: string) => string;

export const painter = (
  screen: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint =>
  screen.isTTY && !environment.NO_COLOR
    ? (code, text) => `\u001b[${code}m${text}\u001b[0m`
    : (_, text) => text;

/** Text of a note for a terminal, which obeys no letter of it: what is not seen is written as JSON escapes it. */
export const printable = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(escaped).join("\t"))
    .join("\n");

/** On a terminal the next prompt begins a line of its own. */
export const lineEnded = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
