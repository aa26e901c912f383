/** Each setting with its value and where that came from; and the user's own files. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { identitiesFile, readIdentities } from "../../identity/file.ts";
import { lastUseFile } from "../../identity/last-use.ts";
import { bytesText } from "../../markdown/bytes-text.ts";
import { NoteError } from "../../markdown/errors.ts";
import { authFile } from "../../oauth/auth-file.ts";
import { SERVE_FLAGS } from "../serving-commands.ts";
import {
  configFile,
  configuration,
  environmentName,
  strayKeys,
  type Environment,
  type Flags,
  type Settings,
} from "../settings.ts";
import { wrong, type Finding } from "./finding.ts";

/** Names of variables that hold a secret: that they are set is said, and nothing else. */
const SECRET = ["NOTEWRIGHT_EMBEDDINGS_KEY", "NOTEWRIGHT_TOKEN"];

/** An address may carry a password. */
const shown = (value: string): string => value.replace(/\/\/[^/@]*@/, "//…@");

type Sources = { given: Settings["values"]; config: Record<string, unknown>; environment: Environment };

const setting = (name: string, { given, config, environment }: Sources): Finding => {
  const variable = environmentName(name);
  const found: [unknown, string][] = [
    [given[name], "the flag"],
    [environment[variable] || undefined, variable],
    [config[name] ?? undefined, "the settings file"],
  ];
  const [value, from] = found.find(([each]) => each !== undefined) ?? [];
  if (value === undefined) return { part: "settings", what: name, is: "default" };
  const is = `${shown(String(value))}, from ${from}`;
  const choices = SERVE_FLAGS[name]?.choices;
  if (!choices || choices.includes(String(value))) return { part: "settings", what: name, is };
  return wrong("settings", name, is, `It is one of: ${choices.join(", ")}.`);
};

const stateFile = (what: string, file: string, check: () => void = () => undefined): Finding => {
  if (!existsSync(file)) return { part: "places", what, is: `${file} (none)` };
  try {
    check();
    return { part: "places", what, is: `${file} (${bytesText(statSync(file).size)})` };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return wrong("places", what, `${file} cannot be used`, error.message);
  }
};

export const settingFindings = (
  values: Settings["values"],
  environment: Environment,
  flags: readonly Flags[],
): Finding[] => {
  const home = homedir();
  const identities = identitiesFile(environment, home);
  const sources = { given: values, config: configuration(environment), environment };
  return [
    stateFile("settings file", configFile(environment)),
    stateFile("identities", identities, () => readIdentities(identities)),
    stateFile("last use", lastUseFile(environment, home)),
    stateFile("sign-ins", authFile(environment, home)),
    ...["vault", ...Object.keys(SERVE_FLAGS)].map((name) => setting(name, sources)),
    ...SECRET.filter((name) => environment[name]).map((name): Finding => ({
      part: "settings",
      what: name,
      is: "set (not shown)",
    })),
    ...strayKeys(environment, flags).map((sentence) =>
      wrong("settings", "settings file", sentence, "Correct or remove that key."),
    ),
  ];
};
