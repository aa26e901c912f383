/** A vault as `serve` opens it, from its settings: over stdio one, over HTTP several. */

import { escaped } from "../markdown/label.ts";
import { failureLine } from "../protocol/failure.ts";
import { openTroubles, type Troubles } from "../protocol/troubles.ts";
import { openFolder, openMemory, type Open } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import { checkedTimeZone, embeddingsOf, placesOf, type Environment, type Settings } from "./settings.ts";
import { screenOf } from "./streams.ts";

const screen = screenOf(process.stderr);
/** Writes one line for people; stdout carries protocol only. */
export const log = (line: string): void => void screen.write(`notewright: ${escaped(line)}\n`);

export type ServedVault = Open & { troubles: Troubles };

/** Opens the vault and begins its work in the background; tools answer meanwhile. Without a folder, notes live in memory. */
export const openServed = async (
  root: string | null,
  values: Settings["values"],
  environment: Environment,
): Promise<ServedVault> => {
  const troubles = openTroubles(() => new Date());
  const timeZone = checkedTimeZone(values["time-zone"]);
  if (root === null) return { ...(await openMemory(timeZone, reporter(troubles))), troubles };
  const open = await openFolder(root, {
    readOnly: values["read-only"] !== undefined,
    ...placesOf(values),
    durability: values.durability === "fast" ? "fast" : "full",
    history: values.history !== "off",
    outsideAuthor: values["outside-author"],
    timeZone,
    locale: values.locale,
    embeddings: embeddingsOf(values, environment),
    environment,
    report: reporter(troubles),
    tell: log,
  });
  open.start(
    progressOn(screen, environment),
    progressOn(screen, environment, { doing: "Embedding", done: "embedded" }),
  );
  return { ...open, troubles };
};

/** What is tried again every few seconds would fill the log with one line. */
export const reporter = (troubles?: Troubles): ((what: string, error: unknown) => void) => {
  let reported = "";
  return (what, error) => {
    troubles?.add(what);
    const line = failureLine(what, error);
    if (line !== reported) log(line);
    reported = line;
  };
};
