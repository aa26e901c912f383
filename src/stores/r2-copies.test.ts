/** Files that are no texts, in a bucket that fails, is full of other programs, or is cut short: none is lost, and none is written over. */

import { describe, expect, test } from "vitest";
import { bucketWith, compareAll, failingBucket, memoryBucket } from "../../test/workerd/buckets.ts";
import type { AttachmentPath, NotePath } from "../notebook/paths.ts";
import { put, refusalOf } from "../notebook/suites/store-vault.ts";
import { openSql } from "../sqlite/node.ts";
import { openR2 } from "./r2.ts";

const FILES = { "a.png": "picture a", "b.png": "picture b", "note.md": "![[a.png]]\n" };

const vault = async (given: Record<string, string> = FILES) => {
  const bucket = await bucketWith(memoryBucket(), "w", given);
  const { bucket: watched, calls, failing } = failingBucket(bucket);
  const sql = await openSql(":memory:");
  const seen: string[] = [];
  let passed = 0;
  const open = () =>
    openR2(watched, sql, {
      workspace: "w",
      now: () => new Date(Date.now() + passed),
      seen: async (paths) => seen.push(...paths) > 0,
      later: () => undefined,
    });
  const store = open();
  await compareAll(store);
  calls.length = 0;
  return {
    bucket,
    failing,
    calls,
    seen,
    open,
    store,
    pass: (ms: number) => void (passed += ms),
    inBucket: () =>
      Object.fromEntries(
        [...bucket.objects].map(([key, { bytes }]) => [key, new TextDecoder().decode(bytes)]),
      ),
    bytes: async (path: string, from = store) => {
      const file = await from.bytes(path as AttachmentPath, 1e6);
      return file && new TextDecoder().decode(file.bytes);
    },
    /** Moves files, with what else is put. */
    move: (pairs: Record<string, string>, ...more: ReturnType<typeof put>[]) =>
      store.alone(async () => {
        const puts = [];
        for (const [from, to] of Object.entries(pairs)) {
          const { bytes, version } = (await store.read(from as NotePath))!;
          puts.push({ path: to as NotePath, from: from as NotePath, bytes, expect: version });
        }
        return store.apply([...puts, ...more]);
      }),
    outside: async (path: string, text: string) => {
      bucket.objects.delete(`w/attachments/${path}`);
      await bucketWith(bucket, "w", { [path]: text });
    },
  };
};
const down = async () => {
  throw new Error("internal error (10001)");
};

test("a file is hashed once, when it is to be moved, and its bytes never come into rows", async () => {
  const { move, calls, store, inBucket } = await vault();
  await store.read("a.png" as NotePath);
  expect(calls.splice(0)).toEqual(["head w/attachments/a.png", "get w/attachments/a.png"]);
  await move({ "a.png": "x/a.png" });
  expect(calls).toEqual([
    "head w/attachments/a.png",
    "get w/attachments/a.png",
    "put w/attachments/x/a.png",
    "head w/attachments/a.png",
    "delete w/attachments/a.png",
  ]);
  expect(inBucket()).toEqual({
    "w/attachments/x/a.png": "picture a",
    "w/attachments/b.png": "picture b",
    "w/notes/note.md": "![[a.png]]\n",
  });
});

test("what its owner told beside it goes along", async () => {
  const { move, bucket } = await vault();
  bucket.objects.get("w/attachments/a.png")!.metadata = { camera: "x" };
  await move({ "a.png": "c.png" });
  expect(bucket.objects.get("w/attachments/c.png")!.metadata).toMatchObject({ camera: "x" });
});

describe("a bucket that fails", () => {
  test("a move is decided all the same, read from where its bytes lie, moved on, and brought in by who opens next", async () => {
    const { move, failing, bytes, inBucket, open, store } = await vault();
    failing.set("put", down);
    await move({ "a.png": "c.png" }, put("note.md", "![[c.png]]\n"));
    await move({ "c.png": "d.png", "b.png": "a.png" });
    expect([await bytes("d.png"), await bytes("a.png")]).toEqual(["picture a", "picture b"]);
    expect([await bytes("c.png"), await bytes("b.png"), store.health.troubles().length]).toEqual([
      null,
      null,
      1,
    ]);
    expect(inBucket()).toMatchObject({
      "w/attachments/a.png": "picture a",
      "w/attachments/b.png": "picture b",
    });
    failing.clear();
    const again = open();
    expect(await again.flush()).toBe(true);
    expect(inBucket()).toEqual({
      "w/attachments/a.png": "picture b",
      "w/attachments/d.png": "picture a",
      "w/notes/note.md": "![[c.png]]\n",
    });
    expect(await bytes("d.png", again)).toBe("picture a");
  });

  test("a copy that was done although it seemed to fail counts", async () => {
    const { move, failing, inBucket, store, pass } = await vault();
    failing.set("put", async (done) => {
      await done();
      return down();
    });
    await move({ "a.png": "c.png" });
    failing.clear();
    pass(1100);
    expect(await store.flush()).toBe(true);
    expect(Object.keys(inBucket()).toSorted()).toEqual([
      "w/attachments/b.png",
      "w/attachments/c.png",
      "w/notes/note.md",
    ]);
  });

  test("names that are swapped leave nothing behind, wherever that is cut short", async () => {
    for (let cut = 0; cut < 12; cut++) {
      const { move, failing, inBucket, open } = await vault();
      let count = 0;
      const cutting = async (done: () => Promise<unknown>) => (count++ < cut ? done() : down());
      for (const name of ["put", "delete"] as const) failing.set(name, cutting);
      await move({ "a.png": "b.png", "b.png": "a.png" });
      failing.clear();
      expect(await open().flush(), String(cut)).toBe(true);
      expect(inBucket(), String(cut)).toEqual({
        "w/attachments/a.png": "picture b",
        "w/attachments/b.png": "picture a",
        "w/notes/note.md": "![[a.png]]\n",
      });
    }
  });
});

describe("another program", () => {
  test("what it put in the place of a file that is on its way goes along, and stays", async () => {
    const { move, failing, outside, inBucket, store, bytes, seen, pass } = await vault();
    failing.set("put", down);
    await move({ "a.png": "c.png" });
    failing.clear();
    pass(1100);
    await outside("a.png", "theirs");
    expect(await store.flush()).toBe(true);
    expect(inBucket()).toMatchObject({ "w/attachments/a.png": "theirs", "w/attachments/c.png": "theirs" });
    expect([await bytes("a.png"), await bytes("c.png"), seen.includes("c.png")]).toEqual([
      "theirs",
      "theirs",
      true,
    ]);
  });

  test("what it put where a file was to come is kept beside it", async () => {
    const { move, failing, outside, inBucket, store, pass } = await vault();
    failing.set("put", down);
    await move({ "a.png": "c.png" });
    failing.clear();
    pass(1100);
    await outside("c.png", "theirs");
    await store.flush();
    expect(await store.flush()).toBe(true);
    const { "w/attachments/c.png": ours, ...rest } = inBucket();
    const [copy] = Object.entries(rest).filter(([key]) => key.includes("conflict"));
    expect([ours, copy]).toEqual([
      "picture a",
      [expect.stringMatching(/^w\/attachments\/c \(conflict [0-9a-f]{7}\)\.png$/), "theirs"],
    ]);
    expect(rest["w/attachments/a.png"]).toBeUndefined();
  });

  test("what it took away is gone, and nothing else", async () => {
    const { move, failing, bucket, store, bytes, pass } = await vault();
    failing.set("put", down);
    await move({ "a.png": "c.png" });
    failing.clear();
    pass(1100);
    bucket.objects.delete("w/attachments/a.png");
    expect(await store.flush()).toBe(true);
    expect([await bytes("c.png"), await bytes("b.png")]).toEqual([null, "picture b"]);
  });

  test("what it put where a swapped file steps aside is taken away, and the swap goes on", async () => {
    const { move, bucket, inBucket, store } = await vault();
    const tags = ["a", "b"].map((name) => bucket.objects.get(`w/attachments/${name}.png`)!.etag);
    for (const tag of tags) await bucketWith(bucket, "w", { [`.staged/${tag}`]: "theirs" });
    await move({ "a.png": "b.png", "b.png": "a.png" });
    for (let tries = 0; !(await store.flush()); tries++) expect(tries).toBeLessThan(3);
    expect(inBucket()).toMatchObject({
      "w/attachments/a.png": "picture b",
      "w/attachments/b.png": "picture a",
    });
    // One of both has stepped aside.
    expect(tags.filter((tag) => bucket.objects.has(`w/staged/${tag}`))).toHaveLength(1);
  });

  test("what it replaced is another version, hashed anew", async () => {
    const { outside, store, move } = await vault();
    const before = (await store.read("a.png" as NotePath))!;
    await outside("a.png", "theirs");
    const after = (await store.read("a.png" as NotePath))!;
    expect(after.version).not.toBe(before.version);
    await move({ "a.png": "c.png" });
    expect((await store.read("c.png" as NotePath))!.version).toBe(after.version);
  });
});

test("a file above the limit is refused by its size, alone and with its folder", async () => {
  const { bucket, store } = await vault({ "v/film.mp4": "x", "v/note.md": "" });
  const film = bucket.objects.get("w/attachments/v/film.mp4")!;
  Object.defineProperty(film, "bytes", { value: { length: 100_000_001 } });
  film.etag = "another";
  await compareAll(store);
  await expect(store.read("v/film.mp4" as NotePath)).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringContaining("files up to 100 MB are moved and deleted here"),
  });
  expect(await refusalOf(store.tree("v", 10))).toBe("too_large");
});
