/** From the packed file alone, in an empty folder with scripts off, on Node 20, 22 and 24: a client is served, and every command that sets things up works. */

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
// @ts-expect-error -- a script, without types
import { makeBundle } from "../../scripts/bundle.mjs";
import { clientNames } from "../../src/cli/install/clients.ts";

const MB = 1024 * 1024;
const SQLITE = `@photostructure/sqlite@${manifest.peerDependencies["@photostructure/sqlite"]}`;
const folder = mkdtempSync(join(tmpdir(), "notewright-packed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Versions of Node beside the one that runs this; there are packages of them for Linux on x64 alone. */
const nodeOf = (name: string): string => resolve(`test/install/node_modules/${name}/bin/node`);
const nodes = [process.execPath, nodeOf("node22"), nodeOf("node24")].filter((node) => existsSync(node));
const npm = process.env["npm_execpath"] ?? "";

/** npm is run with the settings of this machine: it may need a proxy. */
const OWN = { ...process.env } as Record<string, string>;

type Ended = { code: number; stdout: string; stderr: string };
const run = (node: string, args: string[], environment: Record<string, string>, cwd: string): Ended => {
  try {
    const stdout = execFileSync(node, args, {
      env: environment,
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { code: 0, stdout, stderr: "" };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, stdout, stderr };
  }
};

const bytesBelow = (place: string): number =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** A home that nothing of this machine's user is in, with letters that some programs trip over. */
const homeAt = (name: string) => {
  const home = join(folder, `${name} “home” ’n’ 日記`);
  const vault = join(home, "My notes & more");
  mkdirSync(home, { recursive: true });
  cpSync("examples/garden", vault, { recursive: true });
  const at = (part: string): string => join(home, part);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CACHE_HOME: at("cache"),
    XDG_CONFIG_HOME: at("config"),
    XDG_STATE_HOME: at("state"),
    NO_COLOR: "1",
  };
  return { home, vault, environment };
};

const connect = async (command: string, args: string[], environment: Record<string, string>) => {
  const client = new Client({ name: "packed", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport({ command, args, env: environment, stderr: "ignore" }));
  return client;
};

const packed = (): string => {
  const given = process.env["NOTEWRIGHT_PACKED"];
  if (given !== undefined) return resolve(given);
  run(process.execPath, [npm, "pack", "--ignore-scripts", "--pack-destination", folder], OWN, resolve("."));
  return join(folder, `notewright-${manifest.version}.tgz`);
};
const file = packed();

test("the packed file is small", () => {
  expect(npm, "run this by npm run test:install").not.toBe("");
  expect(statSync(file).size).toBeLessThan(1.5 * MB);
});

describe.each(nodes.map((node) => [run(node, ["--version"], {}, folder).stdout.trim(), node]))(
  "Node %s",
  (version, node) => {
    const place = join(folder, `${version} installed`);
    const { home, vault, environment } = homeAt(version!);
    const bin = join(place, "node_modules", "notewright", "bin", "notewright.mjs");
    const ownSqlite = !version!.startsWith("v20.");
    const notewright = (...args: string[]): Ended => run(node!, [bin, ...args], environment, home);

    beforeAll(() => {
      mkdirSync(place);
      const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", file];
      const ended = run(node!, [npm, ...words, ...(ownSqlite ? [] : [SQLITE])], OWN, place);
      expect(ended.code, ended.stderr).toBe(0);
    });

    test("takes as little of the disk as it should", () => {
      expect(bytesBelow(join(place, "node_modules"))).toBeLessThan(ownSqlite ? 4 * MB : 35 * MB);
      if (ownSqlite)
        expect(readdirSync(join(place, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
          "notewright",
        ]);
    });

    test("serves a client, which writes; the change is in the history and can be undone", async () => {
      const client = await connect(node!, [bin, "serve", vault], environment);
      const found = await client.callTool({ name: "search_notes", arguments: { query: "rain garden" } });
      expect(JSON.stringify(found.structuredContent)).toContain("Projects/Rain garden.md");
      const edits = [{ note: "Start here.md", do: "append", text: "From the packed file." }];
      expect((await client.callTool({ name: "edit_notes", arguments: { edits } })).isError).not.toBe(true);
      await client.close();
      const note = join(vault, "Start here.md");
      expect(readFileSync(note, "utf8")).toContain("From the packed file.");
      const history = notewright("history", vault);
      expect(history).toMatchObject({ code: 0, stdout: expect.stringContaining("packed") });
      expect(notewright("undo", "--last", "1", vault)).toMatchObject({ code: 0 });
      expect(readFileSync(note, "utf8")).not.toContain("From the packed file.");
    });

    test("would connect every client, and finds itself sound", () => {
      for (const client of clientNames) {
        const tried = notewright("install", "--client", client, "--vault", vault, "--dry-run");
        expect(tried).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(JSON.stringify(vault).slice(1, -1)),
        });
      }
      const doctor = notewright("doctor", vault, "--json");
      expect(doctor.code, doctor.stdout).toBe(0);
      expect(doctor.stdout).toContain(ownSqlite ? "node:sqlite, which" : "@photostructure/sqlite, because");
      expect(notewright("completion", "bash").stdout).toContain("complete -o filenames");
    });
  },
);

test("on Node 20 without the package of SQLite a sentence says how to get one", () => {
  const place = join(folder, "bare");
  mkdirSync(place);
  const { environment, vault } = homeAt("bare");
  run(process.execPath, [npm, "install", "--ignore-scripts", "--no-save", file], OWN, place);
  const bin = join(place, "node_modules", "notewright", "bin", "notewright.mjs");
  const { code, stderr } = run(process.execPath, [bin, "find", "garden", vault], environment, place);
  if (!process.version.startsWith("v20.")) return expect(code).toBe(0);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(`npx -y -p ${SQLITE} -p notewright notewright`);
});

test.runIf(existsSync(nodeOf("node12")))("a Node that is too old is told so", () => {
  const ended = run(nodeOf("node12"), [resolve("bin/notewright.mjs"), "--version"], {}, folder);
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(
    /^Notewright needs Node 20\.19, 22\.12 or later; this is Node 12\.22\.12 \(.*\)\. [^\n]*\n$/,
  );
});

describe.runIf(nodes.length > 1)("the bundle, as a host starts it", () => {
  const { vault, environment } = homeAt("host");
  const inside = join(folder, "unpacked");
  const started = async (node: string, userConfig: Record<string, string | boolean>) => {
    const made = JSON.parse(readFileSync(join(inside, "manifest.json"), "utf8"));
    const config = await getMcpConfigForManifest({
      manifest: made,
      extensionPath: inside,
      systemDirs: {},
      userConfig,
      pathSeparator: "/",
    });
    return connect(node, config!.args!, { ...environment, ...config!.env });
  };
  beforeAll(async () => {
    await unpackExtension({ mcpbPath: await makeBundle(folder), outputDir: inside, silent: true });
    mkdirSync(join(inside, "node_modules"));
  });

  test.each(nodes.slice(1))("on %s it serves the folder that was chosen", async (node) => {
    const client = await started(node, { vault });
    const read = await client.callTool({ name: "read_notes", arguments: { notes: ["Start here.md"] } });
    expect(read.isError).not.toBe(true);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("edit_notes");
    await client.close();
  });

  test("its settings are heeded: another set of tools, and none that writes", async () => {
    const client = await started(nodes[1]!, { vault, tools: "obsidian", read_only: true });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(names).toContain("read_note");
    expect(names).not.toContain("create_note");
  });
});
