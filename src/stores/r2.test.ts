/** The store over a bucket by its suite, over a bucket that takes one write a second to a key, and in what only a bucket can do to it. */

import { describe, expect, test } from "vitest";
import { bucketWith, compareAll, memoryBucket, oncePerSecond } from "../../test/workerd/buckets.ts";
import { down, vault } from "../../test/workerd/store-vault.ts";
import { notePath } from "../notebook/paths.ts";
import { describeStore } from "../notebook/suites/store.ts";
import { put, refusalOf } from "../notebook/suites/store-vault.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import type { Bucket } from "./bucket.ts";
import { openR2, type R2Store } from "./r2.ts";

const opened = (bucket: Bucket, sql: Sql): R2Store =>
  openR2(bucket, sql, {
    workspace: "w",
    now: () => new Date(),
    seen: async () => true,
    later: () => undefined,
  });

describeStore("a bucket", async (given) => {
  const store = opened(await bucketWith(memoryBucket(), "w", given), await openSql(":memory:"));
  await compareAll(store);
  return { store, cleanup: () => store.close() };
});
describeStore("a bucket that takes one write a second to a key", async (given) => {
  const bucket = oncePerSecond(await bucketWith(memoryBucket(), "w", given));
  const store = opened(bucket, await openSql(":memory:"));
  await compareAll(store);
  return { store, cleanup: () => store.close() };
});

describe("in the bucket", () => {
  test("notes, what was removed and rules lie beside each other, with title, type, tags and time", async () => {
    const { store, apply, bucket } = await vault();
    await apply(put("a/One.md", "---\ntype: person\ntags: [x, y]\n---\n# Ünë\n\n#z\n"));
    await apply(put(".llm_bridges/knowledge_base/k/k.md", "rules"));
    const [trash] = await store.trashPlaces(["a/One.md"]);
    await apply({ path: notePath("a/One.md"), bytes: null, trash: trash! });
    expect([...bucket.objects.keys()]).toEqual(["w/rules/k/k.md", "w/trash/One.md"]);
    expect(bucket.objects.get("w/trash/One.md")!.metadata).toEqual({
      modified: "2023-11-14T22:13:20.000Z",
      title: "Ünë",
      type: "person",
      tags: "x,y,z",
    });
  });

  test("what is told beside a note is cut to 2 kB, never refused", async () => {
    const { apply, bucket } = await vault();
    await apply(
      put(
        "a.md",
        `---\ntags: [${"täg, ".repeat(9).slice(0, -2)}, ${"x".repeat(5000)}]\n---\n# ${"ü".repeat(1500)}\n`,
      ),
    );
    const told = Object.entries(bucket.objects.get("w/notes/a.md")!.metadata);
    const size = Buffer.byteLength(told.flat().join(""));
    expect(size).toBeLessThanOrEqual(2048);
    expect(size).toBeGreaterThan(1500);
    expect(told.flat().join("")).not.toContain("\ufffd");
  });

  test("a change of one note is one put, a read one get; a list asks for nothing", async () => {
    const { store, apply, calls } = await vault();
    await apply(put("a.md", "one"));
    expect(calls.splice(0)).toEqual(["put w/notes/a.md"]);
    await store.read(notePath("a.md"));
    expect(calls.splice(0)).toEqual(["get w/notes/a.md"]);
    for await (const _ of store.list()) expect(calls).toEqual([]);
  });
});

describe("one write a second", () => {
  test("changes that come too soon go in one put, and are read as they are meanwhile", async () => {
    const { store, apply, calls, textIn, text, later, pass } = await vault();
    for (let count = 0; count < 20; count++) await apply(put("a.md", `text ${count}`));
    expect(later.at(-1)).toBe(1100);
    expect(await text("a.md")).toBe("text 19");
    expect(textIn("w/notes/a.md")).toBe("text 0");
    pass(1100);
    calls.length = 0;
    expect(await store.flush()).toBe(true);
    expect(calls).toEqual(["put w/notes/a.md"]);
    expect(textIn("w/notes/a.md")).toBe("text 19");
  });

  test("an object that is opened again brings them in first", async () => {
    const { apply, textIn, pass, open, text } = await vault();
    await apply(put("a.md", "one"), put("b.md", "b"));
    await apply(put("a.md", "two"));
    pass(1100);
    const again = open();
    expect(await text("a.md", again)).toBe("two");
    await again.alone(async () => undefined);
    expect(textIn("w/notes/a.md")).toBe("two");
  });

  test("what another program wrote meanwhile is handed on, with what it was written over, and ours stays", async () => {
    const { store, apply, outside, textIn, pass, text } = await vault();
    const late: unknown[] = [];
    store.onLateEdit(async (edit) => {
      late.push({ ...edit, bytes: new TextDecoder().decode(edit.bytes) });
      return "copied";
    });
    await apply(put("a.md", "hello\n"));
    await apply(put("a.md", "ours"));
    await outside("a.md", "theirs");
    pass(1100);
    await store.flush();
    pass(1100);
    await store.flush();
    expect(late).toEqual([
      {
        path: "a.md",
        base: "ce013625030ba8dba906f756967f9e9ca394464a",
        bytes: "theirs",
        copy: expect.stringMatching(/^a \(conflict [0-9a-f]{7}\)\.md$/),
      },
    ]);
    expect([await text("a.md"), textIn("w/notes/a.md")]).toEqual(["ours", "ours"]);
  });

  test("while a change is under way nothing is handed on; what could not be merged stays in the bucket", async () => {
    const { store, apply, outside, textIn, pass, text } = await vault();
    const merges: string[] = [];
    let works = false;
    store.onLateEdit(async ({ bytes }) => {
      merges.push(new TextDecoder().decode(bytes));
      if (!works) throw new Error("The merge failed.");
      return "copied";
    });
    await apply(put("a.md", "hello\n"));
    await apply(put("a.md", "ours"));
    await outside("a.md", "theirs");
    pass(1100);
    await store.alone(async () => {
      merges.length = 0;
      await store.apply([put("a.md", "ours again"), put("b.md", "b")]);
      expect(merges).toEqual([]);
    });
    pass(2200);
    expect(await store.flush()).toBe(false);
    expect([merges, textIn("w/notes/a.md")]).toEqual([["theirs"], "theirs"]);
    expect(store.health.troubles()).toHaveLength(1);
    works = true;
    pass(4400);
    expect(await store.flush()).toBe(true);
    expect([merges, textIn("w/notes/a.md")]).toEqual([["theirs", "theirs"], "ours again"]);
    expect([await text("a.md"), store.health.troubles()]).toEqual(["ours again", []]);
  });
});

test("another program's text that a put meets is told, and taken as it is", async () => {
  const { apply, outside, pass, seen, text, textIn } = await vault();
  await apply(put("a.md", "one"));
  pass(1100);
  await outside("a.md", "theirs");
  expect(await refusalOf(apply(put("a.md", "two")))).toBe("version_conflict");
  expect([seen, await text("a.md"), textIn("w/notes/a.md")]).toEqual([["a.md"], "theirs", "theirs"]);
});

describe("a bucket that fails", () => {
  test("a put that is refused changes nothing; one that was done all the same counts", async () => {
    const { apply, failing, text, textIn, pass } = await vault();
    await apply(put("a.md", "one"));
    pass(1100);
    failing.set("put", down);
    expect(await refusalOf(apply(put("a.md", "two")))).toBe("disk_failed");
    expect(await text("a.md")).toBe("one");
    failing.set("put", async (done) => {
      await done();
      down();
    });
    await apply(put("a.md", "three"));
    failing.clear();
    expect([await text("a.md"), textIn("w/notes/a.md")]).toEqual(["three", "three"]);
  });

  test("where nobody knows how a put ended, that is looked up before anything else is done", async () => {
    const { apply, failing, store, seen, text } = await vault();
    failing.set("put", async (done) => {
      await done();
      failing.set("get", down);
      down();
    });
    expect(await refusalOf(apply(put("a.md", "one")))).toBe("disk_failed");
    expect(await refusalOf(apply(put("b.md", "b")))).toBe("disk_failed");
    failing.clear();
    await apply(put("b.md", "b"));
    expect(seen).toContain("a.md");
    expect([await text("a.md"), await text("b.md")]).toEqual(["one", "b"]);
    expect(await store.flush()).toBe(true);
  });

  test("several notes are decided before the first is put, and brought in later", async () => {
    const { apply, failing, text, textIn, store, later, pass } = await vault();
    await apply(put("a.md", "a"), put("b.md", "b"), put("c.md", "c"));
    pass(1100);
    failing.set("put", down);
    failing.set("delete", down);
    await apply(
      put("a.md", "new a"),
      { path: notePath("moved.md"), from: notePath("b.md"), bytes: new TextEncoder().encode("b") },
      { path: notePath("c.md"), bytes: null },
    );
    expect(await store.read(notePath("c.md"))).toBe(null);
    expect([await text("a.md"), await text("moved.md"), textIn("w/notes/a.md")]).toEqual(["new a", "b", "a"]);
    expect([store.health.troubles().length, later.length > 0]).toEqual([1, true]);
    failing.clear();
    pass(1100);
    expect(await store.flush()).toBe(true);
    expect([textIn("w/notes/a.md"), textIn("w/notes/moved.md"), textIn("w/notes/c.md")]).toEqual([
      "new a",
      "b",
      null,
    ]);
    expect(store.health.troubles()).toEqual([]);
  });
});

describe("another program", () => {
  test("what it puts there is found when it is read", async () => {
    const { apply, outside, store, seen, text, bucket } = await vault();
    await apply(put("a.md", "one"));
    const [before] = [await store.stat(notePath("a.md"))];
    await outside("a.md", "theirs");
    expect(await text("a.md")).toBe("theirs");
    expect((await store.stat(notePath("a.md")))!.stamp).not.toBe(before!.stamp);
    expect(seen).toEqual(["a.md"]);
    bucket.objects.delete("w/notes/a.md");
    expect(await store.read(notePath("a.md"))).toBe(null);
    expect(await store.stat(notePath("a.md"))).toBe(null);
  });

  test("what we write over what it put there is planned again from that", async () => {
    const { apply, outside, store, pass } = await vault();
    await apply(put("a.md", "one"));
    pass(1100);
    const { version } = (await store.read(notePath("a.md")))!;
    await outside("a.md", "theirs");
    await expect(apply(put("a.md", "two", { expect: version }))).rejects.toMatchObject({
      code: "version_conflict",
      details: { by: "store" },
    });
  });

  test("comparing the listing finds what came, changed and went, over several pages, and passes over what is no note", async () => {
    const { apply, outside, store, bucket, flushAll } = await vault();
    await apply(...Array.from({ length: 1500 }, (_, at) => put(`f/n${at}.md`, `${at}`)));
    await flushAll();
    await outside("f/n7.md", "changed");
    bucket.objects.delete("w/notes/f/n8.md");
    const how = { onlyIf: { etagDoesNotMatch: "*" }, customMetadata: {} } as const;
    for (const key of [
      "w/notes/new.md",
      "w/notes/.hidden/x.md",
      "w/attachments/f/pic.png",
      "other/notes/x.md",
      "w/rules/k.md",
    ])
      await bucket.put(key, new Uint8Array([65]), how);
    await compareAll(store);
    const paths: string[] = [];
    for await (const stats of store.list()) paths.push(...stats.notes.map(({ path }) => path));
    expect(paths.length).toBe(1500);
    expect([paths.includes("new.md"), paths.includes("f/n8.md")]).toEqual([true, false]);
    expect((await store.rules()).map(({ path }) => path)).toEqual([".llm_bridges/knowledge_base/k.md"]);
    expect((await store.stat(notePath("f/n7.md")))!.stamp).toBe(bucket.objects.get("w/notes/f/n7.md")!.etag);
  });

  test("a note that it changes just before we remove it stays", async () => {
    const { apply, outside, failing, store, text, seen } = await vault();
    await apply(put("a.md", "one"));
    failing.set("head", async (done) => {
      failing.clear();
      await outside("a.md", "theirs");
      return done();
    });
    await apply({ path: notePath("a.md"), bytes: null });
    expect(await text("a.md")).toBe("theirs");
    expect(seen).toContain("a.md");
    expect(await store.flush()).toBe(true);
  });
});
