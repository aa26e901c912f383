/** What a person needs to run it at the edge: the folder that `deploy` writes, as wrangler takes it, and `npm run edge`. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { command, makeHome, runToEnd } from "./process.ts";
import { call } from "./workerd/served.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-deploy-"));
const home = makeHome();
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  home.remove();
});
const deploy = (...args: string[]) =>
  runToEnd([command("notewright"), "deploy", ...args], { environment: home.environment, cwd: folder });

describe("deploy", () => {
  test("writes the Worker and its settings, which wrangler accepts, and says the commands", async () => {
    const { code, stdout, stderr } = await deploy("my edge");
    expect([code, stderr]).toEqual([0, expect.stringContaining("wrangler.jsonc into")]);
    expect(stdout.trim().split("\n")).toEqual([
      "cd 'my edge'",
      "npx wrangler@4.86.0 r2 bucket create notewright-notes",
      expect.stringMatching(/npx wrangler@4\.86\.0 secret put OWNER_SECRET$/),
      "npx wrangler@4.86.0 deploy",
    ]);
    expect(stderr).toContain("R2 is enabled");
    const made = join(folder, "my edge");
    expect(readFileSync(join(made, "wrangler.jsonc"), "utf8")).toContain('"limits": { "cpu_ms": 300000 }');
    expect(readdirSync(made).toSorted()).toEqual(["notewright-page", "worker", "wrangler.jsonc"]);
    expect(readdirSync(join(made, "notewright-page")).toSorted()).toEqual(["assets", "index.html"]);
    expect(gzipSync(readFileSync(join(made, "worker/worker.mjs"))).length).toBeLessThan(500_000);
    // What a person keeps in the folder is not put up.
    for (const name of ["my-secret.txt", "my.html", "my.wasm", "my.mjs"])
      writeFileSync(join(made, name), "mine");
    const wrangler = await promisify(execFile)(
      process.execPath,
      [resolve("node_modules/wrangler/bin/wrangler.js"), "deploy", "--dry-run"],
      { cwd: made, env: { ...home.environment, WRANGLER_SEND_METRICS: "false", CI: "1" } },
    );
    for (const said of [
      "env.WORKSPACE (Workspace)",
      "env.ACCOUNTS (Accounts)",
      "env.NOTES",
      "env.ASSETS",
      "--dry-run",
    ])
      expect(wrangler.stdout).toContain(said);
    expect(wrangler.stdout + wrangler.stderr).not.toMatch(/\bmy[.-]/);
  });

  test("run again it renews the Worker, and leaves settings as they were made", async () => {
    await deploy("again");
    const [worker, settings] = ["worker/worker.mjs", "wrangler.jsonc"].map((name) =>
      join(folder, "again", name),
    );
    const built = readFileSync(worker!, "utf8");
    writeFileSync(worker!, "old");
    writeFileSync(settings!, "{ /* mine */ }");
    const again = await deploy("again");
    expect(again.stderr).toContain("left your wrangler.jsonc as it is");
    expect(again.stderr).toContain('Set "main" in your wrangler.jsonc to "worker/worker.mjs"');
    // The owner's secret stays what it is.
    expect(again.stdout).toBe("cd again\nnpx wrangler@4.86.0 deploy\n");
    expect(readFileSync(worker!, "utf8") === built).toBe(true);
    expect(readFileSync(settings!, "utf8")).toBe("{ /* mine */ }");
  });

  test("a folder from before the Worker had one of its own: main is led there, and nothing else is changed", async () => {
    await deploy("older");
    const at = (name: string): string => join(folder, "older", name);
    const settings = readFileSync(at("wrangler.jsonc"), "utf8");
    const mine = settings.replace('"name": "notewright"', '"name": "mine"');
    writeFileSync(at("wrangler.jsonc"), mine.replace("worker/worker.mjs", "worker.mjs"));
    renameSync(at("worker/worker.mjs"), at("worker.mjs"));
    expect(await deploy("older")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('and set "main" in your wrangler.jsonc to "worker/worker.mjs".'),
    });
    expect(readFileSync(at("wrangler.jsonc"), "utf8")).toBe(mine);
    expect(readdirSync(at(".")).toSorted()).toEqual(["notewright-page", "worker", "wrangler.jsonc"]);
    expect(readdirSync(at("worker"))).toEqual(["worker.mjs"]);
  });

  test.runIf(process.platform === "linux")(
    "a place that takes no folder ends it with a sentence",
    async () => {
      expect(await deploy("/proc/x/y")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("/proc/x/y cannot be written to"),
      });
    },
  );

  test("two folders, and one that cannot be written, are refused in a sentence", async () => {
    expect(await deploy("a", "b")).toMatchObject({ code: 2, stderr: expect.stringContaining("one folder") });
    writeFileSync(join(folder, "file"), "");
    expect(await deploy("file")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be written to \(ENOTDIR\)/),
    });
  });
});

test("the packed package holds the Worker, and stays below 1.5 MB", async () => {
  const npm = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await promisify(execFile)("npm", npm, { env: { ...process.env, HOME: home.folder } });
  const [packed] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
  expect(packed.files.map(({ path }) => path)).toContain("dist/worker.mjs");
  expect(packed.size).toBeLessThan(1_500_000);
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "npm run edge: a workspace made from the example vault, which a client searches, until %s",
  async (signal) => {
    const child = spawn(process.execPath, ["scripts/edge.mjs", "0"], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    try {
      let printed = "";
      for await (const part of child.stdout) {
        printed += String(part);
        if (printed.includes("Ctrl-C")) break;
      }
      // What it prints can be pasted in a clone, where notewright is no command.
      expect(printed.match(/^NOTEWRIGHT_TOKEN=nw_\S+ (.*)$/gm)).toHaveLength(2);
      expect(
        printed.match(/^NOTEWRIGHT_TOKEN=nw_\S+ node bin\/notewright\.mjs (?:install|push) /gm),
      ).toHaveLength(2);
      expect(printed).toContain("-o history.bundle\ngit clone history.bundle history\n");
      const { mcpServers } = JSON.parse(/^\{\n[^]*?^\}$/m.exec(printed)![0]) as {
        mcpServers: { garden: { url: string; headers: Record<string, string> } };
      };
      const { url, headers } = mcpServers.garden;
      const client = new Client({ name: "edge", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      expect(await call(client, "search_notes", { query: "overflow" })).toContain("Rain garden");
      await client.close();
    } finally {
      child.kill(signal);
    }
    await ended;
    expect(readdirSync(folder).filter((name) => name.startsWith("notewright-edge-"))).toEqual([]);
  },
  60_000,
);
