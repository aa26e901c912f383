/** A vault as `serve` opens it, from its settings: over stdio one, over HTTP several. */

import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { failureLine } from "../protocol/failure.ts";
import { openFolder, type Open } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import { checkedTimeZone, embeddingsOf, placesOf, type Environment, type Settings } from "./settings.ts";
import { screenOf } from "./streams.ts";

const screen = screenOf(process.stderr);
/** Writes one line for people; stdout carries protocol only. */
export const log = (line: string): void => void screen.write(`notewright: ${escaped(line)}\n`);

export const noVault = (): NoteError =>
  new NoteError(
    "path_refused",
    "No vault is named. Give its folder: notewright serve FOLDER, or set NOTEWRIGHT_VAULT.",
  );

/** Opens the vault and begins its work in the background; tools answer meanwhile. */
export const openServed = async (
  root: string,
  values: Settings["values"],
  environment: Environment,
): Promise<Open> => {
  const open = await openFolder(root, {
    readOnly: values["read-only"] !== undefined,
    ...placesOf(values),
    durability: values.durability === "fast" ? "fast" : "full",
    history: values.history !== "off",
    outsideAuthor: values["outside-author"],
    timeZone: checkedTimeZone(values["time-zone"]),
    embeddings: embeddingsOf(values, environment),
    environment,
    report: reporter(),
    tell: log,
  });
  open.start(
    progressOn(screen, environment),
    progressOn(screen, environment, { doing: "Embedding", done: "embedded" }),
  );
  return open;
};

/** What is tried again every few seconds would fill the log with one line. */
export const reporter = (): ((what: string, error: unknown) => void) => {
  let reported = "";
  return (what, error) => {
    const line = failureLine(what, error);
    if (line !== reported) log(line);
    reported = line;
  };
};
