/** Colours, where the screen is a terminal. */

export type Paint = (code: number, text: string) => string;

export const painter = (
  screen: { isTTY?: boolean },
  environment: Record<string, string | undefined>,
): Paint =>
  screen.isTTY && !environment.NO_COLOR
    ? (code, text) => `\u001b[${code}m${text}\u001b[0m`
    : (_, text) => text;
