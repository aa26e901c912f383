/** The command `uninstall`: takes our entry out of a client's configuration. */

import { NoteError } from "../../markdown/errors.ts";
import { usageError, type Environment, type Settings } from "../settings.ts";
import { difference, goesAhead, print, say } from "./asking.ts";
import { asTyped, callClaude, callsToUninstall, serversOfUser } from "./claude-code.ts";
import { CLIENTS, type Machine } from "./clients.ts";
import { oursIn, type Ours, type Served } from "./entries.ts";
import { located, readConfiguration, readCopy, writeConfiguration } from "./files.ts";
import { claudeCodeFile, connectedHere, machineHere, onPath, placeOn, realPlace } from "./here.ts";
import { oursFor, planUninstall } from "./plan.ts";

export const placeServed = (served: Served): string =>
  "url" in served ? served.url : (served.vault ?? "the vault of the settings");

const list = (machine: Machine): void => {
  const rows = connectedHere(machine).flatMap(({ client, file, ours }) =>
    ours.map(({ served }) => `${client.padEnd(16)}${placeServed(served)}  (${file})`),
  );
  for (const row of rows) print(row);
  say(
    rows.length === 0
      ? "No client is connected."
      : "Nothing was changed. To disconnect one, add --client NAME.",
  );
};

/** The vault or the address that is meant, where one is named. */
type Which = { vault: string | undefined; url: string | undefined };

const isMeant = ({ served }: Ours, { vault, url }: Which): boolean => {
  if (url !== undefined) return "url" in served && served.url === url;
  if (vault === undefined) return true;
  return "vault" in served && served.vault !== null && realPlace(served.vault) === realPlace(vault);
};

/** The one entry that is meant. */
const chosen = (found: readonly Ours[], title: string, which: Which): Ours | undefined => {
  const meant = found.filter((ours) => isMeant(ours, which));
  if (meant.length > 1)
    throw new NoteError(
      "input_refused",
      `${title} is connected to several: ${meant.map(({ served }) => placeServed(served)).join(", ")}. Say which: --vault FOLDER or --url ADDRESS.`,
    );
  const named = which.url ?? which.vault;
  if (meant.length === 0)
    say(`${title} is not connected${named === undefined ? "" : ` to ${named}`}. Nothing was changed.`);
  return meant[0];
};

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  if (rest.length > 1) throw usageError(`uninstall takes one vault, not ${rest.length}.`);
  const which = { vault: values.vault ?? rest[0], url: values.url };
  if (which.vault !== undefined && which.url !== undefined)
    throw usageError("uninstall takes a vault or an address (--url), not both.");
  const machine = machineHere(environment);
  if (values.client === undefined) return list(machine);
  const client = CLIENTS[values.client]!;
  const claude = values.client === "claude-code" ? onPath("claude", machine) : null;
  if (claude !== null) {
    const file = claudeCodeFile(machine);
    const found = chosen(
      located(file, () => oursIn(serversOfUser(file))),
      client.title,
      which,
    );
    if (!found) return;
    const calls = callsToUninstall(found);
    process.stdout.write(asTyped(calls));
    if (!(await goesAhead("Call this?", values))) return;
    callClaude(claude, calls, undefined);
  } else {
    const { file } = placeOn(client, machine);
    const now = readConfiguration(file);
    const found = chosen(
      located(now.file, () => oursFor(now.text, client, () => true)),
      client.title,
      which,
    );
    if (!found || now.text === null) return;
    const { after, keep } = planUninstall(now.text, client, found, readCopy(now.file));
    print(`${file}${after === null ? " (removed)" : ""}`);
    process.stdout.write(difference(now.text, after, null, environment));
    if (!(await goesAhead(`Write this to ${file}?`, values))) return;
    writeConfiguration(now, after, keep);
  }
  say(`${client.title} is disconnected. ${client.restart.replace(/;.*$/, ".")}`);
};
