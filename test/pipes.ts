/** A server on three real pipes, whose other ends a test closes when it likes. Node's own are sockets, which fail in other ways. */

import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./process.ts";

export type Stream = "stdin" | "stdout" | "stderr";
export const STREAMS: readonly Stream[] = ["stdin", "stdout", "stderr"];
export const ORDERS: readonly Stream[][] = STREAMS.flatMap((first) =>
  STREAMS.filter((next) => next !== first).map((next) => [
    first,
    next,
    STREAMS.find((last) => last !== first && last !== next)!,
  ]),
);

const pipe = (): { read: number; write: number } => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  rmSync(folder, { recursive: true });
  return { read, write };
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // One that has ended is listed until its parent has asked for its code; the system may take seconds to do that for an orphan.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
};

export const startOnPipes = (args: string[], environment: Record<string, string>) => {
  const pipes = { stdin: pipe(), stdout: pipe(), stderr: pipe() };
  const theirs = [pipes.stdin.read, pipes.stdout.write, pipes.stderr.write];
  const child = spawn(process.execPath, [command("notewright"), ...args], {
    env: environment,
    stdio: theirs,
  });
  for (const end of theirs) closeSync(end);
  const ours = { stdin: pipes.stdin.write, stdout: pipes.stdout.read, stderr: pipes.stderr.read };
  const open = new Set<Stream>(STREAMS);
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  const bytes = Buffer.alloc(65536);
  return {
    pid: child.pid!,
    /** Resolves with the exit code. */
    ended,
    write(text: string): void {
      if (!open.has("stdin")) return;
      try {
        writeSync(ours.stdin, text);
      } catch (error) {
        // It has ended already.
        if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
      }
    },
    /** What is there to be read; empty where there is nothing yet. */
    read(stream: "stdout" | "stderr"): string {
      try {
        return bytes.toString("utf8", 0, readSync(ours[stream], bytes));
      } catch {
        return "";
      }
    },
    close(stream: Stream): void {
      if (open.delete(stream)) closeSync(ours[stream]);
    },
    /** For the end of a test that went wrong. */
    kill: () => void child.kill("SIGKILL"),
  };
};
