/** The token for a server elsewhere: from the environment, or from a file that only its user may open. Never from a flag, which others see in the list of processes. */

import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { NoteError } from "../markdown/errors.ts";
import { TOKEN_LIMIT } from "../identity/token.ts";
import { expandHome, usageError, type Environment } from "./settings.ts";

const OTHERS = 0o077;

export const accessToken = (file: string | undefined, environment: Environment): string => {
  const written = file === undefined ? environment.NOTEWRIGHT_TOKEN : firstLine(expandHome(file));
  const token = written?.trim() ?? "";
  if (token === "")
    throw usageError(
      "A token with admin rights is needed: set NOTEWRIGHT_TOKEN, or name a file of mode 0600 with --token-file.",
    );
  if (token.length > TOKEN_LIMIT || !/^[\w.~+/:=-]+$/.test(token))
    throw usageError("That is no token: it is one word, as notewright token add printed it.");
  return token;
};

const firstLine = (file: string): string => {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    throw new NoteError("disk_refused", `The token cannot be read from ${file}.`);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > 2 * TOKEN_LIMIT)
      throw new NoteError("disk_refused", `${file} is no file of a token.`);
    if (process.platform !== "win32" && (stat.mode & OTHERS) !== 0)
      throw new NoteError("disk_refused", `Others may open ${file}. Run chmod 600 on it first.`);
    return readFileSync(descriptor, "utf8").split("\n", 1)[0]!;
  } finally {
    closeSync(descriptor);
  }
};
