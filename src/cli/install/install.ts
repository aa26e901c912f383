/** The command `install`: connects a client to a vault, or to a server that runs. */

import { NoteError } from "../../markdown/errors.ts";
import { usageError, type Environment, type Settings } from "../settings.ts";
import { difference, goesAhead, masked, print, say } from "./asking.ts";
import { asTyped, callClaude, callsToInstall, serversOfUser } from "./claude-code.ts";
import { CLIENTS, clientNames, type Client, type Machine } from "./clients.ts";
import { oursIn } from "./entries.ts";
import { copyBeside, located, readConfiguration, readCopy, writeConfiguration } from "./files.ts";
import { claudeCodeFile, machineHere, onPath, placeOn } from "./here.ts";
import { oursFor, planInstall } from "./plan.ts";
import { toolsOf, wantedUrl, wantedVault, type Wanted } from "./wanted.ts";

/** An address is called by the client alone, later: nobody has looked whether it answers. */
const connected = (client: Client, { place }: Wanted): string =>
  `${client.title} is ${isAddress(place) ? "set to call" : "connected to"} ${place}`;

const isAddress = (place: string): boolean => /^https?:/.test(place);

const done = (client: Client, wanted: Wanted, where: string): void => {
  say(`${connected(client, wanted)} (${where}).`);
  say(client.restart);
  if (isAddress(wanted.place) && wanted.token === null)
    say(
      "No token was written. The client signs in where the server runs with --oauth; else make one (notewright token add NAME --rights write), set NOTEWRIGHT_TOKEN to it and run this again.",
    );
};

const byFile = async (
  client: Client,
  wanted: Wanted,
  machine: Machine,
  { values, environment }: { values: Settings["values"]; environment: Environment },
): Promise<void> => {
  const { file, there } = placeOn(client, machine);
  const now = readConfiguration(file);
  const [found] = located(now.file, () => oursFor(now.text, client, wanted.matches));
  const entry = wanted.entryOf(client, found);
  const { after, keep } = planInstall(
    now.text,
    client,
    { entry, found, called: wanted.called },
    readCopy(now.file),
  );
  if (after === now.text) return say(`${connected(client, wanted)} already: ${file}`);
  if (!there) say(`${client.title} was not found on this computer; its configuration would be ${file}.`);
  print(`${file}${now.text === null ? " (new)" : ""}`);
  process.stdout.write(difference(now.text, after, wanted.token, environment));
  if (!(await goesAhead(`Write this to ${file}?`, values))) return;
  writeConfiguration(now, after, keep);
  done(client, wanted, now.text === null ? file : `${file}; as it was: ${copyBeside(now.file)}`);
};

const byClaude = async (
  program: string,
  wanted: Wanted,
  machine: Machine,
  values: Settings["values"],
): Promise<void> => {
  const client = CLIENTS["claude-code"]!;
  const servers = located(claudeCodeFile(machine), () => serversOfUser(claudeCodeFile(machine)));
  const [found] = oursIn(servers).filter(wanted.matches);
  const entry = wanted.entryOf(client, found);
  const calls = callsToInstall(servers, { entry, found, called: wanted.called });
  if (calls.length === 0) return say(`${connected(client, wanted)} already.`);
  process.stdout.write(masked(asTyped(calls), wanted.token));
  if (!(await goesAhead("Call this?", values))) return;
  callClaude(program, calls, found);
  done(client, wanted, "for every project of yours");
};

/** What each client that is there would get. */
const list = (wanted: Wanted, machine: Machine): void => {
  const rows = clientNames.flatMap((name): [string, string, string][] => {
    const client = CLIENTS[name]!;
    const { file, there } = placeOn(client, machine);
    const claude = name === "claude-code" ? onPath("claude", machine) : null;
    if (!there && claude === null) return [];
    const read = claude === null ? file : claudeCodeFile(machine);
    return [[name, standing(client, read, wanted), claude === null ? file : "claude mcp add-json"]];
  });
  if (rows.length === 0)
    return say(
      `No client was found. Name one to write its configuration anyway: --client ${clientNames.join(", ")}.`,
    );
  for (const [name, what, where] of rows) print(`${name.padEnd(16)}${what.padEnd(20)}${where}`);
  print(`Each would ${wanted.does}.`);
  say("Nothing was written. To connect one, add --client NAME.");
};

const standing = (client: Client, file: string, wanted: Wanted): string => {
  try {
    const { text } = readConfiguration(file);
    const [found] = oursFor(text, client, wanted.matches);
    if (!found) return "would be connected";
    const entry = wanted.entryOf(client, found);
    const { after } = planInstall(text, client, { entry, found, called: wanted.called }, undefined);
    return after === text ? "is connected" : "would be renewed";
  } catch (error) {
    if (error instanceof NoteError) return "cannot be read";
    throw error;
  }
};

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  if (rest.length > 1 || (rest.length === 1 && values.vault !== undefined))
    throw usageError(`install takes one vault, not ${rest.length + 1}.`);
  const { url } = values;
  if (url !== undefined && (values.vault ?? values.tools ?? rest[0]) !== undefined)
    throw usageError(
      "--url connects to a server that has its vault and tools: leave --vault and --tools away.",
    );
  const wanted =
    url === undefined
      ? wantedVault(values.vault ?? rest[0], toolsOf(values.tools), environment)
      : wantedUrl(url, environment);
  const machine = machineHere(environment);
  if (values.client === undefined) return list(wanted, machine);
  const claude = values.client === "claude-code" ? onPath("claude", machine) : null;
  if (claude !== null) return byClaude(claude, wanted, machine, values);
  return byFile(CLIENTS[values.client]!, wanted, machine, { values, environment });
};
