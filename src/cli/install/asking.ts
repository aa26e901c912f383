/** What a person sees before a configuration is changed: the lines that differ, and a question. */

import { createInterface } from "node:readline/promises";
import { escaped } from "../../markdown/label.ts";
import { linesBetween } from "../diff-text.ts";
import { usageError, type Environment, type Settings } from "../settings.ts";
import { painter } from "../terminal.ts";

/** One line for people, and one of what was asked for. */
export const say = (line: string): void => void process.stderr.write(`${escaped(line)}\n`);
export const print = (line: string): void => void process.stdout.write(`${escaped(line)}\n`);

const bytesOf = (text: string | null): Uint8Array | null =>
  text === null ? null : new TextEncoder().encode(text);

/** Tokens of ours, and whatever else is sent as one, are not shown, on neither side. */
export const masked = (text: string, token: string | null): string =>
  (token === null ? text : text.replaceAll(token, "…"))
    .replace(/nw_[\w-]+/g, "…")
    // oxlint-disable-next-line no-control-regex -- the colours of a terminal
    .replace(/(Bearer\s+)[^\s"'\u001b]+/gi, "$1…");

/** Only lines that change: those around them may hold secrets of other servers. */
export const difference = (
  before: string | null,
  after: string | null,
  token: string | null,
  environment: Environment,
): string => {
  const paint = painter(process.stdout, environment);
  const lines = linesBetween(bytesOf(before), bytesOf(after), paint)
    .split(/(?<=\n)/)
    // oxlint-disable-next-line no-control-regex -- the colours of a terminal
    .filter((line) => /^(?:\u001b\[\d+m)?[-+]/.test(line))
    .join("");
  return masked(lines, token);
};

/** Whether to go on: yes with --yes, no with --dry-run; else a person on a terminal says so. */
export const goesAhead = async (question: string, values: Settings["values"]): Promise<boolean> => {
  if (values["dry-run"] !== undefined) {
    process.stderr.write("This is a dry run: nothing was written.\n");
    return false;
  }
  if (values.yes !== undefined) return true;
  if (!process.stdin.isTTY)
    throw usageError(
      `${question} Nobody is here to say yes: nothing was written. Add --yes, or --dry-run to look only.`,
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new AbortController();
  lines.once("close", () => gone.abort());
  const answer = await lines.question(`${escaped(question)} [y/N] `, { signal: gone.signal }).catch(() => "");
  lines.close();
  if (/^y(?:es)?$/i.test(answer.trim())) return true;
  process.stderr.write("Nothing was written.\n");
  return false;
};
