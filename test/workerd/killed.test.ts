/** Objects killed inside workerd, at calls of every writing tool, and a bucket whose calls fail there: nothing is torn, half done, or answered and lost. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blobId } from "../../src/disk/hash.ts";
import { keyOf } from "../../src/stores/bucket.ts";
import { EARLIER, LATEST } from "../faults/tools.ts";
import { ask, rpc } from "./asking.ts";
import { OTHERS } from "./buckets.ts";
import { ALL_CALLS, DONE_BEFORE, TEXTS } from "./fault-files.ts";
import { startWorker, type Running } from "./start.ts";
import type { Counts, Fault } from "./watched.ts";

/** Points of each tool, and every so many tools: all of them where the whole of it is run. */
const [POINTS, EVERY] = process.env["NOTEWRIGHT_EDGE"] === "all" ? ([8, 1] as const) : ([1, 2] as const);
/** Every so many points git looks at the history, and the index is compared with one made anew. */
const LOOKED_AT = 8;
const GAMMA = "folder/Gamma.md";

type Call = (typeof ALL_CALLS)[number];
type Texts = Record<string, string>;

let worker: Running;
let count = 0;
beforeAll(async () => {
  worker = await startWorker("test/workerd/killable-worker.ts");
}, 60_000);
afterAll(() => worker.stop());

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 500) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const opened = (name: string) => ask(worker, [name, "native"], "list_notes", {});

/** A workspace with the notes that every point begins with, indexed and recorded. */
const begun = async (): Promise<{ name: string; given(input: object): Record<string, unknown> }> => {
  const name = `killed-${++count}`;
  const keys = Object.entries(TEXTS).map(([path, text]) => [keyOf(name, path), text]);
  await rpc(worker, name, "seed", Object.fromEntries(keys));
  await opened(name);
  await until(() => rpc<boolean>(worker, name, "isWhole"));
  const edits = [{ note: GAMMA, do: "append", text: "A second version." }];
  expect((await ask(worker, [name, "native"], "edit_notes", { edits })).ok).toBe(true);
  const [earlier, latest] = await rpc<string[]>(worker, name, "revisions", GAMMA);
  const revisions = new Map([
    [EARLIER, earlier!],
    [LATEST, latest!],
  ]);
  for (const { call, path, word } of DONE_BEFORE) {
    const [surface, tool, input] = call;
    expect((await ask(worker, [name, surface], tool, input)).ok).toBe(true);
    revisions.set(word, (await rpc<string[]>(worker, name, "revisions", path)).at(-1)!);
  }
  const given = (input: object) =>
    JSON.parse(
      [...revisions].reduce((text, [word, id]) => text.replace(word, id), JSON.stringify(input)),
    ) as Record<string, unknown>;
  return { name, given };
};

/** Times and random ids are not the same twice. */
const plain = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "TIME").replace(/["']?\b[0-9a-f]{8}\b["']?/g, "ID");

/** What lies in the bucket, once nothing is on its way there. */
const stateOf = async (name: string): Promise<Texts> => {
  await until(() => rpc<boolean>(worker, name, "isSettled"));
  const texts = await rpc<Texts>(worker, name, "texts", name);
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [plain(key), plain(text)]));
};

/** What a call leaves to which nothing happens, and how many calls it makes. */
const undisturbed = async ([surface, tool, input]: Call) => {
  const { name, given } = await begun();
  const before = await stateOf(name);
  await rpc(worker, name, "fail", null);
  const said = await ask(worker, [name, surface], tool, given(input));
  expect(said.ok, `${tool}: ${said.text}`).toBe(true);
  const { calls, bucket } = await rpc<Counts>(worker, name, "counts");
  return { before, after: await stateOf(name), calls, bucket };
};
type Known = Awaited<ReturnType<typeof undisturbed>>;

const failing = async ([surface, tool, input]: Call, fault: Fault) => {
  const { name, given } = await begun();
  await rpc(worker, name, "fail", fault);
  const { ok } = await ask(worker, [name, surface], tool, given(input));
  await rpc(worker, name, "fail", null);
  await opened(name);
  return { name, ok, state: await stateOf(name) };
};

/** The notes in the bucket whose text the history does not have. */
const unrecorded = async (name: string): Promise<string[]> => {
  // Whoever reads the history has what other programs did recorded first.
  expect((await ask(worker, [name, "native"], "get_history", {})).ok).toBe(true);
  const notes = Object.entries(await rpc<Texts>(worker, name, "texts", name)).filter(([key]) =>
    key.startsWith("/notes/"),
  );
  expect(notes.length).toBeGreaterThan(0);
  const has = (text: string) => rpc<boolean>(worker, name, "isRecorded", blobId(Buffer.from(text, "latin1")));
  const missing = await Promise.all(notes.map(async ([key, text]) => ((await has(text)) ? [] : [key])));
  return missing.flat();
};

const lookClosely = async (name: string, where: string): Promise<void> => {
  // What another program puts there is found when the bucket is compared.
  await rpc(worker, name, "seed", { [keyOf(name, "Theirs.md")]: "# Theirs\n" });
  const dump = await rpc<string>(worker, name, "dump");
  const bundle = await fetch(new URL(`/${name}/history.bundle`, worker.address));
  const file = join(worker.folder, `${name}.bundle`);
  writeFileSync(file, new Uint8Array(await bundle.arrayBuffer()));
  const clone = join(worker.folder, name);
  execFileSync("git", ["clone", "-q", "--bare", file, clone], { stdio: "pipe" });
  const said = execFileSync("git", ["-C", clone, "fsck", "--full", "--strict"], { encoding: "utf8" });
  expect(said, where).toBe("");
  expect(dump, where).toContain("Theirs.md");
  await rpc(worker, name, "spoil");
  await rpc(worker, name, "rebuildIndex");
  await opened(name);
  await until(() => rpc<boolean>(worker, name, "isWhole"));
  expect(JSON.parse(await rpc<string>(worker, name, "dump")), where).toEqual(JSON.parse(dump));
};

/** So many of a number of places, spread over them, and other ones for each tool. */
const places = (all: number, tool: number): number[] =>
  Array.from(
    { length: Math.min(all, POINTS) },
    (_, at) => (Math.floor((at * all) / POINTS) + 7 * tool) % all,
  );

const TOOLS = ALL_CALLS.filter((_, at) => at % EVERY === 0);
/** What fails without killing the object is tried with fewer: with each commit it is tried outside of workerd, too (faults.test.ts). */
const FEWER = EVERY === 1 ? TOOLS : TOOLS.filter((_, at) => at % 3 === 0);

test("an object that is killed at a call of a writing tool", { timeout: 600_000 }, async () => {
  let looked = 0;
  for (const [tool, call] of TOOLS.entries()) {
    const known = await undisturbed(call);
    for (const at of places(known.calls, tool)) {
      const how = (at + tool) % 2 === 0 ? "before" : "after";
      const where = `${call.slice(0, 2).join(" ")} killed ${how} call ${at} of ${known.calls}`;
      const { name, ok, state } = await failing(call, { at, of: "all", how, next: "killed" });
      expectOne(known, ok, state, where);
      if (looked++ % LOOKED_AT === 0) await lookClosely(name, where);
    }
  }
  expect(looked).toBeGreaterThanOrEqual(15);
});

test("a call to the bucket that fails, or is done and seems to fail", { timeout: 600_000 }, async () => {
  for (const [tool, call] of FEWER.entries()) {
    const known = await undisturbed(call);
    for (const at of places(known.bucket, tool)) {
      const how = (at + tool) % 2 === 0 ? "before" : "after";
      const where = `${call.slice(0, 2).join(" ")}: call ${at} of ${known.bucket} to the bucket failed, ${how}`;
      const { ok, state } = await failing(call, { at, of: "bucket", how, next: "works" });
      expectOne(known, ok, state, where);
      // It is done and seems to fail, and then nothing answers for a while; what waits is tried again after seconds.
      if ((at + tool) % 4 !== 0) continue;
      const down = await failing(call, { at, of: "bucket", how: "after", next: "down" });
      expectOne(known, down.ok, down.state, `${where}, and was down`);
    }
  }
});

test(
  "another program that puts its text in the place of ours just before us",
  { timeout: 600_000 },
  async () => {
    let met = 0;
    for (const [tool, call] of FEWER.entries()) {
      const known = await undisturbed(call);
      for (const at of places(known.bucket, tool)) {
        const fault: Fault = { at, of: "bucket", how: "other writer", next: "works" };
        const { name, ok, state } = await failing(call, fault);
        const where = `${call.slice(0, 2).join(" ")} met another writer at call ${at}`;
        // Who replaces a note replaces theirs too, which the history then has.
        const theirs =
          Object.values(state).some((text) => text.includes(OTHERS.trim())) ||
          (await rpc<boolean>(worker, name, "isRecorded", blobId(new TextEncoder().encode(OTHERS))));
        // It comes before puts; at another call nothing happens.
        if (!theirs) expectOne(known, ok, state, where);
        else met++;
        if (!ok) expect(kept(state, known.before), where).toEqual([]);
        expect(await unrecorded(name), where).toEqual([]);
      }
    }
    expect(met).toBeGreaterThan(0);
  },
);

/** The last calls of an acceptance: what was accepted is written, recorded, and dropped from what waits. */
const LAST = 16;

test(
  "an object that is killed while a proposal is accepted: it is written whole, and accepting again only drops it",
  { timeout: 600_000 },
  async () => {
    const waiting = (name: string) => rpc<string[]>(worker, name, "waiting", name);
    const proposed = async () => {
      const { name } = await begun();
      const as = { name: "helper", rights: "propose" };
      const move = { old_name: "Beta", new_name: "Omega" };
      expect((await ask(worker, [name, "obsidian"], "rename_note", move, as)).ok).toBe(true);
      const [id] = await waiting(name);
      return { name, id: id! };
    };
    const whole = await proposed();
    const before = await stateOf(whole.name);
    await rpc(worker, whole.name, "fail", null);
    await rpc(worker, whole.name, "accept", whole.name, whole.id);
    const { calls } = await rpc<Counts>(worker, whole.name, "counts");
    const after = await stateOf(whole.name);
    expect(after).not.toEqual(before);

    let between = 0;
    for (let at = calls - LAST; at < calls; at++) {
      const { name, id } = await proposed();
      await rpc(worker, name, "fail", { at, of: "all", how: "before", next: "killed" } satisfies Fault);
      await rpc(worker, name, "accept", name, id).catch(() => undefined);
      await rpc(worker, name, "fail", null);
      await opened(name);
      const state = await stateOf(name);
      const where = `killed before call ${at} of ${calls}`;
      const isNew = JSON.stringify(state) === JSON.stringify(after);
      if (!isNew) expect(state, where).toEqual(before);
      const left = await waiting(name);
      expect(left, where).toEqual(isNew ? left : [id]);
      if (left.length === 0) continue;
      const revision = await rpc<string | null>(worker, name, "accept", name, id);
      if (isNew) between++;
      expect(revision === null, where).toBe(isNew);
      expect([await waiting(name), await stateOf(name)], where).toEqual([[], after]);
    }
    expect(between).toBeGreaterThan(0);
  },
);

/** All of it, or nothing; all of it where it was answered. */
function expectOne(known: Known, ok: boolean, state: Texts, where: string): void {
  const isNew = JSON.stringify(state) === JSON.stringify(known.after);
  if (!isNew) expect(state, where).toEqual(known.before);
  if (ok) expect(isNew, `${where}: answered`).toBe(true);
}

/** Keys at which neither the text from before nor that of another program lies. */
const kept = (state: Texts, before: Texts): string[] =>
  Object.entries(before)
    .filter(([key, text]) => state[key] !== text && !state[key]?.includes(OTHERS.trim()))
    .map(([key]) => key);
