/** The Worker as it is deployed, running in workerd, with an owner who makes workspaces and members. */

import { resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { BuildOptions } from "esbuild";
import { expect } from "vitest";
import { startWorker, type Running } from "./start.ts";

export const OWNER_SECRET = "0123456789-a-secret-that-nobody-guesses";

const PAGE = {
  directory: resolve("dist/web"),
  binding: "ASSETS",
  routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
};

export type Answer = { status: number; body: Record<string, unknown> };
export type Served = Running & {
  base: string;
  /** A call of the owner, as JSON. */
  admin(method: string, path: string, body?: unknown, secret?: string): Promise<Answer>;
  make(workspace: string, timezone?: string): Promise<void>;
  /** The token of a new member. */
  member(workspace: string, name: string, rights?: string, folders?: readonly string[]): Promise<string>;
  /** A client of the newer era on a surface of a workspace; it is closed with the Worker. */
  connect(workspace: string, surface: string, token: string, name?: string): Promise<Client>;
};

export const serveEdge = async (
  /** `page`: whether the built page is deployed with it. */
  how: {
    entry?: string;
    port?: number;
    /** Where the runtime tells its heap. */
    inspectorPort?: number;
    bindings?: Record<string, string>;
    page?: boolean;
    build?: BuildOptions;
    heap?: number;
  } = {},
): Promise<Served> => {
  const worker = await startWorker(how.entry ?? "src/worker/main.ts", {
    ...(how.build ? { build: how.build } : {}),
    ...(how.heap ? { heap: how.heap } : {}),
    miniflare: {
      ...(how.port === undefined ? {} : { port: how.port }),
      ...(how.inspectorPort === undefined ? {} : { inspectorPort: how.inspectorPort }),
      durableObjects: {
        WORKSPACE: { className: "Workspace", useSQLite: true },
        ACCOUNTS: { className: "Accounts", useSQLite: true },
      },
      bindings: { OWNER_SECRET, ...how.bindings },
      ...(how.page ? { assets: PAGE } : {}),
    },
  });
  const clients: Client[] = [];
  const base = worker.address.origin;
  const admin: Served["admin"] = async (method, path, body, secret = OWNER_SECRET) => {
    const response = await fetch(`${base}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  const made = async (path: string, body: object): Promise<Answer["body"]> => {
    const answer = await admin("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  return {
    ...worker,
    base,
    admin,
    make: async (id, timezone = "UTC") => void (await made("/workspaces", { id, timezone })),
    member: async (workspace, name, rights = "admin", folders) =>
      (await made(`/workspaces/${workspace}/members`, { name, rights, folders }))["token"] as string,
    async connect(workspace, surface, token, name = "edge") {
      const client = new Client({ name, version: "0" }, { versionNegotiation: { mode: "auto" } });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const address = new URL(`/${workspace}/mcp/${surface}`, base);
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) await client.close();
      await worker.stop();
    },
  };
};

/** What a tool answered, in words. */
export const called = async (client: Client, name: string, args: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, isError: isError ?? false };
};
export const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
  const { text, isError } = await called(client, name, args);
  expect(isError, text).toBe(false);
  return text;
};
