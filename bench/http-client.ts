/** Servers over HTTP as child processes, asked over kept connections by a client that costs little itself. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

export type Era = "newer" | "older";
export type Target = { port: number; path: string; token: string };
/** A call of one client; the text of the answer. */
export type Asker = (tool: string, input: object) => Promise<string>;
export type HttpServer = Target & {
  pid: number;
  /** Seconds of processor time. */
  cpu(): number;
  /** Megabytes. */
  memory(): number;
  end(): Promise<void>;
};

const running = new Set<ChildProcess>();
export const endHttpServers = (): void => running.forEach((child) => void child.kill("SIGKILL"));

const started = async (args: string[], env: object, port: (said: string) => number | null) => {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "pipe" });
  running.add(child);
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  let said = "";
  const found = await new Promise<number>((done, failed) => {
    const take = (chunk: unknown): void => {
      said += String(chunk);
      const number = port(said);
      if (number !== null) done(number);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("close", () => failed(new Error(said)));
  });
  const status = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    said: () => said,
    port: found,
    pid: child.pid!,
    cpu: () => {
      const fields = status("stat").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    memory: () => Number(/^VmRSS:\s*(\d+)/m.exec(status("status"))![1]) / 1024,
    async end() {
      child.kill("SIGTERM");
      await ended;
      running.delete(child);
    },
  };
};

/** Our server. The token of the identity `local` is printed at the first start of a home, so it is kept by the caller. */
export const startOurs = async (vault: string, home: string, token: string | null): Promise<HttpServer> => {
  mkdirSync(join(home, "config"), { recursive: true });
  const server = await started(
    [join(process.cwd(), "bin/notewright.mjs"), "serve", vault, "--http", "127.0.0.1:0"],
    { XDG_CACHE_HOME: join(home, "cache"), XDG_CONFIG_HOME: join(home, "config") },
    (said) =>
      /Bearer nw_\S+\n|Clients need/.test(said)
        ? Number(/:(\d+)\/mcp, and/.exec(said)?.[1] ?? 0) || null
        : null,
  );
  return { ...server, path: "/mcp", token: token ?? /Bearer (nw_\S+)/.exec(server.said())![1]! };
};

export const startFloor = async (vault: string): Promise<HttpServer> => {
  const server = await started([join(process.cwd(), "bench/http-floor.mjs"), vault], {}, (said) =>
    said.includes("\n") ? Number(said) : null,
  );
  return { ...server, path: "/mcp", token: "none" };
};

const MODERN = "2026-07-28";
const META = "io.modelcontextprotocol";

type Reply = { status: number; headers: Record<string, unknown>; text: string };
export const post = (target: Target, agent: Agent, headers: object, message: object): Promise<Reply> =>
  new Promise((done, failed) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
    const asked = request(
      {
        agent,
        host: "127.0.0.1",
        port: target.port,
        path: target.path,
        method: "POST",
        headers: {
          authorization: `Bearer ${target.token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8");
        reply.on("data", (chunk: string) => (text += chunk));
        reply.on("end", () => done({ status: reply.statusCode!, headers: reply.headers, text }));
        reply.on("error", failed);
      },
    );
    asked.on("error", failed);
    asked.end(body);
  });

export const modernParts = (method: string, client: string, params: { name?: string } = {}) => ({
  headers: {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(params.name === undefined ? {} : { "mcp-name": params.name }),
  },
  message: {
    method,
    params: {
      ...params,
      _meta: {
        [`${META}/protocolVersion`]: MODERN,
        [`${META}/clientCapabilities`]: {},
        [`${META}/clientInfo`]: { name: client, version: "1" },
      },
    },
  },
});

/** A client that has connected: in the older era it has a session, where the server gives one. */
export const connect = async (target: Target, era: Era, client: string, agent: Agent): Promise<Asker> => {
  const older = { "mcp-protocol-version": "2025-11-25" };
  let session = {};
  if (era === "older") {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: client, version: "1" },
    };
    const { headers } = await post(target, agent, {}, { method: "initialize", params });
    session = headers["mcp-session-id"] ? { "mcp-session-id": headers["mcp-session-id"] } : {};
  }
  return async (name, input) => {
    const params = { name, arguments: input };
    const modern = era === "newer" ? modernParts("tools/call", client, params) : null;
    const reply = modern
      ? await post(target, agent, modern.headers, modern.message)
      : await post(target, agent, { ...older, ...session }, { method: "tools/call", params });
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text.slice(0, 200)}`);
    return reply.text;
  };
};
