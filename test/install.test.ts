/** `install` and `uninstall` as a person calls them: built, started as processes, in a home of their own; and a client that reads what was written. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { CLIENTS } from "../src/cli/install/clients.ts";
import { run } from "../src/cli/install/install.ts";
import { readSettings } from "../src/cli/settings.ts";
import { command, makeHome, runToEnd } from "./process.ts";

const home = makeHome();
afterAll(home.remove);
const { vault, folder } = home;
const environment = { ...home.environment, PATH: "/nowhere" };
const notewright = (args: string[], more: Record<string, string> = {}) =>
  runToEnd([command("notewright"), ...args], { environment: { ...environment, ...more }, cwd: folder });

const FILES: Record<string, string> = {
  "claude-desktop": "config/Claude/claude_desktop_config.json",
  "claude-code": ".mcp.json",
  cursor: ".cursor/mcp.json",
  vscode: "config/Code/User/mcp.json",
  windsurf: ".codeium/windsurf/mcp_config.json",
  zed: "config/zed/settings.json",
};
type Local = { command: string; args: string[] };
const entryIn = (client: string): Local =>
  JSON.parse(readFileSync(join(folder, FILES[client]!), "utf8"))[CLIENTS[client]!.key].notewright;

const CONNECT = ["install", "--client", "cursor", "--vault", vault];

test("every client is connected, listed, and disconnected", async () => {
  expect(Object.keys(FILES)).toEqual(Object.keys(CLIENTS));
  await Promise.all(
    Object.keys(FILES).map(async (client) => {
      const done = await notewright(["install", "--client", client, "--vault", vault, "--yes"]);
      expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`+    "notewright": {`) });
      expect(done.stderr).toMatch(/is connected to .*\n.*(?:Restart|start it again)/);
      expect(entryIn(client)).toMatchObject({
        command: process.execPath,
        args: [command("notewright"), "serve", vault],
      });
    }),
  );
  const listed = await notewright(["install", vault]);
  expect(listed.stdout.match(/is connected/g)).toHaveLength(5);
  expect(listed.stdout).toContain(`Each would start: ${process.execPath}`);
  const all = await notewright(["uninstall"]);
  expect(all.stdout.split("\n").filter((line) => line.includes(vault))).toHaveLength(6);
  await Promise.all(
    Object.keys(FILES).map(async (client) => {
      expect(await notewright(["uninstall", "--client", client, "--yes"])).toMatchObject({ code: 0 });
      expect(existsSync(join(folder, FILES[client]!))).toBe(false);
    }),
  );
});

test("a dry run writes nothing, and a second run neither", async () => {
  const tried = await notewright([...CONNECT, "--dry-run"]);
  expect(tried).toMatchObject({ code: 0, stderr: expect.stringContaining("dry run: nothing was written") });
  expect(existsSync(join(folder, FILES.cursor!))).toBe(false);
  expect(await notewright([...CONNECT, "--yes"])).toMatchObject({ code: 0, stdout: tried.stdout });
  const again = await notewright(CONNECT);
  expect(again).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("already") });
});

test("the README's line connects a client, which reads the entry and finds a note", async () => {
  const [, line = ""] =
    /^node bin\/notewright\.mjs (install .*)$/m.exec(readFileSync("README.md", "utf8")) ?? [];
  expect(line).toContain("--client cursor");
  rmSync(join(folder, ".cursor"), { recursive: true, force: true });
  const words = line.split(" ").map((word) => (word === "~/Notes" ? vault : word));
  expect(await notewright([...words, "--yes"])).toMatchObject({ code: 0 });
  const { command: program, args } = entryIn("cursor");
  const client = new Client({ name: "stranger", version: "1" }, { versionNegotiation: { mode: "auto" } });
  // A desktop app has no PATH of a shell.
  await client.connect(
    new StdioClientTransport({ command: program, args, env: environment, stderr: "ignore" }),
  );
  const found = await client.callTool({ name: "search_notes", arguments: { query: "rain garden" } });
  await client.close();
  expect(JSON.stringify(found.structuredContent)).toContain("Projects/Rain garden.md");
});

describe("wrong calls", () => {
  const file = join(folder, "a-file.md");
  writeFileSync(file, "x");
  test.each([
    [["--client", "curser", vault], 'Did you mean "cursor"?'],
    [["--client", "zed", "--vault", join(folder, "none")], "There is no folder at"],
    [["--client", "zed", "--vault", file], "is a file. Give the folder"],
    [["--client", "zed"], "No vault is named"],
    [["--client", "zed", vault, "--tools", "wki"], "Did you mean --tools wiki?"],
    [["--client", "zed", "--url", "ftp://x"], '--url cannot be "ftp://x"'],
    [["--client", "zed", "--url", "http://x/mcp", vault], "leave --vault and --tools away"],
    [["--client", "claude-desktop", "--url", "https://x.org/mcp"], "then Connectors"],
    [[vault, vault], "install takes one vault"],
  ])("install %j", async (args, said) => {
    const call = async () =>
      run(readSettings(args, COMMANDS.install!.flags, environment, "install"), environment);
    await expect(call()).rejects.toThrow(said);
  });

  test("without a terminal it does not go ahead", async () => {
    const { code, stderr } = await notewright(["install", "--client", "zed", vault]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes") });
    expect(existsSync(join(folder, FILES.zed!))).toBe(false);
  });

  test("a configuration that is not JSON is named and left as it is", async () => {
    const broken = join(folder, FILES.windsurf!);
    mkdirSync(join(broken, ".."), { recursive: true });
    writeFileSync(broken, '{\n  "mcpServers": {\n');
    const { code, stderr } = await notewright(["install", "--client", "windsurf", vault, "--yes"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${broken} is left as it is: it is not JSON, see line 3, column 1. Repair it, then run this again.\n`,
    });
    expect(readFileSync(broken, "utf8")).toBe('{\n  "mcpServers": {\n');
  });
});

test("a server that runs is connected by its address; the token is written and not shown", async () => {
  const url = "http://127.0.0.1:8787/mcp";
  const { code, stdout } = await notewright(["install", "--client", "vscode", "--url", url, "--yes"], {
    NOTEWRIGHT_TOKEN: "nw_secret",
  });
  expect(code).toBe(0);
  expect(stdout).not.toContain("nw_secret");
  expect(entryIn("vscode")).toEqual({ type: "http", url, headers: { Authorization: "Bearer nw_secret" } });
  const again = await notewright(["install", "--client", "vscode", "--url", url]);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("already") });
});

test("two addresses on one client: the one that is named is disconnected, and no token is ever shown", async () => {
  const home = makeHome();
  const call = (args: string[], token: string) =>
    runToEnd([command("notewright"), ...args], {
      environment: { ...home.environment, PATH: "/nowhere", NOTEWRIGHT_TOKEN: token },
      cwd: home.folder,
    });
  const servers = (): { url: string }[] =>
    Object.values(JSON.parse(readFileSync(join(home.folder, FILES.cursor!), "utf8")).mcpServers);
  const urls = ["one", "two"].map((name) => `https://notes.example.org/${name}/mcp`);
  const shown: string[] = [];
  const told = async (args: string[], token = ""): Promise<string> => {
    const { stdout, stderr } = await call([...args, "--client", "cursor"], token);
    shown.push(stdout, stderr);
    return stdout + stderr;
  };
  for (const url of urls)
    expect(await told(["install", "--url", url, "--yes"], "nw_first-secret")).toContain(
      `Cursor is set to call ${url}`,
    );
  // A token that is renewed is a change, and neither of the two is shown.
  expect(await told(["install", "--url", urls[0]!, "--yes"], "nw_second-secret")).toMatch(
    /-.*Bearer …"[^]*\+.*Bearer …"/,
  );
  expect(await told(["uninstall", "--yes"])).toContain("Say which: --vault FOLDER or --url ADDRESS");
  expect(await told(["uninstall", "--url", urls[0]!, "--dry-run"])).toContain(
    '-        "Authorization": "Bearer …"',
  );
  expect(servers()).toHaveLength(2);
  expect(await told(["uninstall", "--url", `${urls[0]}/none`, "--yes"])).toContain("is not connected to");
  expect(await told(["uninstall", "--url", urls[0]!, "--yes"])).toContain("is disconnected");
  expect(servers()).toMatchObject([{ url: urls[1] }]);
  expect(shown.join("")).not.toContain("secret");
  home.remove();
});

test("Claude Code is asked to make the change itself; what it refuses leaves the old entry", async () => {
  const bin = join(folder, "bin");
  const calls = join(folder, "calls.txt");
  mkdirSync(bin);
  // Stands for the program: it writes down how it is called, and refuses what it is told to.
  writeFileSync(
    join(bin, "claude"),
    `#!/bin/sh\nprintf '%s\\n' "$*" >> '${calls}'\ncase "$*" in *"$REFUSE"*) echo no >&2; exit 1;; esac\n`,
  );
  chmodSync(join(bin, "claude"), 0o755);
  const called = async (args: string[], refuse = "nothing at all") => {
    writeFileSync(calls, "");
    const { code, stderr } = await notewright(args, { PATH: `${bin}:/usr/bin:/bin`, REFUSE: refuse });
    return { code, stderr, calls: readFileSync(calls, "utf8").trim().split("\n") };
  };
  const entry = { type: "stdio", command: process.execPath, args: [command("notewright"), "serve", vault] };
  const add = `mcp add-json --scope user notewright ${JSON.stringify(entry)}`;
  const args = ["install", "--client", "claude-code", vault, "--yes"];
  expect(await called(args)).toMatchObject({ code: 0, calls: [add] });
  writeFileSync(join(folder, ".claude.json"), JSON.stringify({ mcpServers: { notewright: entry } }));
  expect(await called(args)).toMatchObject({ code: 0, calls: [""] });
  const old = { ...entry, command: "node", env: { A: "b" } };
  writeFileSync(join(folder, ".claude.json"), JSON.stringify({ mcpServers: { notewright: old } }));
  const renewed = `mcp add-json --scope user notewright ${JSON.stringify({ ...entry, env: { A: "b" } })}`;
  const remove = "mcp remove --scope user notewright";
  expect(await called(args)).toMatchObject({ code: 0, calls: [remove, renewed] });
  const back = `mcp add-json --scope user notewright ${JSON.stringify(old)}`;
  const refused = await called(args, process.execPath);
  expect(refused).toMatchObject({ code: 1, calls: [remove, renewed, back] });
  expect(refused.stderr).toContain("claude mcp add-json failed: no");
  expect(await called(["uninstall", "--client", "claude-code", "--yes"])).toMatchObject({
    code: 0,
    calls: [remove],
  });
  expect(existsSync(join(folder, ".mcp.json"))).toBe(false);
});
