/** A real server as a process, spoken to in raw lines: every byte it says is kept, and what it took of time and memory is measured. */

import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { command } from "../process.ts";

export type Answer = {
  id: number | string | null;
  result?: {
    isError?: boolean;
    content?: { text: string }[];
    structuredContent?: unknown;
    tools?: WireTool[];
  };
  error?: { code: number; message: string };
};
export type WireTool = {
  name: string;
  description: string;
  annotations: { readOnlyHint: boolean };
  inputSchema: { properties?: Record<string, object>; required?: string[] };
};
export type Ended = {
  code: number | null;
  signal: string | null;
  stderr: string;
  stdout: string;
  /** The longest answer, in bytes. */
  longest: number;
  /** Milliseconds of the longest turn of the event loop, of processor time and by the clock; and MiB of memory at the most. */
  worst: number;
  delay: number;
  peak: number;
};
export type Session = {
  ask(method: string, params?: object): Promise<Answer>;
  call(tool: string, input: object): Promise<Answer>;
  write(bytes: string | Uint8Array): void;
  /** Ends the input, and waits for the process to end. */
  end(): Promise<Ended>;
  kill(): void;
};

/** A guard against hanging, far beyond what anything takes. */
const PATIENCE = 60_000;
const WATCH = pathToFileURL(resolve("test/hostile/loop-watch.mjs")).href;

export const startSession = (args: string[], environment: Record<string, string>): Session => {
  const child = spawn(process.execPath, ["--import", WATCH, command("notewright"), ...args], {
    env: environment,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = child as Required<typeof child>;
  let [said, logged, measured] = ["", "", ""];
  /** The line that is being said, in pieces: some are megabytes long. */
  let pieces: string[] = [];
  let longest = 0;
  let next = 1;
  const waiting = new Map<unknown, (answer: Answer) => void>();
  stdout!.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    const ends = chunk.split("\n");
    for (const [at, piece] of ends.entries()) {
      pieces.push(piece);
      if (at === ends.length - 1) break;
      const line = pieces.join("");
      pieces = [];
      longest = Math.max(longest, Buffer.byteLength(line));
      const answer = JSON.parse(line) as Answer;
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  stderr!.setEncoding("utf8").on("data", (chunk: string) => (logged += chunk));
  (child.stdio[3] as Readable).setEncoding("utf8").on("data", (chunk: string) => (measured += chunk));
  stdin!.on("error", () => undefined);
  const ended = new Promise<Ended>((done) =>
    child.on("close", (code, signal) => {
      const figures = measured === "" ? { worst: NaN, delay: NaN, peak: NaN } : JSON.parse(measured);
      done({ code, signal, stderr: logged, stdout: said, longest, ...figures });
    }),
  );
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    const id = next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${method} ${JSON.stringify(params).slice(0, 300)}`)),
        PATIENCE,
      );
      void ended.then((how) =>
        reject(new Error(`the server ended with ${how.code}: ${how.stderr.slice(-500)}`)),
      );
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  };
  return {
    ask,
    call: (name, input) => ask("tools/call", { name, arguments: input }),
    write: (bytes) => void stdin!.write(bytes),
    end: () => {
      stdin!.end();
      return ended;
    },
    kill: () => void child.kill("SIGKILL"),
  };
};

export const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "hostile", version: "1" },
};
