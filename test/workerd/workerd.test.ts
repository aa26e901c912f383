/** The engine outside Node: it is bundled for workerd, the runtime of Cloudflare's Workers, and a client writes and finds notes in it. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FOR_WORKERS } from "../portable.ts";

const folder = mkdtempSync(join(tmpdir(), "workerd-"));
const client = new Client({ name: "workerd", version: "1" });
let runtime: ChildProcess;
let ofNode: string[];

beforeAll(async () => {
  const outfile = join(folder, "worker.mjs");
  const { metafile } = await build({
    ...FOR_WORKERS,
    entryPoints: ["test/workerd/worker.ts"],
    format: "esm",
    write: true,
    outfile,
  });
  ofNode = Object.entries(metafile.inputs).flatMap(([path, { imports }]) =>
    imports.filter((one) => one.external).map((one) => `${path}: ${one.path}`),
  );
  runtime = spawn(process.execPath, ["test/workerd/runtime.mjs", outfile, folder], {
    stdio: ["pipe", "pipe", "inherit"],
    // It leaves files behind, which go with the folder.
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(runtime, "close").then(([code]) => {
    throw new Error(`The runtime ended with code ${code} before it had an address.`);
  });
  const [address] = await Promise.race([once(runtime.stdout!, "data"), ended]);
  ended.catch(() => undefined);
  await client.connect(new StreamableHTTPClientTransport(new URL(String(address))));
});
afterAll(async () => {
  await client.close();
  if (runtime.exitCode === null) {
    runtime.stdin!.end();
    await once(runtime, "close");
  }
  rmSync(folder, { recursive: true });
});

const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  expect(isError ?? false, text).toBe(false);
  return text;
};

test("notes are written, found by other forms of their words, and linked", async () => {
  const ada = "# Ada\n\nWrote about computing machines. See [[Café]].\n";
  await call("write_note", { path: "People/Ada.md", text: ada });
  await call("write_note", { path: "Café.md", text: "# Café\n\nCrème brûlée in 東京都.\n" });
  expect(await call("search_notes", { query: "machine compute" })).toContain("People/Ada.md");
  expect(await call("search_notes", { query: "creme" })).toContain("Café.md");
  expect(await call("search_notes", { query: "東京" })).toContain("Café.md");
  expect(await call("get_links", { note: "Café.md" })).toContain("People/Ada.md");
});

test("of Node the engine is handed a hash, and nothing else", () => {
  expect(ofNode).toEqual(["src/disk/hash.ts: node:crypto"]);
});
