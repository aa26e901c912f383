/** The points at which an object is killed: before and after each call to its storage and to its bucket, in every writing tool. It is opened again: nothing is torn, half done, or answered and lost. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect } from "vitest";
import { notePath, type NotePath } from "../../src/notebook/paths.ts";
import { openSql } from "../../src/sqlite/node.ts";
import type { Sql, SqlValue } from "../../src/sqlite/sql.ts";
import { loadSurface } from "../../src/surfaces/all.ts";
import { forgetIndex, type Engine } from "../../src/worker/engine.ts";
import { workSlice } from "../../src/worker/work.ts";
import { EARLIER, LATEST } from "../faults/tools.ts";
import { dumpOf } from "../index-dump.ts";
import { serversOf } from "../server.ts";
import type { Bucket } from "../../src/stores/bucket.ts";
import { bucketWith as filled, memoryBucket } from "./buckets.ts";
import { dying, engineOn, type Fault } from "./edge-engine.ts";
import { ALL_CALLS, DONE_BEFORE, TEXTS } from "./fault-files.ts";

/** Points of each half in each commit; all of them where the whole of it is run. */
const POINTS = process.env["NOTEWRIGHT_EDGE"] === "all" ? Number.POSITIVE_INFINITY : 100;
/** Every so many points git looks at the history. */
const LOOKED_AT = 20;

type Call = (typeof ALL_CALLS)[number];
type Objects = ReturnType<typeof memoryBucket>["objects"];
let folder: string;
/** The bucket and the database that every point begins with. */
let template: { objects: Objects; sql: Sql };
/** Words in calls, and the revisions that they stand for. */
const revisions = new Map<string, string>();
let looks = 0;

const bucketWith = (objects: Objects) => {
  const bucket = memoryBucket();
  for (const [key, object] of objects) bucket.objects.set(key, object);
  return bucket;
};
type Place = { bucket: ReturnType<typeof memoryBucket>; sql: Sql };

/** What the work does to the database is taken back after it: a database, opened once, serves every point. */
const onCopy = async <T>(work: (place: Place) => Promise<T>): Promise<T> => {
  const { sql, objects } = template;
  const lent = lending(sql);
  sql.exec("BEGIN");
  try {
    return await work({ bucket: bucketWith(objects), sql: lent.sql });
  } finally {
    lent.end();
    sql.exec("ROLLBACK");
  }
};

/** A database inside a transaction: those of the engine are savepoints, as they are in a Durable Object. After the end nobody reaches it: what an engine still has under way is nothing to the next. */
const lending = (sql: Sql): { sql: Sql; end(): void } => {
  let [inside, ended] = [false, false];
  const lent = (): Sql => {
    if (ended) throw new Error("the object is gone");
    return sql;
  };
  return {
    end: () => void (ended = true),
    sql: {
      exec: (text) => lent().exec(text),
      all: <T>(text: string, ...values: SqlValue[]) => lent().all<T>(text, ...values),
      get: <T>(text: string, ...values: SqlValue[]) => lent().get<T>(text, ...values),
      run: (text, ...values) => lent().run(text, ...values),
      close: () => undefined,
      transaction(work) {
        if (inside) return work();
        lent().exec("SAVEPOINT engine");
        inside = true;
        try {
          const done = work();
          sql.exec("RELEASE engine");
          return done;
        } catch (error) {
          sql.exec("ROLLBACK TO engine; RELEASE engine");
          throw error;
        } finally {
          inside = false;
        }
      },
    },
  };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "edge-faults-"));
  const bucket = await filled(memoryBucket(), "w", TEXTS);
  const sql = await openSql(":memory:");
  const { engine, calls } = engineOn(bucket, sql);
  await workSlice(engine, calls);
  const gamma = notePath("folder/Gamma.md");
  const [before] = await engine.notebook.log({ path: gamma, limit: 1 });
  await engine.notebook.edit([{ path: gamma, edits: [(text) => `${text}\nA second version.\n`] }]);
  const [after] = await engine.notebook.log({ path: gamma, limit: 1 });
  revisions.set(EARLIER, before!.id).set(LATEST, after!.id);
  for (const { call, path, word } of DONE_BEFORE) {
    expect(await answered(engine, call)).toBe(true);
    const [made] = await engine.notebook.log({ path: path as NotePath, limit: 1 });
    revisions.set(word, made!.id);
  }
  await engine.close();
  template = { objects: bucket.objects, sql };
}, 60_000);
afterAll(() => {
  template.sql.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls a tool as a client does; whether it answered without an error. */
const answered = async (engine: Engine, [surface, tool, input]: Call): Promise<boolean> => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const dialect = (await loadSurface(surface))!;
  await serversOf(dialect, engine.notebook, { log: () => undefined, id: "c" })().connect(far);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(near);
  const said = [...revisions].reduce((text, [word, id]) => text.replace(word, id), JSON.stringify(input));
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

/** Every note, rule file and other file, and those that were removed, as the store reads them. */
const stateOf = async ({ store }: Engine, sql: Sql): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const { path } of sql.all<{ path: string }>("SELECT path FROM r2_files ORDER BY path")) {
    const file = path.endsWith(".md")
      ? await store.read(path as never)
      : await store.bytes(path as never, 1e6);
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

/** The state before and after a call that nothing happens to, how many calls opening makes, and how many the tool. */
const undisturbed = (call: Call) =>
  onCopy(async ({ bucket, sql }) => {
    const watch = dying(bucket, sql, null);
    const { engine } = engineOn(watch.bucket, watch.sql);
    const opening = watch.calls();
    const before = await stateOf(engine, sql);
    const from = watch.calls();
    expect(await answered(engine, call), call.slice(0, 2).join(" ")).toBe(true);
    const calls = watch.calls() - from;
    const after = await stateOf(engine, sql);
    await engine.close();
    return { before, after, opening, calls };
  });
type Known = Awaited<ReturnType<typeof undisturbed>>;

/** `look`: whether git looks at the history, and the index is compared with one made anew. */
const killedAt = (call: Call, fault: Fault, known: Known, look: boolean): Promise<void> =>
  onCopy(async ({ bucket, sql }) => {
    const watch = dying(bucket, sql, { ...fault, at: fault.at + known.opening });
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
    if (look) await lookClosely(again.engine, bucket, sql, where);
    await again.engine.close();
    await engine.close().catch(() => undefined);
  });

const lookClosely = async (engine: Engine, bucket: Bucket, sql: Sql, where: string): Promise<void> => {
  const kept = dumpOf(sql);
  await fsck(engine, `fsck-${++looks}`);
  await engine.close();
  forgetIndex(sql);
  const anew = engineOn(bucket, sql);
  await workSlice(anew.engine, anew.calls);
  expect(dumpOf(sql), where).toEqual(kept);
  await anew.engine.close();
};

/** Kills the object at every second point, from the first or from the second on: two files share them, so that two processes do. */
export const killAtPoints = async (first: 0 | 1): Promise<void> => {
  const tools = [];
  for (const call of ALL_CALLS) tools.push({ call, known: await undisturbed(call) });
  const all = tools
    .flatMap(({ call, known }) =>
      Array.from({ length: known.calls }, (_, at) => at).flatMap((at) =>
        (["before", "after"] as const).map((how) => ({ call, known, fault: { at, how } })),
      ),
    )
    .filter((_, at) => (at >> 1) % 2 === first);
  const every = Math.max(1, all.length / POINTS);
  let done = 0;
  for (let at = 0; at < all.length; at += every) {
    const { call, known, fault } = all[Math.floor(at)]!;
    await killedAt(call, fault, known, done++ % LOOKED_AT === 0);
  }
  expect(done).toBeGreaterThanOrEqual(Math.min(100, all.length));
};
