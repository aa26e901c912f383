/** A real server as a child process, asked by a real client over stdio. */

import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Served = { call(tool: string, input: object): Promise<string>; close(): Promise<void> };

export async function startServer(vault: string, cache: string, surface: string): Promise<Served> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(process.cwd(), "dist/notewright.mjs"), "serve", vault, "--tools", surface],
    env: { ...process.env, XDG_CACHE_HOME: cache } as Record<string, string>,
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return {
    async call(name, input) {
      const answer = await client.callTool(
        { name, arguments: input as Record<string, unknown> },
        { timeout: 600_000 },
      );
      const text = (answer.content as { text: string }[]).map((block) => block.text).join("\n");
      if (answer.isError) throw new Error(`${name}: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}
