/** `push` and `pull` where one side is not whole: an index that is not made yet is waited for or refused, and what could not be read is left alone. Nothing is taken for removed. */

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openIndex } from "../src/index/note-index.ts";
import type { OpenNotebook } from "../src/notebook/notebook.ts";
import { NOTE_LIMIT } from "../src/notebook/parts.ts";
import { DEADLINES } from "../src/notebook/waiting.ts";
import { openSql } from "../src/sqlite/node.ts";
import type { Sql } from "../src/sqlite/sql.ts";
import type { Bucket } from "../src/stores/bucket.ts";
import { countedBucket } from "../src/stores/counted-bucket.ts";
import { notebookSide, wholeOf } from "../src/sync/side.ts";
import { forgetIndex, openEngine, type Engine } from "../src/worker/engine.ts";
import { workSlice } from "../src/worker/work.ts";
import { named, serveInProcess, type InProcess } from "./http/in-process.ts";
import { openCarrier, type Carrier } from "./carrying.ts";
import { unindexed } from "./vault.ts";
import { boundTo, memoryBucket } from "./workerd/buckets.ts";

const KEY = "w/notes/a.md";

let sql: Sql;
let bucket: Bucket;
/** Keys that the bucket does not give. */
let failing: Set<string>;
/** The engine of the edge, as it is now, served here. */
let engine: Engine;
let calls: () => number;
/** By how much the clock is put forward. */
let later = 0;
let server: InProcess;
let carrier: Carrier;

const open = (): void => {
  const counted = countedBucket(bucket);
  calls = counted.calls;
  engine = openEngine({
    sql: { ...sql, close: () => undefined },
    bucket: counted.bucket,
    workspace: "w",
    now: () => new Date(Date.now() + later),
    wake: () => undefined,
    report: () => undefined,
    deadlines: { ...DEADLINES, answer: 100, change: 200 },
  });
};
const worked = async (): Promise<void> => {
  later += 3_600_000;
  while ((await workSlice(engine, calls)) === 0);
};
/** As `rebuild-index` does; nothing of the new index is made yet. */
const forgotten = async (): Promise<void> => {
  await engine.close();
  forgetIndex(sql);
  open();
};
const agreedOn = (): string => {
  const folder = join(carrier.vault, "../state/notewright/copies");
  return readFileSync(join(folder, readdirSync(folder)[0]!), "utf8");
};

beforeEach(async () => {
  const memory = memoryBucket();
  failing = new Set();
  bucket = {
    ...boundTo(memory),
    async get(key, how) {
      if (failing.has(key)) throw new Error("get: We encountered an internal error. (10001)");
      return memory.get(key, how);
    },
  };
  sql = await openSql(":memory:");
  open();
  await worked();
  const now = new Proxy({} as OpenNotebook, {
    get: (_, name: keyof OpenNotebook) => engine.notebook[name],
  });
  server = await serveInProcess({}, [named("admin")], undefined, now);
  carrier = openCarrier(server.base, "admin");
  for (const name of ["a", "b", "c"]) carrier.here(`${name}.md`, `${name}\n`);
  expect((await carrier.push()).code).toBe(0);
});
afterEach(async () => {
  carrier.remove();
  await server.close();
  await engine.close();
});

describe("what one side could not read", () => {
  test("a note that the bucket failed to give while its index was made anew: pull leaves it here", async () => {
    // What the last change touched is looked at before anything else.
    await carrier.there("c.md", "c, changed\n");
    await carrier.pull();
    await forgotten();
    failing.add(KEY);
    await worked();
    const [here, before] = [carrier.notes(), agreedOn()];
    for (const verb of [carrier.pull, carrier.push]) {
      expect(await verb()).toMatchObject({
        code: 1,
        stdout: "left      a.md (there it could not be read yet; run this again)\n",
        stderr: expect.stringContaining("1 was left as it is"),
      });
      expect([carrier.notes(), agreedOn()]).toEqual([here, before]);
    }
    failing.clear();
    await worked();
    expect(await carrier.pull()).toMatchObject({ code: 0, stdout: "" });
    expect(carrier.notes()).toEqual(here);
    // What is gone there is still taken for gone.
    await carrier.there("a.md", null);
    expect((await carrier.pull("--yes")).stderr).toContain("1 removed");
    expect(Object.keys(carrier.notes())).toEqual(["b.md", "c.md"]);
  });

  test("a note that grows beyond what is read: push leaves it there, and brings it once it is shorter", async () => {
    carrier.here("a.md", new Uint8Array(NOTE_LIMIT + 1).fill(97));
    carrier.here("new.md", new Uint8Array(NOTE_LIMIT + 1).fill(97));
    carrier.here("b.md", "b, changed\n");
    const dry = await carrier.push("--dry-run");
    const left = ["a.md", "new.md"]
      .map((path) => `left      ${path} (here it is larger than 8 MiB)\n`)
      .join("");
    expect(dry).toMatchObject({ code: 1, stdout: `update    b.md\n${left}` });
    const pushed = await carrier.push();
    expect(pushed).toMatchObject({ code: 1, stdout: left });
    expect(pushed.stderr).toContain("1 updated");
    expect(pushed.stderr).toContain("2 were left as they are; the lines above say why.");
    expect(await carrier.copy()).toEqual({ "a.md": "a\n", "b.md": "b, changed\n", "c.md": "c\n" });
    // Nor does the other way write over it.
    await carrier.there("a.md", "changed there\n");
    expect((await carrier.pull()).code).toBe(1);
    expect(carrier.notes()["a.md"]).toHaveLength(NOTE_LIMIT + 1);
    carrier.here("a.md", "a\n");
    expect((await carrier.pull()).code).toBe(0);
    expect(carrier.notes()["a.md"]).toBe("changed there\n");
  });
});

describe("a side whose index is not made yet", () => {
  test("at the edge: push and pull are refused, and nothing is changed on either side", async () => {
    await forgotten();
    carrier.here("b.md", null);
    carrier.here("new.md", "new\n");
    const [here, before] = [carrier.notes(), agreedOn()];
    for (const args of [[], ["--dry-run"], ["--yes"]])
      for (const verb of [carrier.push, carrier.pull])
        expect(await verb(...args)).toMatchObject({
          code: 1,
          stdout: "",
          // It waits as long as the server gets on.
          stderr: expect.stringMatching(/^waiting for the server's index[^]*being indexed.*Nothing was done/),
        });
    expect([carrier.notes(), agreedOn()]).toEqual([here, before]);
    await worked();
    expect((await carrier.push("--yes")).stderr).toContain("1 created, 1 removed");
    expect(await carrier.copy()).toEqual(here);
  });

  test("here: it is waited for, and nothing is taken for removed", async () => {
    for (const verb of [carrier.push, carrier.pull]) {
      const cache = join(carrier.vault, "../cache");
      expect(existsSync(cache)).toBe(true);
      rmSync(cache, { recursive: true });
      expect(await verb()).toMatchObject({ code: 0, stderr: expect.stringContaining("There is nothing to") });
    }
    expect(await carrier.copy()).toEqual(carrier.notes());
  });

  test("a side that does not wait refuses to be listed", async () => {
    const notebook = unindexed({ "a.md": "a\n" }, openIndex(await openSql(":memory:")));
    const who = { client: "c", surface: "cli", tool: "push", connection: "", patience: "none" } as const;
    await expect(wholeOf(notebookSide(notebook.as(who)))).rejects.toMatchObject({ code: "indexing" });
    await notebook.refresh();
    expect((await wholeOf(notebookSide(notebook.as(who)))).notes).toHaveLength(1);
    await notebook.close();
  });
});
