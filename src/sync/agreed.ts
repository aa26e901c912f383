/** What two copies of a vault last agreed on: lines of JSON that are only added to, so that a run which is cut short loses none of it (decision 34). */

import type { Version } from "../notebook/parts.ts";

/** `here` is the copy on this computer. */
export type Where = "here" | "there";
/**
 * One line: both copies had this version of the note, or neither has the note any more (null). `merged`: a text that is about to be written at
 * `at`; once it is there, that copy holds all of this version.
 */
export type Line = { path: string; version: Version | null; merged?: Version; at?: Where };

export type Agreed = {
  /** The version that both had; null where they never had one, or it is gone. `now`: what each of them has. */
  version(path: string, now: Record<Where, Version | null>): Version | null;
  /** Every line that still counts. */
  lines(): Line[];
};

/** Paths are compared in one Unicode form: file systems differ in which they give. */
export const keyOf = (path: string): string => path.normalize("NFC");

/** Lines that cannot be read are passed over: the last may have been cut short. */
export function readAgreed(text: string): Agreed {
  const agreed = new Map<string, Line>();
  const begun = new Map<string, Line>();
  for (const written of text.split("\n")) {
    const line = lineIn(written);
    if (!line) continue;
    const key = keyOf(line.path);
    if (line.merged !== undefined) begun.set(key, line);
    else {
      begun.delete(key);
      if (line.version === null) agreed.delete(key);
      else agreed.set(key, line);
    }
  }
  return {
    version(path, now) {
      const merging = begun.get(keyOf(path));
      if (merging && now[merging.at!] === merging.merged) return merging.version;
      return agreed.get(keyOf(path))?.version ?? null;
    },
    lines: () => [...agreed.values(), ...begun.values()],
  };
}

export const writeLines = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

const isVersion = (value: unknown): value is Version =>
  typeof value === "string" && /^[0-9a-f]{40}$/.test(value);

function lineIn(written: string): Line | null {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return null;
  }
  const { path, version, merged, at } = (value ?? {}) as Record<string, unknown>;
  if (typeof path !== "string" || (version !== null && !isVersion(version))) return null;
  if (merged === undefined) return { path, version };
  return isVersion(merged) && (at === "here" || at === "there") ? { path, version, merged, at } : null;
}
