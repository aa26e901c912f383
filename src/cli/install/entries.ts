/** Entries of ours among the servers of a client: which they are, which notes each serves, and how one is renewed without losing what a person added to it. */

import { parseArgs } from "node:util";
import { SERVE_FLAGS } from "../serving-commands.ts";
import type { Entry } from "./clients.ts";

/** What an entry of ours connects to. `flags` are those of `serve` as they are written; a vault of null is that of the settings. */
export type Served = { vault: string | null; flags: string[] } | { url: string };
export type Ours = { name: string; entry: Entry; served: Served };

const NAME = "notewright";
const isObject = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const PROGRAM = /(?:^|[\\/])notewright(?:\.mjs|\.cmd|\.exe)?$/;
const SCRIPT = /[\\/]bin[\\/]notewright(?:\.mjs)?$/;
const PACKAGE = /^notewright(?:@[\w.^~-]+)?$/;
/** What stands before a package that npx or the like is to run. */
const LAUNCHER = /^(?:-y|--yes|\/c|npx|exec|dlx|--|--package=.*)$/;

/** The words behind the program's name, or null where another program is started: a folder of another server may be called as we are. */
const wordsFor = (entry: Entry): string[] | null => {
  const args = Array.isArray(entry.args) ? entry.args.map(String) : [];
  if (PROGRAM.test(String(entry.command ?? ""))) return args;
  for (const [at, word] of args.entries()) {
    const named = ["-p", "--package"].includes(args[at - 1] ?? "");
    if (SCRIPT.test(word) || (PACKAGE.test(word) && !named)) return args.slice(at + 1);
    if (!named && !LAUNCHER.test(word) && !["-p", "--package"].includes(word)) return null;
  }
  return null;
};

const servedBy = (words: readonly string[], environment: unknown): Served => {
  const options = Object.fromEntries(
    Object.entries(SERVE_FLAGS).map(([name, flag]) => [
      name,
      { type: flag.value ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const args = words[0] === "serve" ? words.slice(1) : [...words];
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  const flags: string[] = [];
  let vault: string | null = null;
  for (const token of tokens) {
    if (token.kind === "positional") vault ??= token.value;
    if (token.kind !== "option") continue;
    if (token.value === undefined) flags.push(token.rawName);
    else if (token.inlineValue) flags.push(`${token.rawName}=${token.value}`);
    else flags.push(token.rawName, token.value);
  }
  const variables = isObject(environment) ? environment : {};
  const named = variables.NOTEWRIGHT_VAULT ?? variables.OBSIDIAN_VAULT_PATH;
  return { vault: vault ?? (typeof named === "string" ? named : null), flags };
};

/** Entries of ours: those that start this program, and addresses under our name. */
export const oursIn = (servers: Entry): Ours[] =>
  Object.entries(servers).flatMap(([name, entry]): Ours[] => {
    if (!isObject(entry)) return [];
    const words = wordsFor(entry);
    if (words) return [{ name, entry, served: servedBy(words, entry.env) }];
    const bridged = Array.isArray(entry.args) ? entry.args.find((arg) => /^https?:/.test(String(arg))) : null;
    const url = entry.url ?? entry.serverUrl ?? bridged;
    const named = name === NAME || name.startsWith(`${NAME}-`);
    return named && typeof url === "string" ? [{ name, entry, served: { url } }] : [];
  });

/** A name that no other server has: `notewright`, else with the name of the folder or host behind it. */
export const freeName = (servers: Entry, what: string): string => {
  const slug = what
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const names = [NAME, ...(slug === "" ? [] : [`${NAME}-${slug}`])];
  for (let number = 2; number <= Object.keys(servers).length + 2; number++) names.push(`${NAME}-${number}`);
  return names.find((name) => !Object.hasOwn(servers, name))!;
};

/** The keys of an entry that are ours to set; others, such as `env` or `disabled`, are the person's. */
const SET_BY_US = ["type", "source", "command", "args", "url", "serverUrl", "headers"];

/** What must become of the entry's keys: undefined for one that goes. A token stays where none is given. */
export const changesTo = (old: Entry, next: Entry): Entry => {
  const keepsHeaders = next.headers === undefined && next.command === undefined;
  return Object.fromEntries(
    [...new Set([...SET_BY_US, ...Object.keys(next)])]
      .filter((key) => !(key === "headers" && keepsHeaders))
      .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]))
      .map((key) => [key, next[key]]),
  );
};
