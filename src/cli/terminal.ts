/** What is printed for people: colours, where the screen is a terminal, and sizes. */

import { escaped } from "../markdown/label.ts";

export type Paint = (code: number, text: string) => string;

export const painter = (
  screen: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint =>
  screen.isTTY && !environment.NO_COLOR
    ? (code, text) => `\u001b[${code}m${text}\u001b[0m`
    : (_, text) => text;

const UNITS = ["bytes", "kB", "MB", "GB"];

/** `5.1 MB`: three digits at most. */
export const bytesText = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
};

/** Text of a note for a terminal, which obeys no letter of it: what is not seen is written as JSON escapes it. */
export const printable = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(escaped).join("\t"))
    .join("\n");

/** On a terminal the next prompt begins a line of its own. */
export const lineEnded = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
