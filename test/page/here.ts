/** The page of a notebook that a test has put together, served in this process on a real socket: for what goes wrong below it. */

import { pageFiles } from "../../src/cli/page-files.ts";
import { LIMITS } from "../../src/http/limits.ts";
import { listen } from "../../src/http/node.ts";
import { openHttp } from "../../src/http/router.ts";
import type { OpenNotebook } from "../../src/notebook/notebook.ts";
import { mcpServer } from "../../src/protocol/mcp.ts";
import { openTroubles } from "../../src/protocol/troubles.ts";
import { loadSurface, surfaceNames } from "../../src/surfaces/all.ts";
import { pageCalls } from "../../src/web/api.ts";
import { openPageTokens } from "../../src/web/page-tokens.ts";
import { openWeb } from "../../src/web/web.ts";

export type Here = { base: string; keyed(): Promise<string>; logged: string[]; close(): Promise<void> };

export const servePage = async (notebook: OpenNotebook): Promise<Here> => {
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const vaults = [
    { name: "", place: "/", notebook: () => notebook, troubles: openTroubles(() => new Date()) },
  ];
  const tokens = openPageTokens(Date.now);
  const identities = { list: () => [], remove: async () => false };
  let base = new URL("http://127.0.0.1");
  const common = { base: () => base, now: () => performance.now(), log, readOnly: false };
  const page = openWeb({
    ...common,
    vaults,
    files: pageFiles("dist/web"),
    tokens,
    author: "someone",
    opener: "none",
    signIn: null,
    tools: (_, kept) =>
      pageCalls({
        title: "here",
        place: "/",
        connect: () => ({ url: new URL("/mcp", base).href }),
        id: "here",
        version: "0",
        identities,
        lastUses: () => ({}),
        activity: undefined,
        ...kept,
      }),
    image: async () => null,
  });
  const http = openHttp({
    ...common,
    vaults,
    page,
    surfaces: surfaceNames,
    loadSurface,
    serverOf: mcpServer,
    identities: { of: async () => null, onChange: () => () => undefined },
    hosts: new Set(["127.0.0.1"]),
    origins: new Set(),
    limits: LIMITS,
    version: "0",
  });
  const listening = await listen(http, { host: "127.0.0.1", port: 0, limits: LIMITS, log });
  base = new URL(`http://127.0.0.1:${listening.port}`);
  return {
    base: base.href,
    keyed: async () => `${base.href}#key=${await tokens.newKey("")}`,
    logged,
    async close() {
      await listening.close();
      await notebook.close();
    },
  };
};
