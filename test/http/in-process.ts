/** The HTTP server in this process, on a real socket, with limits that a test can wait for. */

import type { Identity } from "../../src/identity/identity.ts";
import { LIMITS, type Limits } from "../../src/http/limits.ts";
import { listen } from "../../src/http/node.ts";
import type { RequestLine } from "../../src/http/parts.ts";
import { openHttp } from "../../src/http/router.ts";
import type { OpenNotebook as Notebook } from "../../src/notebook/notebook.ts";
import { mcpServer, type ServerMaker } from "../../src/protocol/mcp.ts";
import { openTroubles } from "../../src/protocol/troubles.ts";
import { loadSurface, surfaceNames } from "../../src/surfaces/all.ts";
import { openMemory } from "../../src/vault/open.ts";

export type InProcess = {
  base: string;
  port: number;
  logged: string[];
  requests: RequestLine[];
  close(): Promise<void>;
};

/** An identity whose token is its name. */
export const named = (name: string, more: Partial<Identity> = {}): Identity => ({
  name,
  vault: null,
  secret: null,
  made: "",
  rights: "admin",
  folders: "all",
  surfaces: "all",
  ...more,
});

export const serveInProcess = async (
  limits: Partial<Limits> = {},
  identities: Identity[] = [named("token")],
  serverOf: ServerMaker = mcpServer,
  notebook?: Notebook,
): Promise<InProcess> => {
  const all = { ...LIMITS, ...limits };
  const logged: string[] = [];
  const open = await openMemory("UTC", (what) => void logged.push(what));
  const requests: RequestLine[] = [];
  const troubles = openTroubles(() => new Date());
  const log = (line: string) => void logged.push(line);
  let base = new URL("http://127.0.0.1");
  const http = openHttp({
    vaults: [{ name: "", place: "/", notebook: () => notebook ?? open.notebook, troubles }],
    surfaces: surfaceNames,
    loadSurface,
    serverOf,
    identities: {
      of: async (token) => identities.find(({ name }) => name === token) ?? null,
      onChange: () => () => undefined,
    },
    readOnly: false,
    base: () => base,
    hosts: new Set(["127.0.0.1", "localhost"]),
    origins: new Set(),
    limits: all,
    now: () => performance.now(),
    version: "0",
    log,
    onRequest: (line) => void requests.push(line),
  });
  const listening = await listen(http, { host: "127.0.0.1", port: 0, limits: all, log });
  base = new URL(`http://127.0.0.1:${listening.port}`);
  return {
    base: base.origin,
    port: listening.port,
    logged,
    requests,
    async close() {
      await listening.close();
      await open.close();
    },
  };
};
