/** Attack 48, bombs in the history: small files that unfold to much. They are bounded before anything is unfolded, and others get their turn meanwhile. */

import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { newFolder, newLedger, openAt, planted, useAll, type Planted } from "../../test/planted-history.ts";
import { openDisk } from "../disk/files.ts";
import type { NotePath } from "../notebook/paths.ts";
import { scribe } from "../notebook/suites/scribe.ts";
import { walkBudget } from "./budget.ts";
import { cacheOf } from "./cache.ts";
import { HISTORY } from "./git.ts";
import { newObject } from "./hashing.ts";
import { placeOf, readLoose } from "./loose.ts";
import { encodeCommit, headerOf, treeRow, type Kind } from "./objects.ts";
import { decodeRecord } from "./revision-record.ts";
import { openPacks } from "./pack.ts";

const MB = 1024 * 1024;

/** As a loose object; gives its id. */
function forge(root: string, kind: Kind, body: Uint8Array): string {
  const { id } = newObject(kind, body);
  const place = join(root, HISTORY, placeOf(id));
  fs.mkdirSync(dirname(place), { recursive: true });
  fs.writeFileSync(place, deflateSync(Buffer.concat([headerOf(kind, body.length), body]), { level: 1 }));
  return id;
}

const IDENT = { name: "Mallory", email: "m@x", date: new Date(1_700_000_000_000) };
const forgeCommit = (root: string, tree: string, parent: string | null, message: string): string =>
  forge(root, "commit", encodeCommit({ tree, parent, author: IDENT, committer: IDENT, message }));
const setHead = (it: Planted, id: string) => fs.writeFileSync(it.at("refs/heads/main"), `${id}\n`);
const treeOf = (it: Planted): string => it.objectOf("main^{tree}").slice(-41).replace("/", "");

/** The most bytes that were held outside the heap at a time, beyond those at the start, and how often others got their turn. */
async function watched<T>(work: () => Promise<T>): Promise<{ value: T; bytes: number; turns: number }> {
  const start = process.memoryUsage().arrayBuffers;
  let [bytes, turns, done] = [0, 0, false];
  const look = (): void => {
    bytes = Math.max(bytes, process.memoryUsage().arrayBuffers - start);
    turns++;
    if (!done) setImmediate(look);
  };
  setImmediate(look);
  const value = await work().finally(() => (done = true));
  return { value, bytes: Math.max(bytes, process.memoryUsage().arrayBuffers - start), turns };
}

/** Folders in folders, each of the same `width`; the innermost hold that many files. */
function forgeTrees(root: string, width: number, depth: number): string {
  let id = forge(root, "blob", Buffer.from("x"));
  for (let level = 0; level < depth; level++) {
    const names = Array.from({ length: width }, (_, at) => String(at).padStart(4, "0"));
    const rows = names.map((name) => treeRow(level === 0 ? "100644" : "40000", `${name}.md`, id));
    id = forge(root, "tree", Buffer.concat(rows));
  }
  return id;
}

test("48: commits of 60 MB are damaged, and nobody unfolds them", async () => {
  const it = await planted();
  const message = "a".repeat(60 * MB);
  let head = it.ids[2]!;
  for (let count = 0; count < 3; count++) head = forgeCommit(it.root, treeOf(it), head, message + count);
  setHead(it, head);
  const history = openAt(it.root, await newLedger());
  const { value, bytes } = await watched(() => history.log({ limit: 10 }));
  await history.close();
  expect(value).toEqual([]);
  expect(bytes).toBeLessThan(20 * MB);
  const { log, troubles } = await useAll(it);
  expect(log.map(({ id }) => id).slice(1)).toEqual(it.ids.toReversed());
  expect(troubles.join()).toContain("goes on from");
});

test("48: long messages, and whatever else a commit says, are cut when they are read", async () => {
  const it = await planted();
  let head = it.ids[2]!;
  for (let count = 0; count < 20; count++)
    head = forgeCommit(
      it.root,
      treeOf(it),
      head,
      `${count}${"b".repeat(1_000_000)}\n\nSurface: ${"c".repeat(500)}`,
    );
  setHead(it, head);
  const history = openAt(it.root, it.ledger);
  const value = await history.log({ limit: 100 });
  expect(value).toHaveLength(23);
  expect(value[0]).toMatchObject({ id: head, author: "Mallory", surface: "c".repeat(200) });
  for (const revision of value) expect(revision.message.length).toBeLessThanOrEqual(8000);
  await history.close();
});

test("48: trees that unfold to 1.8 million files touch nothing, and others get their turn", async () => {
  const it = await planted();
  const bomb = forgeCommit(it.root, forgeTrees(it.root, 122, 3), it.ids[2]!, "bomb");
  setHead(it, bomb);
  const history = openAt(it.root, it.ledger);
  const { value, turns } = await watched(() => history.log({ limit: 1 }));
  expect(value[0]).toMatchObject({ id: bomb, changes: [] });
  expect(turns).toBeGreaterThan(20);
  await history.close();
  const { log } = await useAll(it);
  expect(log.map(({ id }) => id).slice(-3)).toEqual(it.ids.toReversed());
});

test("48: a walk has one budget, whatever it walks through, and a small share for each commit", () => {
  const counted = (commits: number, trees: string[], entries: number): number => {
    const budget = walkBudget();
    let count = 0;
    for (let commit = 0; commit < commits; commit++) {
      budget.next();
      try {
        for (const tree of trees) {
          const counting = budget.enter(tree, 1);
          for (let entry = 0; entry < entries; entry++, count++) counting();
        }
      } catch {
        // The next commit has a share of its own.
      }
    }
    return count;
  };
  expect(counted(1, ["a"], 5_000_000)).toBe(4_000_100);
  expect(counted(1, ["a", "a", "a", "a"], 100_000)).toBe(300_100);
  expect(counted(10, ["a", "a"], 100_000)).toBeLessThan(1_202_000);
  expect(counted(60_000, ["a", "b"], 40)).toBe(60_000 * 80);
  expect(() => walkBudget().enter("a", 601)()).toThrow("without end");
});

test("48: a pending record that unfolds to more than 64 MB is refused before anything is copied", async () => {
  const it = await planted();
  const base = newObject("blob", Buffer.alloc(7 * MB));
  forge(it.root, "blob", base.body);
  const objects = Array.from({ length: 40 }, (_, at) =>
    newObject("blob", Buffer.concat([Buffer.of(at + 1), base.body.subarray(1)])),
  );
  const commit = newObject(
    "commit",
    encodeCommit({ tree: treeOf(it), parent: it.ids[2]!, author: IDENT, committer: IDENT, message: "bomb" }),
  );
  const list = [
    ...objects.map(({ id }) => ({
      kind: "blob",
      id,
      size: 1,
      like: { id: base.id, start: 0, end: 7 * MB - 1 },
    })),
    { kind: "commit", id: commit.id, size: commit.body.length },
  ];
  const record = Buffer.concat([
    Buffer.from(`${JSON.stringify(list)}\n`),
    ...objects.map(({ body }) => body.subarray(0, 1)),
    commit.body,
  ]);
  expect(record.length).toBeLessThan(10_000);
  fs.writeFileSync(it.at(`pending/00000001-${commit.id}`), record);
  const history = openAt(it.root, it.ledger);
  const { value, bytes } = await watched(() => history.log({ limit: 10 }));
  expect(value.map(({ id }) => id)).toEqual(it.ids.toReversed());
  expect(bytes).toBeLessThan(150 * MB);
  await history.close();
  const room = { left: 1000 };
  expect(await decodeRecord(record, async () => ({ kind: "blob", body: Buffer.from(base.body) }), room)).toBe(
    null,
  );
  expect((await useAll(it)).log.map(({ id }) => id).slice(1)).toEqual(it.ids.toReversed());
});

test("48: a chain of deltas has a budget of its own", async () => {
  const root = newFolder();
  const folder = join(root, HISTORY, "objects/pack");
  fs.mkdirSync(folder, { recursive: true });
  const body = Buffer.alloc(7 * MB);
  const { id } = newObject("blob", body);
  const size = (bytes: number): number[] =>
    bytes > 127 ? [(bytes & 127) | 128, ...size(bytes >> 7)] : [bytes];
  // Copies the whole of its base: nothing changes, seven megabytes each time.
  const delta = Buffer.from([...size(body.length), ...size(body.length), 0b1111_0000, 0, 0, 0x70]);
  const packed = deflateSync(delta);
  const base = body.length;
  const head = [(3 << 4) | (base & 15) | 128, ...size(base >> 4)];
  const pieces: Buffer[] = [Buffer.concat([Buffer.from(head), deflateSync(body)])];
  for (let count = 0; count < 4000; count++) {
    const back = pieces.at(-1)!.length;
    const distance = back < 128 ? [back] : [((back >> 7) - 1) | 128, back & 127];
    if (back >= 16_384) distance.unshift(((back >> 14) - 1) | 128);
    if (back >= 16_384) distance[1] = (((back >> 7) & 127) - 1) | 128;
    pieces.push(Buffer.concat([Buffer.from([(6 << 4) | delta.length, ...distance]), packed]));
  }
  const offsets = pieces.map(
    (_, at) => 12 + pieces.slice(0, at).reduce((sum, piece) => sum + piece.length, 0),
  );
  const name = `pack-${"ab".repeat(20)}`;
  fs.writeFileSync(
    join(folder, `${name}.pack`),
    Buffer.concat([Buffer.alloc(12), ...pieces, Buffer.alloc(20)]),
  );
  const packsAt = (offset: number) => {
    const index = Buffer.alloc(8 + 1024 + 28 + 40);
    index.writeUInt32BE(0xff744f63, 0);
    index.writeUInt32BE(2, 4);
    for (let first = parseInt(id.slice(0, 2), 16); first < 256; first++)
      index.writeUInt32BE(1, 8 + first * 4);
    index.write(id, 1032, "hex");
    index.writeUInt32BE(offset, 1032 + 24);
    fs.writeFileSync(join(folder, `${name}.idx`), index);
    return openPacks({ disk: openDisk(root), dir: HISTORY, durable: false });
  };
  const short = packsAt(offsets[3]!);
  expect((await short.readAnew(id))?.body.length).toBe(body.length);
  short.close();
  const long = packsAt(offsets.at(-1)!);
  expect(await long.readAnew(id)).toBe(null);
  long.close();
});

test("48: a cache is bounded by bytes", () => {
  const cache = cacheOf<number>(10);
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  cache.set("a", 3, 5);
  expect([cache.get("a"), cache.get("b")]).toEqual([3, 2]);
  cache.set("c", 4, 5);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([3, undefined, 4]);
  cache.set("d", 5, 11);
  expect([cache.get("a"), cache.get("c"), cache.get("d")]).toEqual([undefined, undefined, undefined]);
});

test("48: no commit of ours is larger than one may be, however many notes it moves", async () => {
  const root = newFolder();
  const ledger = await newLedger();
  const history = openAt(root, ledger);
  const vault = scribe(history);
  const name = (at: number, folder: string) => `${folder}/${"n".repeat(180)}${at}.md`;
  const all = Array.from({ length: 3000 }, (_, at) => at);
  await vault.change(
    "Ada",
    all.map((at) => ({ path: name(at, "a"), text: `${at}\n` })),
  );
  const moved = await vault.change(
    "Ada",
    all.map((at) => ({ path: name((at * 7) % 3001, "b"), from: name(at, "a"), text: `${at}\n` })),
  );
  await history.close();
  const other = openAt(root, await newLedger());
  expect((await other.log({ limit: 1 }))[0]).toEqual(moved);
  expect(moved!.changes.filter(({ from }) => from !== undefined).length).toBeGreaterThan(1500);
  const last = moved!.changes.find(({ from }) => from !== undefined)!;
  expect(await other.movedTo(last.from as NotePath)).toBe(last.path);
  await other.close();
});

test("48: what an object says of its size is held against it before it is unfolded", async () => {
  const root = newFolder();
  const repo = { disk: openDisk(root), dir: HISTORY, durable: false };
  const { id, body } = newObject("blob", Buffer.from("words"));
  const place = join(root, HISTORY, placeOf(id));
  fs.mkdirSync(dirname(place), { recursive: true });
  for (const [header, sound] of [
    ["blob 5\0", true],
    ["blob 4\0", false],
    ["blob 99999999\0", false],
    ["blob 999999999999\0", false],
    ["link 5\0", false],
  ] as const) {
    fs.writeFileSync(place, deflateSync(Buffer.concat([Buffer.from(header), body])));
    expect(await readLoose(repo, id)).toEqual(sound ? { kind: "blob", body: Buffer.from("words") } : null);
  }
});
