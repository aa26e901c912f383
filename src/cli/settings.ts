/** Settings: from flags, then NOTEWRIGHT_* in the environment, then the user's own configuration file; never from the vault. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NoteError } from "../markdown/errors.ts";
import { closestWord } from "../markdown/closest-word.ts";
import { label } from "../markdown/label.ts";
import { zoneNamed } from "../notebook/zone.ts";

export type Flag = {
  /** What the value is called in the help; absent for a flag that is on or off. */
  value?: string;
  /** One letter or digit that means the same. */
  short?: string;
  choices?: readonly string[];
  /** May be given several times; the values then stand on a line each. */
  many?: boolean;
  /** Means this call alone: neither the environment nor the configuration can set it. */
  once?: boolean;
  help: string;
};
export type Flags = Record<string, Flag>;
export type Settings = { values: Record<string, string | undefined>; rest: string[] };
export type Environment = Record<string, string | undefined>;

/** A mistake in how the command was called. */
export const usageError = (message: string): NoteError => new NoteError("input_refused", message);

export const environmentName = (flag: string): string =>
  `NOTEWRIGHT_${flag.replaceAll("-", "_").toUpperCase()}`;
export const configFile = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), ".config"), "notewright", "config.json");

/** What the settings file holds; nothing where there is none. */
export const configuration = (environment: Environment): Record<string, unknown> => {
  let text: string;
  try {
    text = readFileSync(configFile(environment), "utf8");
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The error below names what is wrong either way.
  }
  throw usageError(`The settings file ${configFile(environment)} is not a JSON object. Repair or remove it.`);
};

/** A sentence for each key of the settings file that sets nothing. `flags` are those of every command. */
export const strayKeys = (environment: Environment, flags: readonly Flags[]): string[] => {
  const known = new Set(["vault"]);
  for (const of of flags) for (const [name, flag] of Object.entries(of)) if (!flag.once) known.add(name);
  const stray = Object.keys(configuration(environment)).filter((key) => !known.has(key));
  return stray.map((key) => {
    const closest = closestWord(key, [...known]);
    return `"${label(key)}" in ${configFile(environment)} is no setting.${closest ? ` Did you mean "${closest}"?` : ""}`;
  });
};

const OFF = ["", "0", "false", "no", "off"];

/** One value of a flag, from wherever, as text; undefined where it is not set. */
const checked = (flag: Flag, value: unknown, source: string): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = String(value);
  if (!flag.value) return OFF.includes(text.toLowerCase()) ? undefined : "on";
  if (flag.choices && !flag.choices.includes(text)) {
    const closest = closestWord(text, flag.choices);
    const hint = closest ? ` Did you mean "${closest}"?` : "";
    throw usageError(`${source} cannot be "${text}".${hint} It is one of: ${flag.choices.join(", ")}.`);
  }
  return text;
};

const unknownFlag = (raw: string, name: string, flags: Flags, command: string): NoteError => {
  const closest = name.length === 1 ? null : closestWord(name, [...Object.keys(flags), "help"]);
  const hint = closest ? ` Did you mean --${closest}?` : "";
  return usageError(`Unknown flag ${raw}.${hint} See notewright ${command} --help.`);
};

export const readSettings = (
  args: readonly string[],
  flags: Flags,
  environment: Environment,
  command: string,
): Settings => {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {
        type: flag.value ? ("string" as const) : ("boolean" as const),
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, string | undefined> = {};
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (!flag) throw unknownFlag(token.rawName, token.name, flags, command);
    if (flag.value && !token.value)
      throw usageError(`--${token.name} needs a value: --${token.name} ${flag.value}`);
    const value = checked(flag, token.value ?? "on", `--${token.name}`);
    const earlier = flag.many ? given[token.name] : undefined;
    given[token.name] = earlier === undefined ? value : `${earlier}\n${value}`;
  }
  const config = configuration(environment);
  const values = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      if (flag.once) return [name, given[name]];
      const variable = environmentName(name);
      const value =
        given[name] ??
        checked(flag, environment[variable] || undefined, variable) ??
        checked(flag, config[name], `"${name}" in the settings file`);
      return [name, value];
    }),
  );
  return { values, rest };
};

/** A shell turns `~` into the home folder; a client's configuration file does not. */
export const expandHome = (path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;

/** Where the user keeps the index and the history of a vault, if they chose one. */
export const placesOf = (values: Settings["values"]) => {
  const { index, "history-dir": historyDir } = values;
  return {
    index: index === undefined ? undefined : expandHome(index),
    historyDir: historyDir === undefined ? undefined : expandHome(historyDir),
  };
};

/** An IANA name that this machine knows, or nothing. */
export const checkedTimeZone = (name: string | undefined): string | undefined => {
  if (name === undefined) return undefined;
  const zone = zoneNamed(name);
  if (zone === null)
    throw usageError(`There is no time zone "${name}". Give its IANA name, such as Europe/Berlin.`);
  return zone;
};

/** Where meaning comes from, where the user turned it on. The key is read from the environment alone: files and lists of processes are seen by others. */
export const embeddingsOf = (
  values: Settings["values"],
  environment: Environment,
): { url: string; model: string; key: string | undefined } | undefined => {
  const { embeddings: url, "embeddings-model": model } = values;
  if (url === undefined || OFF.includes(url.toLowerCase())) return undefined;
  if (model === undefined)
    throw usageError("--embeddings needs a model: add --embeddings-model NAME, such as bge-m3.");
  return { url, model, key: environment.NOTEWRIGHT_EMBEDDINGS_KEY || undefined };
};
