/** `mcp-remote`, which connects clients that only speak stdio to a server over HTTP: with a token in a header. */

import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../clients.ts";
import { serveHttp, type HttpServed } from "./served.ts";

let served: HttpServed;
beforeAll(async () => {
  served = await serveHttp();
});
afterAll(async () => {
  await served.end();
  served.home.remove();
});

test("a client over stdio reads, writes and is refused through mcp-remote", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      resolve("node_modules/mcp-remote/dist/proxy.js"),
      `${served.base}/mcp/obsidian`,
      "--allow-http",
      "--transport",
      "http-only",
      "--header",
      // Without a blank, which some clients take for the end of an argument.
      "Authorization:${AUTHORIZATION}",
    ],
    env: { ...served.home.environment, AUTHORIZATION: `Bearer ${served.token}` },
    stderr: "ignore",
  });
  const session = await newSession(transport, "legacy");
  expect((await session.tools()).map(({ name }) => name)).toContain("append_note");
  await session.call("append_note", { name: "Garlic", text: "Came through mcp-remote." });
  const read = await session.call("read_note", { name: "Garlic" });
  expect(read.content[0]!.text).toContain("Came through mcp-remote.");
  expect(await session.call("read_note", { name: "Nobody" })).toMatchObject({ isError: true });
  await session.close();
});
