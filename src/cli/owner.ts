/** The command `owner`: the passphrase with which the owner signs in where an app asks for access, and one-time codes. */

import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { authFile, openAuthFile } from "../oauth/auth-file.ts";
import { newCode, PASSPHRASE_LEAST, PASSPHRASE_LIMIT, setPassphrase } from "../oauth/owner.ts";
import { hashPassphrase, matchesPassphrase } from "../oauth/passphrase.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";

/** A line that the terminal does not show. */
const hiddenLine = (question: string): Promise<string> =>
  new Promise((done, failed) => {
    process.stderr.write(question);
    const nowhere = new Writable({ write: (_, __, written) => written() });
    const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
    let line: string | null = null;
    lines.once("line", (text) => {
      line = text;
      lines.close();
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      process.stderr.write("\n");
      if (line === null) failed(usageError("No passphrase was given; the old one stays."));
      else done(line);
    });
  });

const firstLine = async (): Promise<string> => {
  let text = "";
  for await (const piece of process.stdin) {
    text += String(piece);
    if (text.includes("\n") || text.length > PASSPHRASE_LIMIT) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
};

const askedPassphrase = async (): Promise<string> => {
  if (!process.stdin.isTTY) return firstLine();
  const first = await hiddenLine("New passphrase: ");
  if ((await hiddenLine("Once more: ")) !== first)
    throw usageError("The two are not the same; the old passphrase stays.");
  return first;
};

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  if (rest.length > 0) throw usageError(`owner takes no "${rest[0]}": a passphrase is typed or piped in.`);
  const passphrase = values.code === undefined ? await askedPassphrase() : null;
  if (passphrase !== null && (passphrase.length < PASSPHRASE_LEAST || passphrase.length > PASSPHRASE_LIMIT))
    throw usageError(
      `A passphrase has ${PASSPHRASE_LEAST} to ${PASSPHRASE_LIMIT} characters; the old one stays. Four words are a good one.`,
    );
  const store = await openAuthFile(authFile(environment, homedir()));
  try {
    if (passphrase === null) {
      process.stdout.write(`${await newCode(store)}\n`);
      process.stderr.write("This code signs you in once, within ten minutes.\n");
      return;
    }
    await setPassphrase(store, { hash: hashPassphrase, matches: matchesPassphrase }, passphrase);
    process.stderr.write("The passphrase is set. Sign in with it where an app asks for access.\n");
  } finally {
    store.close();
  }
};
