/** Servers that run: each leaves a file of mode 0600 that says where it is, and holds the secret with which `notewright open` asks it for a key. */

import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "./settings.ts";
import { stateFile } from "./state-folder.ts";

export type Running = { address: string; opener: string };

/** Milliseconds for an answer of a server on this computer. */
const PATIENCE = 2000;

/** The file of the server that serves the vault at that real path. */
const runningFile = (environment: Environment, place: string): string =>
  stateFile(environment, "running", place, "json");

/** Says that the vault is served; gives what takes that back. */
export const announce = (environment: Environment, place: string, running: Running): (() => void) => {
  const file = runningFile(environment, place);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const beside = `${file}.${randomUUID()}.new`;
    writeFileSync(beside, JSON.stringify(running), { mode: 0o600, flag: "wx" });
    renameSync(beside, file);
  } catch {
    // Without it `notewright open` starts a server of its own.
  }
  return () => {
    if (readRunning(file)?.opener === running.opener) rmSync(file, { force: true });
  };
};

const readRunning = (file: string): Running | null => {
  try {
    const { address, opener } = JSON.parse(readFileSync(file, "utf8")) as Partial<Running>;
    return typeof address === "string" && typeof opener === "string" ? { address, opener } : null;
  } catch {
    return null;
  }
};

/** The address of the page with a key, from the server that serves the vault already; null where none answers. */
export const keyFromRunning = async (environment: Environment, place: string): Promise<string | null> => {
  const running = readRunning(runningFile(environment, place));
  if (!running || !/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\//.test(running.address)) return null;
  try {
    const response = await fetch(`${running.address}api/key`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.opener}` },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: "error",
    });
    const { key } = (await response.json()) as { key?: unknown };
    return response.ok && typeof key === "string" ? keyed(running.address, key) : null;
  } catch {
    return null;
  }
};

/** The key stands in the fragment, which no browser sends. */
export const keyed = (address: string, key: string): string => `${address}#key=${key}`;
