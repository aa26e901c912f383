/** Several processes on one vault: no append is lost, and a process that is killed holds nobody up. */

import { DatabaseSync } from "@photostructure/sqlite";
import { build } from "esbuild";
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { notePath } from "../notebook/paths.ts";
import { openFolder } from "./folder.ts";

/** Appends numbered lines to one note, and copies them to another in the same change: read, think, write, inside the lock. */
const WRITER = `
import { DatabaseSync } from "@photostructure/sqlite";
import { openFolder } from "./folder.ts";
const [root, name, count] = process.argv.slice(2);
const store = await openFolder(root, { openLock: (file) => new DatabaseSync(file), durability: "fast" });
const bytes = (text) => new TextEncoder().encode(text);
for (let at = 0; at < Number(count); at++) {
  await store.alone(async () => {
    const log = await store.read("log.md");
    const after = bytes(new TextDecoder().decode(log.bytes) + name + " " + at + "\\n");
    await store.apply([
      { path: "log.md", bytes: after, expect: log.version },
      { path: "folder/copy.md", bytes: after },
    ]);
  });
  process.stdout.write(at + "\\n");
}
await store.close();
`;

let place: string;
let script: string;
let root: string;
beforeAll(async () => {
  place = fs.mkdtempSync(join(tmpdir(), "notewright-processes-"));
  script = join(place, "writer.mjs");
  const sqlite = resolve("node_modules/@photostructure/sqlite/dist/index.mjs");
  await build({
    stdin: { contents: WRITER, resolveDir: "src/stores", loader: "js" },
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "@photostructure/sqlite": sqlite },
    external: [sqlite],
  });
});
beforeEach(() => {
  root = fs.mkdtempSync(join(place, "vault-"));
  fs.writeFileSync(join(root, "log.md"), "");
});
afterAll(() => fs.rmSync(place, { recursive: true }));

function writer(
  name: string,
  count: number,
): { child: ChildProcess; ended: Promise<number | null>; said(): number } {
  const child = spawn(process.execPath, [script, root, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = 0;
  child.stdout!.on("data", (data: Buffer) => (said += data.toString().split("\n").length - 1));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  return { child, ended, said: () => said };
}

test("two processes, 100 read-append-write cycles each: 200 of 200 lines", async () => {
  const codes = await Promise.all([writer("one", 100).ended, writer("two", 100).ended]);
  expect(codes).toEqual([0, 0]);
  const lines = fs.readFileSync(join(root, "log.md"), "utf8").trim().split("\n");
  const wanted = ["one", "two"].flatMap((name) => Array.from({ length: 100 }, (_, at) => `${name} ${at}`));
  expect(lines.toSorted()).toEqual(wanted.toSorted());
  for (const name of ["one", "two"])
    expect(lines.filter((line) => line.startsWith(name))).toEqual(
      wanted.filter((line) => line.startsWith(name)),
    );
});

test("processes are killed at any moment: what they acknowledged stays, and all changes are whole", async () => {
  const steady = writer("steady", 150);
  let acknowledged = 0;
  for (let round = 0; round < 12; round++) {
    const doomed = writer(`doomed ${round}`, 100_000);
    while (doomed.said() < 3) await new Promise((done) => setTimeout(done, 1 + round / 4));
    doomed.child.kill("SIGKILL");
    await doomed.ended;
    acknowledged += doomed.said();
  }
  expect(await steady.ended).toBe(0);
  const store = await openFolder(root, { openLock: (file) => new DatabaseSync(file) });
  await store.alone(async () => {});
  const [log, copy] = [await store.read(notePath("log.md")), await store.read(notePath("folder/copy.md"))];
  const lines = new TextDecoder().decode(log!.bytes).trim().split("\n");
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((line) => line.startsWith("steady"))).toHaveLength(150);
  expect(lines.filter((line) => line.startsWith("doomed")).length).toBeGreaterThanOrEqual(acknowledged);
  expect(copy!.version).toBe(log!.version);
  expect(store.health.troubles()).toEqual([]);
  await store.close();
  expect(fs.readdirSync(join(root, ".notewright/tmp"))).toEqual([]);
});
