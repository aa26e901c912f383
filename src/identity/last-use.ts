/** When each identity last called: kept in the user's state folder, for `token list`. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** ISO 8601, by the identity's name. */
export type LastUse = Record<string, string>;

type Environment = Record<string, string | undefined>;

/** Our own folder in the user's state folder: what is kept between two runs, and is neither a setting nor a cache. */
export const stateFolder = (environment: Environment, home: string): string => {
  const base = environment["XDG_STATE_HOME"];
  return join(base?.startsWith("/") ? base : join(home, ".local/state"), "notewright");
};

/** `last-use.json` in the user's state folder. */
export const lastUseFile = (environment: Environment, home: string): string =>
  join(stateFolder(environment, home), "last-use.json");

/** Empty where there is no such file, or it cannot be read: nothing depends on it. */
export const readLastUse = (file: string): LastUse => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([, date]) => typeof date === "string"),
    ) as LastUse;
  } catch {
    return {};
  }
};

const MINUTE = 60_000;

/** Notes uses in memory and writes them each minute, and when it is closed. Several servers share the file. */
export const openLastUse = (file: string, now: () => Date) => {
  const uses = new Map<string, string>();
  const flush = (): void => {
    if (uses.size === 0) return;
    const known = readLastUse(file);
    for (const [name, date] of uses) if (!(known[name]! > date)) known[name] = date;
    uses.clear();
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const beside = `${file}.${process.pid}.new`;
      writeFileSync(beside, JSON.stringify(known), { mode: 0o600 });
      renameSync(beside, file);
    } catch {
      // A list without dates is no reason to end.
    }
  };
  const timer = setInterval(flush, MINUTE);
  timer.unref();
  return {
    used: (name: string): void => void uses.set(name, now().toISOString()),
    close(): void {
      clearInterval(timer);
      flush();
    },
  };
};
