/** What a client is to be connected to: a folder of notes, which it serves by starting this program, or an address. */

import { basename, resolve } from "node:path";
import { NoteError } from "../../markdown/errors.ts";
import { closestWord } from "../../markdown/closest-word.ts";
import { isLoopback } from "../../markdown/loopback.ts";
import { surfaceNames } from "../../surfaces/all.ts";
import { realFolder } from "../../vault/places.ts";
import { usageError, type Environment } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { noVault, sayVault, vaultOf } from "../which-vault.ts";
import { bridged, type Client, type Entry, type Remote, type Start } from "./clients.ts";
import type { Ours } from "./entries.ts";
import { programHere, realPlace } from "./here.ts";
import { npxOn, startOf } from "./program.ts";

export type Wanted = {
  /** For people, and to name an entry after. */
  place: string;
  called: string;
  /** What a client does once it is connected. */
  does: string;
  token: string | null;
  matches(ours: Ours): boolean;
  /** The entry of a client; `found` is the one that it renews. */
  entryOf(client: Client, found: Ours | undefined): Entry;
};

export const toolsOf = (tools: string | undefined): string[] => {
  if (tools === undefined) return [];
  if (surfaceNames.includes(tools)) return ["--tools", tools];
  const closest = closestWord(tools, surfaceNames);
  throw usageError(
    `There are no tools called "${tools}".${closest ? ` Did you mean --tools ${closest}?` : ""} The surfaces are: ${surfaceNames.join(", ")}.`,
  );
};

/** The flags of an entry that a person wrote stay, but for the set of tools where another is asked for. */
const flagsOf = (found: Ours | undefined, tools: readonly string[]): string[] => {
  const kept = found && "flags" in found.served ? found.served.flags : [];
  if (tools.length === 0) return kept;
  const others = kept.filter((word, at) => !/^--tools(?:=|$)/.test(word) && kept[at - 1] !== "--tools");
  return [...tools, ...others];
};

const shellLine = ({ command, args }: Start): string => [command, ...args].map(shellWord).join(" ");

export const wantedVault = (named: string | undefined, tools: string[], environment: Environment): Wanted => {
  const vault = vaultOf(named, { environment });
  if (vault === null) throw noVault("install --vault ~/Notes");
  sayVault(vault, environment);
  realFolder(vault.root);
  const place = resolve(vault.root);
  const program = programHere();
  return {
    place,
    called: basename(place),
    does: `start: ${shellLine(startOf(program, ["serve", place, ...tools]))}`,
    token: null,
    matches: ({ served }) =>
      "vault" in served && (served.vault === null || realPlace(served.vault) === realPlace(place)),
    entryOf: (client, found) => client.local(startOf(program, ["serve", place, ...flagsOf(found, tools)])),
  };
};

export const wantedUrl = (url: string, environment: Environment): Wanted => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`--url cannot be "${url}". Give an address such as http://127.0.0.1:8787/mcp.`);
  const { hostname } = new URL(url);
  const remote: Remote = { url, token: environment.NOTEWRIGHT_TOKEN || null };
  return {
    place: url,
    called: hostname,
    does: `call ${url}`,
    token: remote.token,
    matches: ({ served }) => "url" in served && served.url === url,
    entryOf(client) {
      const entry = client.remote(remote);
      if (entry) return entry;
      if (isLoopback(hostname)) return bridged(remote, npxOn(process.platform));
      throw new NoteError(
        "input_refused",
        `${client.title} takes no address in its configuration. Open its Settings, then Connectors, choose "Add custom connector" and give it ${url}; the server must run with --oauth.`,
      );
    },
  };
};
