/** The forms in which we are handed out beside the npm package: the bundle's manifest, server.json and the Dockerfile. What is inside the bundle is started by `npm run test:install`. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackExtension } from "@anthropic-ai/mcpb";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import schema from "../packaging/server.schema.json" with { type: "json" };
// @ts-expect-error -- a script, without types
import { makeBundle } from "../scripts/bundle.mjs";
// @ts-expect-error -- a script, without types
import { registryName, serverJson } from "../scripts/server-json.mjs";
import { SERVE_FLAGS } from "../src/cli/serving-commands.ts";
import { surfaceNames } from "../src/surfaces/all.ts";
import { command, makeHome, runToEnd } from "./process.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-packaging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the bundle is accepted by its own tool, holds no native code, and offers the surfaces there are", async () => {
  const file: string = await makeBundle(folder);
  expect(file).toBe(join(folder, `notewright-${manifest.version}.mcpb`));
  expect(statSync(file).size).toBeLessThan(1_000_000);
  const inside = join(folder, "inside");
  await unpackExtension({ mcpbPath: file, outputDir: inside, silent: true });
  const names = readdirSync(inside, { recursive: true, encoding: "utf8" });
  expect(names).toEqual(expect.arrayContaining(["manifest.json", "icon.png", "bin/notewright.mjs"]));
  expect(names.filter((name) => /\.node$|node_modules/.test(name))).toEqual([]);
  const made = JSON.parse(readFileSync(join(inside, "manifest.json"), "utf8"));
  expect(made).toMatchObject({ manifest_version: "0.3", version: manifest.version });
  expect(made.compatibility.runtimes.node).toBe(">=22.16.0");
  expect(made.user_config.tools.description).toBe(`One of: ${surfaceNames.join(", ")}.`);
  expect(Object.keys(made.user_config)).toEqual(["vault", "tools", "read_only"]);
});

describe("server.json", () => {
  const published = {
    ...manifest,
    repository: { type: "git", url: "git+https://github.com/Someone/notewright.git" },
  };
  const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  const sha256 = "0".repeat(64);

  test("is what the registry asks for: npm, bundle and image, and no remotes", () => {
    const made = serverJson(published, sha256);
    expect(check.safeParse(made).error).toBeUndefined();
    expect(made.name).toBe("io.github.Someone/notewright");
    expect(made.packages.map((one: { registryType: string }) => one.registryType)).toEqual([
      "npm",
      "mcpb",
      "oci",
    ]);
    expect(made.packages[2].identifier).toBe(`ghcr.io/someone/notewright:${manifest.version}`);
    expect(made.packages[0].environmentVariables[0].choices).toEqual([...surfaceNames]);
    expect(made).not.toHaveProperty("remotes");
  });

  test.each([
    ["a description that is too long", { description: "x".repeat(101) }],
    ["a name without an owner", { name: "notewright" }],
    ["a version that is none", { version: "latest" }],
    ["an unknown member", { remote: [] }],
    ["a bundle without its sum", { packages: [{ registryType: "mcpb", identifier: "x", transport: {} }] }],
  ])("with %s is refused by the schema", (_, over) => {
    expect(check.safeParse({ ...serverJson(published, sha256), ...over }).success).toBe(false);
  });

  test("cannot be made while package.json names no repository; its name there must be the registry's", () => {
    const { repository: _, ...unpublished } = published;
    expect(() => serverJson(unpublished, sha256)).toThrow("package.json names no GitHub repository");
    if ("repository" in manifest) expect(manifest).toHaveProperty("mcpName", registryName(manifest));
  });
});

describe("the Dockerfile", () => {
  const lines = readFileSync("Dockerfile", "utf8").split("\n");
  /** What follows an instruction the last time it stands there; a list where it is written as one. */
  const last = (instruction: string): string =>
    lines.findLast((line) => line.startsWith(`${instruction} `))!.slice(instruction.length + 1);
  const words = (instruction: string): string[] =>
    JSON.parse(/\[.*\]$/.exec(last(instruction))![0]) as string[];
  const [serve, place, ...flags] = words("CMD");

  test("runs as no root on a slim Node 22, with two volumes and a health check", () => {
    expect(last("FROM")).toBe("node:22-slim");
    expect(last("USER")).toBe("node");
    expect(words("VOLUME")).toEqual(["/vault", "/state"]);
    expect(words("HEALTHCHECK")[2]).toContain("http://127.0.0.1:8787/healthz");
    expect(words("ENTRYPOINT")).toEqual(["node", "/app/bin/notewright.mjs"]);
    expect([serve, place]).toEqual(["serve", "/vault"]);
    expect(flags).toEqual(["--http", "0.0.0.0:8787"]);
    for (const flag of flags.filter((word) => word.startsWith("--")))
      expect(SERVE_FLAGS).toHaveProperty(flag.slice(2));
    for (const line of lines.filter((one) => one.startsWith("COPY --from=build")))
      for (const [, path] of line.matchAll(/\/build\/(\S+)/g)) expect(statSync(path!), path).toBeDefined();
  });

  test("its command does not start without an identity, and is healthy with one", async () => {
    const home = makeHome();
    const state = join(folder, "state");
    mkdirSync(state);
    const variables = last("ENV")
      .split(" ")
      .map((one) => one.split("=")[0]!);
    const environment = {
      ...home.environment,
      ...Object.fromEntries(variables.map((name) => [name, state])),
    };
    const args = [command("notewright"), serve!, home.vault, "--http", "0.0.0.0:0"];
    const refused = await runToEnd(args, { environment });
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Nobody may call yet"),
    });
    expect(refused.stderr).not.toContain("nw_");
    const added = await runToEnd([command("notewright"), "token", "add", "laptop", "--rights", "write"], {
      environment,
    });
    expect(added.code).toBe(0);
    const server = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "ignore", "pipe"] });
    const ended = new Promise((done) => server.once("exit", done));
    let said = "";
    for await (const piece of server.stderr) if (/:\d+\/mcp/.test((said += String(piece)))) break;
    const [, port] = /:(\d+)\/mcp/.exec(said)!;
    const check = words("HEALTHCHECK")
      .slice(1)
      .map((word) => word.replace(":8787/", `:${port}/`));
    expect((await runToEnd(check, { environment })).code).toBe(0);
    server.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect((await runToEnd(check, { environment })).code).toBe(1);
    expect(readdirSync(join(state, "notewright"))).toEqual(expect.arrayContaining(["identities.json"]));
    home.remove();
  });
});
