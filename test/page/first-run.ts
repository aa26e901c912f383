/** The first look at a vault that nobody has changed: what is to be pasted lets a client in, as it stands there. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab, openVault } from "./opened.ts";

export const describeFirstRun = (ground: Ground): void => {
  test("a client is let in by what the first screen says", async () => {
    const opened = await openVault();
    const { page, context, complaints } = await openTab(ground.browser, opened);
    await page.waitForSelector("h2 >> text=Nothing has changed here yet");
    const [entry = "", words = ""] = await page.locator(".paste pre").allTextContents();
    type Entry = { mcpServers: { notes: { command: string; args: string[] } } };
    const { command, args } = (JSON.parse(entry) as Entry).mcpServers.notes;
    expect(words).toBe(`claude mcp add notes -- ${[command, ...args].join(" ")}`);
    const client = new Client({ name: "pasted", version: "1" });
    await client.connect(
      new StdioClientTransport({ command, args, env: opened.home.environment, cwd: opened.home.folder }),
    );
    const input = { path: "First.md", text: "Made by a client that was let in.\n" };
    expect(await client.callTool({ name: "write_note", arguments: input })).not.toHaveProperty(
      "isError",
      true,
    );
    await client.close();
    await page.waitForSelector("text=First");
    expect(complaints).toEqual([]);
    await context.close();
    await opened.end();
  });
};
