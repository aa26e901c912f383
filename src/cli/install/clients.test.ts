/** Where clients keep their configurations on each system, how an entry starts us there, and which entries are ours. */

import { expect, test } from "vitest";
import { bridged, CLIENTS, type Machine } from "./clients.ts";
import { changesTo, freeName, oursIn } from "./entries.ts";
import { startOf, type Program } from "./program.ts";

const machine = (over: Partial<Machine>): Machine => ({
  platform: "linux",
  environment: {},
  home: "/home/Zoë",
  here: "/work/here",
  namesIn: () => [],
  ...over,
});
const linux = machine({});
const moved = machine({ environment: { XDG_CONFIG_HOME: "/cfg" } });
const mac = machine({ platform: "darwin", home: "/Users/Zoë" });
const windows = machine({
  platform: "win32",
  home: "C:\\Users\\Zoë",
  here: "D:\\x",
  environment: {
    APPDATA: "C:\\Users\\Zoë\\AppData\\Roaming",
    LOCALAPPDATA: "C:\\Users\\Zoë\\AppData\\Local",
  },
});

test.each([
  ["claude-desktop", linux, "/home/Zoë/.config/Claude/claude_desktop_config.json"],
  ["claude-desktop", moved, "/cfg/Claude/claude_desktop_config.json"],
  ["claude-desktop", mac, "/Users/Zoë/Library/Application Support/Claude/claude_desktop_config.json"],
  ["claude-desktop", windows, "C:\\Users\\Zoë\\AppData\\Roaming\\Claude\\claude_desktop_config.json"],
  ["claude-code", linux, "/work/here/.mcp.json"],
  ["claude-code", windows, "D:\\x\\.mcp.json"],
  ["cursor", linux, "/home/Zoë/.cursor/mcp.json"],
  ["cursor", mac, "/Users/Zoë/.cursor/mcp.json"],
  ["cursor", windows, "C:\\Users\\Zoë\\.cursor\\mcp.json"],
  ["vscode", linux, "/home/Zoë/.config/Code/User/mcp.json"],
  ["vscode", mac, "/Users/Zoë/Library/Application Support/Code/User/mcp.json"],
  ["vscode", windows, "C:\\Users\\Zoë\\AppData\\Roaming\\Code\\User\\mcp.json"],
  ["windsurf", linux, "/home/Zoë/.codeium/windsurf/mcp_config.json"],
  ["windsurf", mac, "/Users/Zoë/.codeium/windsurf/mcp_config.json"],
  ["windsurf", windows, "C:\\Users\\Zoë\\.codeium\\windsurf\\mcp_config.json"],
  ["zed", linux, "/home/Zoë/.config/zed/settings.json"],
  ["zed", moved, "/cfg/zed/settings.json"],
  ["zed", mac, "/Users/Zoë/.config/zed/settings.json"],
  ["zed", windows, "C:\\Users\\Zoë\\AppData\\Roaming\\Zed\\settings.json"],
])("%s", (client, where, file) => {
  expect(CLIENTS[client]!.places(where)[0]!.file).toBe(file);
});

test("Claude Desktop as a package of Windows reads another folder, which comes first", () => {
  const namesIn = (folder: string) =>
    folder === "C:\\Users\\Zoë\\AppData\\Local\\Packages"
      ? ["Other_1", "Claude_pzs8sxrjxfjjc", "Claude-Data"]
      : [];
  expect(CLIENTS["claude-desktop"]!.places({ ...windows, namesIn }).map(({ file }) => file)).toEqual([
    "C:\\Users\\Zoë\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
    "C:\\Users\\Zoë\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
  ]);
});

test("a server that runs is named as each client names it", () => {
  const remote = { url: "http://127.0.0.1:8787/mcp", token: "nw_1" };
  const headers = { Authorization: "Bearer nw_1" };
  expect(
    Object.fromEntries(Object.entries(CLIENTS).map(([name, { remote: of }]) => [name, of(remote)])),
  ).toEqual({
    "claude-desktop": null,
    "claude-code": { type: "http", url: remote.url, headers },
    cursor: { url: remote.url, headers },
    vscode: { type: "http", url: remote.url, headers },
    windsurf: { serverUrl: remote.url, headers },
    zed: { url: remote.url, headers },
  });
  expect(CLIENTS.zed!.remote({ ...remote, token: null })).toEqual({ url: remote.url });
  expect(bridged(remote, { command: "npx", args: [] })).toEqual({
    command: "npx",
    args: ["-y", "mcp-remote@0.15.1", remote.url, "--header", "Authorization:${AUTHORIZATION}"],
    env: { AUTHORIZATION: "Bearer nw_1" },
  });
});

const program = (over: Partial<Program>): Program => ({
  platform: "linux",
  node: "/usr/bin/node",
  script: "/opt/notewright/bin/notewright.mjs",
  version: "1.2.3",
  ownSqlite: true,
  exists: () => true,
  ...over,
});
const NPX = "/home/me/.npm/_npx/0123/node_modules/notewright/bin/notewright.mjs";

test.each([
  ["installed", program({}), ["/usr/bin/node", "/opt/notewright/bin/notewright.mjs"]],
  ["from npx", program({ script: NPX }), ["npx", "-y", "notewright@1.2.3"]],
  [
    "from npx on Node 20",
    program({ script: NPX, ownSqlite: false }),
    ["npx", "-y", "-p", "@photostructure/sqlite@1.2.1", "-p", "notewright@1.2.3", "notewright"],
  ],
  [
    "from npx on Windows",
    program({
      script: "C:\\npm-cache\\_npx\\01\\node_modules\\notewright\\bin\\notewright.mjs",
      platform: "win32",
    }),
    ["cmd", "/c", "npx", "-y", "notewright@1.2.3"],
  ],
  [
    "from Homebrew, whose folders go with an update",
    program({ node: "/opt/homebrew/Cellar/node@22/22.20.0/bin/node" }),
    ["/opt/homebrew/opt/node@22/bin/node", "/opt/notewright/bin/notewright.mjs"],
  ],
  [
    "from Homebrew without its link",
    program({ node: "/opt/homebrew/Cellar/node/24.1.0/bin/node", exists: () => false }),
    ["/opt/homebrew/Cellar/node/24.1.0/bin/node", "/opt/notewright/bin/notewright.mjs"],
  ],
])("how we are started, %s", (_, here, [command, ...args]) => {
  expect(startOf(here, ["serve", "/My “notes”"])).toEqual({
    command,
    args: [...args, "serve", "/My “notes”"],
  });
});

test("what cmd would read in its own way is refused", () => {
  const here = program({ script: NPX, platform: "win32" });
  expect(() => startOf(here, ["serve", "C:\\A&B"])).toThrow("npx on Windows cannot be given C:\\A&B");
});

test.each([
  [
    "a clone",
    { command: "node", args: ["/x/notewright/bin/notewright.mjs", "serve", "/n", "--read-only"] },
    "/n",
    ["--read-only"],
  ],
  [
    "installed",
    { command: "/usr/local/bin/notewright", args: ["serve", "--tools", "wiki", "/n"] },
    "/n",
    ["--tools", "wiki"],
  ],
  ["npx", { command: "npx", args: ["-y", "notewright", "/n"] }, "/n", []],
  [
    "npx, Node 20",
    {
      command: "npx",
      args: [
        "-y",
        "-p",
        "@photostructure/sqlite@1.2.1",
        "-p",
        "notewright@1.0.0",
        "notewright",
        "serve",
        "/n",
      ],
    },
    "/n",
    [],
  ],
  ["cmd", { command: "cmd", args: ["/c", "npx", "-y", "notewright@0.1.0", "serve", "C:\\n"] }, "C:\\n", []],
  ["a variable", { command: "notewright", args: ["serve"], env: { NOTEWRIGHT_VAULT: "/n" } }, "/n", []],
  ["none named", { command: "npx", args: ["-y", "notewright"] }, null, []],
  [
    "a vault called as we are",
    { command: "node", args: ["/o/bin/notewright.mjs", "serve", "/home/notewright"] },
    "/home/notewright",
    [],
  ],
])("ours: %s", (_, entry, vault, flags) => {
  expect(oursIn({ any: entry })).toEqual([{ name: "any", entry, served: { vault, flags } }]);
});

test.each([
  [
    "a folder called as we are",
    { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/notewright"] },
  ],
  ["a word called as we are", { command: "npx", args: ["-y", "other", "notewright"] }],
  ["another address", { url: "https://example.org/mcp" }],
  ["no entry", null],
  ["text", "notewright"],
])("not ours: %s", (_, entry) => {
  expect(oursIn({ notes: entry })).toEqual([]);
});

test("an address is ours under our name alone, also behind a bridge", () => {
  const url = "http://127.0.0.1:8787/mcp";
  const servers = {
    notewright: { serverUrl: url },
    "notewright-2": { command: "npx", args: ["mcp-remote", url] },
    x: { url },
  };
  expect(oursIn(servers).map(({ name, served }) => [name, served])).toEqual([
    ["notewright", { url }],
    ["notewright-2", { url }],
  ]);
});

test("a second vault gets a name of its own", () => {
  expect(freeName({}, "Notes")).toBe("notewright");
  expect(freeName({ notewright: {} }, "Büro & Co")).toBe("notewright-buro-co");
  expect(freeName({ notewright: {} }, "日記")).toBe("notewright-2");
  expect(freeName({ notewright: {}, "notewright-a": {}, "notewright-2": {} }, "a")).toBe("notewright-3");
});

test("a token that a person put in stays where none is given; one of a server that is started goes", () => {
  const old = { url: "u", headers: { Authorization: "Bearer x" }, disabled: true };
  expect(changesTo(old, { url: "v" })).toEqual({ url: "v" });
  expect(changesTo(old, { command: "c", args: [] })).toEqual({
    url: undefined,
    headers: undefined,
    command: "c",
    args: [],
  });
});
