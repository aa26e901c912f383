/** What may be written on a terminal, and in what colour. */

export type Paint = (code: number, text: string) => string;

/** Names and notes may hold escape sequences, which a terminal would obey, and characters that hide or turn text. */
export const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");

export const painter = (
  screen: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint =>
  screen.isTTY && !environment.NO_COLOR
    ? (code, text) => `\u001b[${code}m${text}\u001b[0m`
    : (_, text) => text;
