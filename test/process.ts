/** The built commands as processes: run to their end, with a home of their own so that nothing of this machine's user is read or left. */

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const command = (name: "notewright" | "obs-mcp"): string => resolve(`bin/${name}.mjs`);

export type Home = {
  folder: string;
  /** A fresh copy of the example vault. */
  vault: string;
  environment: Record<string, string>;
  remove(): void;
};

export const makeHome = (): Home => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-home-"));
  const vault = join(folder, "garden");
  cpSync("examples/garden", vault, { recursive: true });
  mkdirSync(join(folder, "config"));
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_CACHE_HOME: join(folder, "cache"),
    NO_COLOR: "1",
  };
  return { folder, vault, environment, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

export type Ended = { code: number | null; stdout: string; stderr: string };

type Run = {
  environment: Record<string, string>;
  input?: string;
  cwd?: string;
  /** The input ends only when so many answers have come: a client that goes at once may not see what it asked for done. */
  answers?: number;
};

export const runToEnd = (
  args: string[],
  { environment, input = "", cwd, answers = 0 }: Run,
): Promise<Ended> =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { env: environment, cwd, stdio: "pipe" });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => {
      out.stdout += String(chunk);
      // What is told without having been asked for has no id.
      const answered = out.stdout.split("\n").filter((one) => one.includes('"id":') && one.endsWith("}"));
      if (answers > 0 && answered.length >= answers) child.stdin.end();
    });
    child.stderr.on("data", (chunk) => (out.stderr += String(chunk)));
    child.on("close", (code) => done({ code, ...out }));
    child.stdin.write(input);
    if (answers === 0) child.stdin.end();
  });

/** Every file below a folder, hidden ones too, with its bytes. */
export const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path, readFileSync(path, "latin1")]),
  );
