/** The real command, serving over HTTP as a process of its own, on a port that the system chooses. */

import { spawn } from "node:child_process";
import { command, makeHome, runToEnd, type Home } from "../process.ts";

export type HttpServed = {
  home: Home;
  /** `http://127.0.0.1:PORT`. */
  base: string;
  port: number;
  /** The token of the identity `local`, which the first start made. */
  token: string;
  pid: number;
  /** What it has written to stderr. */
  logged(): string;
  /** The token of a new identity. */
  add(name: string, ...flags: string[]): Promise<string>;
  /** Asks it to end with SIGTERM; its exit code. */
  end(): Promise<number | null>;
  kill(): Promise<void>;
};

/** A guard against hanging, far beyond what anything takes. */
const PATIENCE = 60_000;

/** Serves a copy of the example vault, or `vaults` as they are written on the command line. */
export const serveHttp = async (
  flags: string[] = [],
  { home = makeHome(), vaults = [home.vault] }: { home?: Home; vaults?: string[] } = {},
): Promise<HttpServed> => {
  const child = spawn(
    process.execPath,
    [command("notewright"), "serve", ...vaults, "--http", "127.0.0.1:0", ...flags],
    { env: home.environment, stdio: ["ignore", "ignore", "pipe"] },
  );
  let logged = "";
  child.stderr.on("data", (chunk) => (logged += String(chunk)));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const begun = performance.now();
  const ready = (): boolean => /is served at/.test(logged) && /Clients need|Bearer nw_\S+\n/.test(logged);
  while (!ready()) {
    if (child.exitCode !== null || performance.now() - begun > PATIENCE)
      throw new Error(`It does not serve: ${logged}`);
    await new Promise((done) => setTimeout(done, 10));
  }
  const port = Number(/:(\d+)\/\S*, and other/.exec(logged)![1]);
  return {
    home,
    base: `http://127.0.0.1:${port}`,
    port,
    token: /Bearer (nw_\S+)/.exec(logged)?.[1] ?? "",
    pid: child.pid!,
    logged: () => logged,
    async add(name, ...more) {
      const args = [command("notewright"), "token", "add", name, ...more];
      const { code, stdout, stderr } = await runToEnd(args, { environment: home.environment });
      if (code !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    async end() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

const VERSION = "2026-07-28";
const PREFIX = "io.modelcontextprotocol";

/** A request of the newer protocol, as its headers and its body. */
export const modern = (token: string, method: string, params: object = {}, client = "test"): RequestInit => {
  const { name } = params as { name?: string };
  return {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${PREFIX}/protocolVersion`]: VERSION,
          [`${PREFIX}/clientCapabilities`]: {},
          [`${PREFIX}/clientInfo`]: { name: client, version: "1" },
        },
      },
    }),
  };
};

/** The text that a tool answers, over the newer protocol. */
export const callTool = async (
  url: string,
  token: string,
  name: string,
  input: object,
  client?: string,
): Promise<string> => {
  const response = await fetch(url, modern(token, "tools/call", { name, arguments: input }, client));
  const body = (await response.json()) as { result?: { content: { text: string }[] }; error?: object };
  return body.result?.content.map(({ text }) => text).join("\n") ?? JSON.stringify(body);
};
