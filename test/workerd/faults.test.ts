/** The object is killed at calls to its storage and to its bucket, in every writing tool, and opened again: nothing is torn, half done, or answered and lost. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notePath } from "../../src/notebook/paths.ts";
import { openSql } from "../../src/sqlite/node.ts";
import type { Sql } from "../../src/sqlite/sql.ts";
import { loadSurface } from "../../src/surfaces/all.ts";
import { forgetIndex, type Engine } from "../../src/worker/engine.ts";
import { workSlice } from "../../src/worker/work.ts";
import { EARLIER, LATEST, NOTE_CALLS, ONLY_NOTES } from "../faults/tools.ts";
import { dumpOf } from "../index-dump.ts";
import { serversOf } from "../server.ts";
import { memoryBucket } from "./buckets.ts";
import { dying, engineOn, type Fault } from "./edge-engine.ts";

/** Points in each commit; all of them where the whole of it is run. */
const POINTS = process.env["NOTEWRIGHT_EDGE"] === "all" ? Number.POSITIVE_INFINITY : 200;
/** Every so many points git looks at the history. */
const LOOKED_AT = 20;

type Objects = ReturnType<typeof memoryBucket>["objects"];
let folder: string;
let template: { objects: Objects; file: string; earlier: string; latest: string };
let copies = 0;

const bucketWith = (objects: Objects) => {
  const bucket = memoryBucket();
  for (const [key, object] of objects) bucket.objects.set(key, object);
  return bucket;
};
const copyOf = async (): Promise<{ bucket: ReturnType<typeof memoryBucket>; sql: Sql }> => {
  const file = join(folder, `copy-${++copies}.db`);
  execFileSync("cp", [template.file, file]);
  return { bucket: bucketWith(template.objects), sql: await openSql(file) };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "edge-faults-"));
  const bucket = memoryBucket();
  const how = { onlyIf: { etagDoesNotMatch: "*" }, customMetadata: {} } as const;
  for (const [path, text] of Object.entries(ONLY_NOTES)) {
    const key = path.startsWith(".llm_bridges/knowledge_base/")
      ? `w/rules/${path.slice(".llm_bridges/knowledge_base/".length)}`
      : `w/notes/${path}`;
    await bucket.put(key, new TextEncoder().encode(text), how);
  }
  const sql = await openSql(join(folder, "first.db"));
  const { engine, calls } = engineOn(bucket, sql);
  await workSlice(engine, calls);
  const gamma = notePath("folder/Gamma.md");
  const [before] = await engine.notebook.log({ path: gamma, limit: 1 });
  await engine.notebook.edit([{ path: gamma, edits: [(text) => `${text}\nA second version.\n`] }]);
  const [after] = await engine.notebook.log({ path: gamma, limit: 1 });
  await engine.close();
  const file = join(folder, "template.db");
  sql.run("VACUUM INTO ?", file);
  template = { objects: bucket.objects, file, earlier: before!.id, latest: after!.id };
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls a tool as a client does; whether it answered without an error. */
const answered = async (
  engine: Engine,
  [surface, tool, input]: (typeof NOTE_CALLS)[number],
): Promise<boolean> => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const dialect = (await loadSurface(surface))!;
  await serversOf(dialect, engine.notebook, { log: () => undefined, id: "c" })().connect(far);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(near);
  const said = JSON.stringify(input).replace(EARLIER, template.earlier).replace(LATEST, template.latest);
  const { isError } = await client.callTool({
    name: tool,
    arguments: JSON.parse(said) as Record<string, unknown>,
  });
  await client.close();
  return !isError;
};

/** Times and random ids are not the same twice. */
const plain = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "TIME").replace(/["']?\b[0-9a-f]{8}\b["']?/g, "ID");

/** Every note, rule file and removed note, as the store reads them. */
const stateOf = async ({ store }: Engine, sql: Sql): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const { path } of sql.all<{ path: string }>("SELECT path FROM r2_files ORDER BY path")) {
    const file = await store.read(path as never);
    found[plain(path)] = plain(Buffer.from(file!.bytes).toString("latin1"));
  }
  return found;
};
/** What lies in the bucket itself. */
const bucketState = (objects: Objects): Record<string, string> =>
  Object.fromEntries(
    [...objects]
      .map(([key, { bytes }]) => [plain(key), plain(Buffer.from(bytes).toString("latin1"))])
      .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );

const fsck = async (engine: Engine, name: string): Promise<void> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await engine.history.bundle())!) pieces.push(piece);
  const file = join(folder, `${name}.bundle`);
  writeFileSync(file, Buffer.concat(pieces));
  execFileSync("git", ["clone", "-q", "--bare", file, join(folder, name)], { stdio: "pipe" });
  const said = execFileSync("git", ["-C", join(folder, name), "fsck", "--full", "--strict"], {
    encoding: "utf8",
  });
  expect(said).toBe("");
};

/** The state before and after a call that nothing happens to, and how many calls it makes. */
const undisturbed = async (call: (typeof NOTE_CALLS)[number]) => {
  const { bucket, sql } = await copyOf();
  const watch = dying(bucket, sql, null);
  const { engine } = engineOn(watch.bucket, watch.sql);
  const before = await stateOf(engine, sql);
  const from = watch.calls();
  expect(await answered(engine, call), call.slice(0, 2).join(" ")).toBe(true);
  const calls = watch.calls() - from;
  const after = await stateOf(engine, sql);
  await engine.close();
  sql.close();
  return { before, after, calls };
};

const killedAt = async (
  call: (typeof NOTE_CALLS)[number],
  fault: Fault,
  known: Awaited<ReturnType<typeof undisturbed>>,
  look: boolean,
): Promise<void> => {
  const { bucket, sql } = await copyOf();
  const opening = dying(bucket, sql, null);
  engineOn(opening.bucket, opening.sql);
  const watch = dying(bucket, sql, { ...fault, at: fault.at + opening.calls() });
  const { engine } = engineOn(watch.bucket, watch.sql);
  const done = await answered(engine, call);
  const where = `${call.slice(0, 2).join(" ")} killed ${fault.how} call ${fault.at}`;

  const again = engineOn(bucket, sql);
  await again.engine.store.flush();
  await again.engine.notebook.refresh();
  const state = await stateOf(again.engine, sql);
  const isNew = JSON.stringify(state) === JSON.stringify(known.after);
  if (!isNew) expect(state, where).toEqual(known.before);
  if (done) expect(isNew, `${where}: answered`).toBe(true);
  const inBucket = Object.entries(bucketState(bucket.objects)).map(([, text]) => text);
  expect(inBucket.toSorted(), where).toEqual(Object.values(state).toSorted());
  const kept = dumpOf(sql);
  if (look) {
    await fsck(again.engine, `fsck-${copies}`);
    await again.engine.close();
    forgetIndex(sql);
    const anew = engineOn(bucket, sql);
    await workSlice(anew.engine, anew.calls);
    expect(dumpOf(sql), where).toEqual(kept);
    await anew.engine.close();
  } else await again.engine.close();
  await engine.close().catch(() => undefined);
  sql.close();
};

test("every writing tool of every surface, killed at its calls", { timeout: 900_000 }, async () => {
  const tools = [];
  for (const call of NOTE_CALLS) tools.push({ call, known: await undisturbed(call) });
  const all = tools.flatMap(({ call, known }) =>
    Array.from({ length: known.calls }, (_, at) => at).flatMap((at) =>
      (["before", "after"] as const).map((how) => ({ call, known, fault: { at, how } })),
    ),
  );
  const every = Math.max(1, all.length / POINTS);
  let done = 0;
  for (let at = 0; at < all.length; at += every) {
    const { call, known, fault } = all[Math.floor(at)]!;
    await killedAt(call, fault, known, done++ % LOOKED_AT === 0);
  }
  expect(done).toBeGreaterThanOrEqual(Math.min(200, all.length));
});
