/** The second home: workspaces in Durable Objects over R2, bundled for workerd, the runtime of Cloudflare's Workers, and called by the official client. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, expect, test } from "vitest";
import { surfaceNames } from "../../src/surfaces/all.ts";
import { surfaceNames as atTheEdge } from "../../src/worker/surfaces.ts";
import { served } from "./deployed.ts";
import { call, called } from "./served.ts";

let token: string;

beforeAll(async () => {
  await served.make("one");
  token = await served.member("one", "tester");
});

const connect = (surface: string): Promise<Client> => served.connect("one", surface, token);

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
  expect(atTheEdge).toEqual(surfaceNames);
  for (const surface of surfaceNames) {
    const { tools } = await (await connect(surface)).listTools();
    expect(tools.length).toBeGreaterThan(5);
  }
});

test("fifty appends at once all land", async () => {
  const cairn = await connect("cairn");
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
  const get = (secret: string) =>
    fetch(`${served.base}/one/history.bundle`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await get(await served.member("one", "writer", "write"))).status).toBe(404);
  expect((await get(await served.member("one", "kept", "admin", ["a"]))).status).toBe(404);
  const bundle = await get(token);
  expect(bundle.status).toBe(200);
  const file = join(served.folder, "history.bundle");
  writeFileSync(file, new Uint8Array(await bundle.arrayBuffer()));
  const clone = join(served.folder, "clone");
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  git("clone", "-q", file, clone);
  expect(git("-C", clone, "fsck", "--full", "--strict")).toBe("");
  expect(git("-C", clone, "log", "--format=%s", "--", "log.md").split("\n")).toHaveLength(51);
});

test("whoever may only read writes nothing", async () => {
  const native = await served.connect("one", "native", await served.member("one", "reader", "read"));
  const { text, isError } = await called(native, "write_note", { path: "x.md", text: "x" });
  expect([isError, text]).toEqual([true, expect.stringContaining("read")]);
});

test("of Node it is handed hashes and deflate, and nothing else; of packages those that are listed", () => {
  const outside = Object.values(served.metafile.inputs).flatMap(({ imports }) =>
    imports.filter((one) => one.external).map((one) => one.path),
  );
  expect([...new Set(outside)].toSorted()).toEqual(["cloudflare:workers", "node:crypto", "node:zlib"]);
});

test("minified and packed it takes less than 500 kB", () => {
  const bytes = readFileSync(join(served.folder, "worker.mjs"));
  expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(500_000);
});
