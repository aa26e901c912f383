/** The second home: workspaces in Durable Objects over R2, bundled for workerd, the runtime of Cloudflare's Workers, and called by the official client. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { surfaceNames } from "../../src/surfaces/all.ts";
import { surfaceNames as served } from "../../src/worker/surfaces.ts";
import { FOR_WORKERS } from "../portable.ts";
import { startWorker, type Running } from "./start.ts";

let worker: Running;
const clients: Client[] = [];

beforeAll(async () => {
  worker = await startWorker("test/workerd/edge-worker.ts");
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await worker.stop();
});

const connect = async (
  surface: string,
  workspace = "one",
  as: Record<string, unknown> = {},
): Promise<Client> => {
  const client = new Client({ name: "workerd", version: "1" });
  const requestInit = { headers: { "x-as": JSON.stringify(as) } };
  const address = new URL(`/${workspace}/mcp/${surface}`, worker.address);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  clients.push(client);
  return client;
};
const called = async (client: Client, name: string, args: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    isError: isError ?? false,
  };
};
const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
  const { text, isError } = await called(client, name, args);
  expect(isError, text).toBe(false);
  return text;
};

test("notes are written, found by other forms of their words, linked, moved, and taken back", async () => {
  const native = await connect("native");
  const ada = "# Ada\n\nWrote about computing machines. See [[Café]].\n";
  await call(native, "write_note", { path: "People/Ada.md", text: ada });
  await call(native, "write_note", { path: "Café.md", text: "# Café\n\nCrème brûlée in 東京都.\n" });
  expect(await call(native, "search_notes", { query: "machine compute" })).toContain("People/Ada.md");
  expect(await call(native, "search_notes", { query: "creme" })).toContain("Café.md");
  expect(await call(native, "search_notes", { query: "東京" })).toContain("Café.md");
  expect(await call(native, "get_links", { note: "Café.md" })).toContain("People/Ada.md");
  const obsidian = await connect("obsidian");
  await call(obsidian, "rename_note", { old_name: "Café", new_name: "Coffee house" });
  expect(await call(native, "read_notes", { notes: ["People/Ada.md"] })).toContain("[[Coffee house]]");
  await call(native, "undo_changes", { last: 1, author: "tester" });
  expect(await call(native, "read_notes", { notes: ["People/Ada.md"] })).toContain("[[Café]]");
  expect(await call(native, "get_history", { note: "People/Ada.md" })).toContain("tester");
});

test("every surface answers", async () => {
  expect(served).toEqual(surfaceNames);
  for (const surface of surfaceNames) {
    const { tools } = await (await connect(surface)).listTools();
    expect(tools.length).toBeGreaterThan(5);
  }
});

test("fifty appends at once all land", async () => {
  const cairn = await connect("cairn", "many");
  await call(cairn, "cairn_write", { path: "log", content: "# Log\n" });
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      call(cairn, "cairn_patch", { path: "log", op: "append", content: `line ${at} end` }),
    ),
  );
  const text = await call(cairn, "cairn_read", { path: "log" });
  for (let at = 0; at < 50; at++) expect(text).toContain(`line ${at} end`);
});

test("the history leaves as a bundle that git clones, to an admin of the whole workspace", async () => {
  const get = (as: Record<string, unknown>) =>
    fetch(new URL("/many/history.bundle", worker.address), { headers: { "x-as": JSON.stringify(as) } });
  expect((await get({ rights: "write" })).status).toBe(404);
  expect((await get({ folders: ["a"] })).status).toBe(404);
  const bundle = await get({});
  expect(bundle.status).toBe(200);
  const file = join(worker.folder, "history.bundle");
  writeFileSync(file, new Uint8Array(await bundle.arrayBuffer()));
  const clone = join(worker.folder, "clone");
  execFileSync("git", ["clone", "-q", file, clone], { stdio: "pipe" });
  expect(execFileSync("git", ["-C", clone, "fsck", "--full", "--strict"], { encoding: "utf8" })).toBe("");
  expect(execFileSync("git", ["-C", clone, "rev-list", "--count", "HEAD"], { encoding: "utf8" }).trim()).toBe(
    "51",
  );
});

test("an object answers nobody whom the Worker in front has not checked", async () => {
  const native = await connect("native", "one", { rights: "read" });
  const { text, isError } = await called(native, "write_note", { path: "x.md", text: "x" });
  expect([isError, text]).toEqual([true, expect.stringContaining("read")]);
});

test("of Node it is handed hashes and deflate, and nothing else; of packages those that are listed", () => {
  const outside = Object.values(worker.metafile.inputs).flatMap(({ imports }) =>
    imports.filter((one) => one.external).map((one) => one.path),
  );
  expect([...new Set(outside)].toSorted()).toEqual(["cloudflare:workers", "node:crypto", "node:zlib"]);
});

test("minified and packed the workspace takes less than 500 kB", async () => {
  const entryPoints = ["test/workerd/edge-worker.ts"];
  const { outputFiles } = await build({ ...FOR_WORKERS, entryPoints, format: "esm", minify: true });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(500_000);
});
