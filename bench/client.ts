/** A real server as a child process, asked by a real client over stdio. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Served = {
  /** The answer's text. A refusal is thrown. */
  call(tool: string, input: object): Promise<string>;
  /** The answer's structured content, where the tool has any. `progress` hears of each report on the way. */
  ask(tool: string, input: object, progress?: () => void): Promise<{ text: string; data: any }>;
  /** Megabytes: now, and the most there ever were. */
  memory(): { now: number; most: number };
  /** Seconds of processor time, of all its threads. */
  cpu(): number;
  close(): Promise<void>;
};
export type Command = { args: string[]; env?: Record<string, string>; cwd?: string };

const running = new Set<() => Promise<void>>();

/** Of those that were started, the ones that nobody has closed. */
export async function closeServers(): Promise<void> {
  await Promise.all([...running].map((close) => close()));
}

const TIMEOUT = 1_800_000;
/** What Linux counts processor time in. */
const TICKS = 100;

export const serverCommand = (vault: string, cache: string, surface: string): Command => ({
  args: [join(process.cwd(), "bin/notewright.mjs"), "serve", vault, "--tools", surface],
  env: { XDG_CACHE_HOME: cache },
});

export const startServer = (vault: string, cache: string, surface: string): Promise<Served> =>
  start(serverCommand(vault, cache, surface));

/** A script that Node runs. */
export async function start({ args, env, cwd }: Command): Promise<Served> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    // What clients hand on, and no more: a list of certificates that Node is told to load would count as a slow start.
    env: { ...getDefaultEnvironment(), ...env },
    stderr: process.env["BENCH_LOG"] ? "inherit" : "ignore",
    ...(cwd === undefined ? {} : { cwd }),
  });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  const status = (name: string): number =>
    Number(
      new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(
        readFileSync(`/proc/${transport.pid}/status`, "utf8"),
      )?.[1] ?? 0,
    ) / 1024;
  const ask: Served["ask"] = async (name, input, progress) => {
    const answer = await client.callTool(
      { name, arguments: input as Record<string, unknown> },
      { timeout: TIMEOUT, ...(progress === undefined ? {} : { onprogress: progress }) },
    );
    const text = (answer.content as { text: string }[]).map((block) => block.text).join("\n");
    if (answer.isError) throw new Error(`${name}: ${text}`);
    return { text, data: answer.structuredContent };
  };
  const close = async (): Promise<void> => {
    running.delete(close);
    await client.close();
  };
  running.add(close);
  return {
    ask,
    call: async (name, input) => (await ask(name, input)).text,
    memory: () => ({ now: status("VmRSS"), most: status("VmHWM") }),
    cpu() {
      const fields = readFileSync(`/proc/${transport.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    },
    close,
  };
}
