/** A stranger's path: the line that the README gives, the entry that it writes, a client that reads that entry, a note found. */

import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, expect, test } from "vitest";
import { CLIENTS } from "../src/cli/install/clients.ts";
import { makeHome, runToEnd } from "./process.ts";

const readme = readFileSync("README.md", "utf8");
const home = makeHome();
afterAll(home.remove);
// A client on the desktop has no PATH of a shell.
const environment = { ...home.environment, PATH: "" };

test("the README's line connects a client, and the client finds a note", async () => {
  const [line = ""] = /^node bin\/notewright\.mjs .*$/m.exec(readme) ?? [];
  const [, ...words] = line.split(" ");
  expect(words.slice(0, 4)).toEqual(["bin/notewright.mjs", "install", "--client", "cursor"]);
  cpSync("examples/garden", join(home.folder, "Notes"), { recursive: true });
  const ended = await runToEnd([...words, "--yes"], { environment });
  expect(ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/is connected to .*\/Notes .*\n.*[Rr]estart/),
  });

  const [file = ""] = ended.stdout.split(" (new)\n");
  expect(file).toBe(join(home.folder, ".cursor/mcp.json"));
  const written = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    Record<string, { command: string; args: string[] }>
  >;
  const { command, args } = written[CLIENTS.cursor!.key]!.notewright!;
  const client = new Client({ name: "stranger", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport({ command, args, env: environment, stderr: "ignore" }));
  const asked = await client.callTool({ name: "list_notes", arguments: { what: "notes", limit: 1 } });
  const found = await client.callTool({ name: "search_notes", arguments: { query: "dig the overflow" } });
  await client.close();
  expect(asked.structuredContent).toMatchObject({ total: 17 });
  expect(JSON.stringify(found.structuredContent)).toContain("Projects/Rain garden.md#Next steps");
  rmSync(join(home.folder, "Notes"), { recursive: true });
});

test("the README's other lines are commands there are", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const called = [...readme.matchAll(/(?:^|`)npm (?:run )?([a-z:]+)(?=[ `])/gm)].map(([, name = ""]) => name);
  const builtIn = new Set(["install", "link"]);
  expect(called.length).toBeGreaterThan(3);
  expect(called.filter((name) => !builtIn.has(name) && !Object.hasOwn(scripts, name))).toEqual([]);
});
