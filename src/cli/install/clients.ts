/** The clients that `install` knows: where each keeps its configuration on each system, and how an entry looks there. */

import { posix, win32 } from "node:path";
import type { Environment } from "../settings.ts";

/** What decides where configurations lie; handed in, so that the places of every system can be told on any. */
export type Machine = {
  platform: string;
  environment: Environment;
  home: string;
  /** The current folder. */
  here: string;
  /** Names of what lies in a folder; none where there is no such folder. */
  namesIn(folder: string): string[];
};

/** `sign` is there where the client is installed. */
export type Place = { file: string; sign: string };
export type Entry = Record<string, unknown>;
export type Start = { command: string; args: string[] };
export type Remote = { url: string; token: string | null };

export type Client = {
  title: string;
  /** Under which key its configuration lists servers. */
  key: string;
  /** Where its configuration may lie, the likeliest first. */
  places(machine: Machine): Place[];
  local(start: Start): Entry;
  /** Null where it takes no address in its configuration. */
  remote(remote: Remote): Entry | null;
  /** What a person does so that it reads its configuration. */
  restart: string;
};

const paths = ({ platform }: Machine) => (platform === "win32" ? win32 : posix);
const inHome = (machine: Machine, ...names: string[]): string => paths(machine).join(machine.home, ...names);

/** Where programs of this user keep their settings. */
const settingsFolder = (machine: Machine): string => {
  const { platform, environment } = machine;
  if (platform === "win32") return environment.APPDATA || inHome(machine, "AppData", "Roaming");
  if (platform === "darwin") return inHome(machine, "Library", "Application Support");
  return environment.XDG_CONFIG_HOME || inHome(machine, ".config");
};

/** The Claude app of Windows' own kind of package is shown another folder in the place of %APPDATA%. */
const packaged = (machine: Machine): Place[] => {
  if (machine.platform !== "win32") return [];
  const packages = win32.join(
    machine.environment.LOCALAPPDATA || inHome(machine, "AppData", "Local"),
    "Packages",
  );
  return machine
    .namesIn(packages)
    .filter((name) => /^Claude_[a-z0-9]+$/i.test(name))
    .map((name) => {
      const sign = win32.join(packages, name);
      return {
        sign,
        file: win32.join(sign, "LocalCache", "Roaming", "Claude", "claude_desktop_config.json"),
      };
    });
};

const below = (machine: Machine, sign: string, ...names: string[]): Place => ({
  sign,
  file: paths(machine).join(sign, ...names),
});

const headers = ({ token }: Remote): Entry =>
  token === null ? {} : { headers: { Authorization: `Bearer ${token}` } };

/** Programs that speak over stdin and stdout only reach an address through this one. */
const BRIDGE = "mcp-remote@0.15.1";

export const CLIENTS: Record<string, Client> = {
  "claude-desktop": {
    title: "Claude Desktop",
    key: "mcpServers",
    places: (machine) => [
      ...packaged(machine),
      below(machine, paths(machine).join(settingsFolder(machine), "Claude"), "claude_desktop_config.json"),
    ],
    local: (start) => ({ ...start }),
    remote: () => null,
    restart: "Quit Claude Desktop, also from the tray or menu bar, and start it again.",
  },
  "claude-code": {
    title: "Claude Code",
    key: "mcpServers",
    places: (machine) => [
      { file: paths(machine).join(machine.here, ".mcp.json"), sign: inHome(machine, ".claude") },
    ],
    local: (start) => ({ type: "stdio", ...start }),
    remote: (remote) => ({ type: "http", url: remote.url, ...headers(remote) }),
    restart: "Restart Claude Code; /mcp in it shows the server.",
  },
  cursor: {
    title: "Cursor",
    key: "mcpServers",
    places: (machine) => [below(machine, inHome(machine, ".cursor"), "mcp.json")],
    local: (start) => ({ ...start }),
    remote: (remote) => ({ url: remote.url, ...headers(remote) }),
    restart: "Restart Cursor; its settings show the server under Tools & MCP.",
  },
  vscode: {
    title: "VS Code",
    key: "servers",
    places: (machine) =>
      ["Code", "Code - Insiders", "VSCodium"].map((name) =>
        below(machine, paths(machine).join(settingsFolder(machine), name), "User", "mcp.json"),
      ),
    local: (start) => ({ type: "stdio", ...start }),
    remote: (remote) => ({ type: "http", url: remote.url, ...headers(remote) }),
    restart: "Restart VS Code; the command MCP: List Servers shows the server.",
  },
  windsurf: {
    title: "Windsurf",
    key: "mcpServers",
    places: (machine) => [below(machine, inHome(machine, ".codeium", "windsurf"), "mcp_config.json")],
    local: (start) => ({ ...start }),
    remote: (remote) => ({ serverUrl: remote.url, ...headers(remote) }),
    restart: "Restart Windsurf; Cascade shows the server under MCP.",
  },
  zed: {
    title: "Zed",
    key: "context_servers",
    places: (machine) => {
      const folder = machine.platform === "darwin" ? inHome(machine, ".config") : settingsFolder(machine);
      return [
        below(
          machine,
          paths(machine).join(folder, machine.platform === "win32" ? "Zed" : "zed"),
          "settings.json",
        ),
      ];
    },
    // Versions of Zed before 2026 refuse an entry without a source; later ones do not read it.
    local: (start) => ({ source: "custom", ...start }),
    remote: (remote) => ({ url: remote.url, ...headers(remote) }),
    restart: "Restart Zed; the settings of its agent panel show the server.",
  },
};

export const clientNames = Object.keys(CLIENTS);

/** How a client that takes no address reaches one of this computer. A token stands in the environment: blanks in arguments get lost on Windows. */
export const bridged = ({ url, token }: Remote, npx: Start): Entry => ({
  command: npx.command,
  args: [
    ...npx.args,
    "-y",
    BRIDGE,
    url,
    ...(token === null ? [] : ["--header", "Authorization:${AUTHORIZATION}"]),
  ],
  ...(token === null ? {} : { env: { AUTHORIZATION: `Bearer ${token}` } }),
});
