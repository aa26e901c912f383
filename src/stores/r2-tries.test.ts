/** What a bucket did, and nobody heard of; what it does not take; how many calls are made at once; and what is looked up where an object was opened anew. */

import { describe, expect, test } from "vitest";
import { bucketWith, compareAll } from "../../test/workerd/buckets.ts";
import { down, vault } from "../../test/workerd/store-vault.ts";
import { notePath, type NotePath } from "../notebook/paths.ts";
import { put, refusalOf } from "../notebook/suites/store-vault.ts";

const MINUTE = 60_000;
type Vault = Awaited<ReturnType<typeof vault>>;

/** What is handed on as texts of other programs. */
const lateEdits = ({ store }: Vault): unknown[] => {
  const late: unknown[] = [];
  store.onLateEdit(async (edit) => (late.push(edit), "copied"));
  return late;
};

/** The next put is done, and its answer lost; then nothing of the bucket answers. */
const lostAnswer = ({ failing }: Vault): void => {
  const all = ["get", "head", "put", "delete", "list"] as const;
  failing.set("put", async (done) => {
    const made = done();
    for (const name of all) failing.set(name, down);
    await made;
    down();
  });
};
const up = ({ failing, pass }: Vault): void => {
  failing.clear();
  pass(10 * MINUTE);
};
const moveOf = (from: string, to: string, text: string) => ({
  path: notePath(to),
  from: notePath(from),
  bytes: new TextEncoder().encode(text),
});

describe("a put that was done, of which nobody heard, before the bucket was down for a while", () => {
  test.each(["by whoever put it", "by whoever opens the object next"])(
    "a note that is deleted stays deleted, %s",
    async (who) => {
      const it = await vault();
      const { apply, bucket, open } = it;
      lostAnswer(it);
      await apply(put("a.md", "a"), put("b.md", "b"));
      expect(bucket.objects.size).toBeGreaterThan(0);
      const store = who === "by whoever put it" ? it.store : open();
      await store.alone(() =>
        store.apply([
          { path: notePath("a.md"), bytes: null },
          { path: notePath("b.md"), bytes: null },
        ]),
      );
      up(it);
      await it.flushAll(store);
      await compareAll(store);
      expect([...bucket.objects.keys()]).toEqual([]);
      expect(await store.stat(notePath("a.md"))).toBe(null);
    },
  );

  test("a newer text of ours replaces it, and nothing is handed on as another program's", async () => {
    const it = await vault();
    const { apply, textIn, flushAll } = it;
    const late = lateEdits(it);
    lostAnswer(it);
    await apply(put("a.md", "first"), put("b.md", "b"));
    await apply(put("a.md", "second"));
    await apply(put("a.md", "third"));
    up(it);
    await flushAll();
    expect([late, textIn("w/notes/a.md"), textIn("w/notes/b.md")]).toEqual([[], "third", "b"]);
  });

  test("a note that is deleted and made anew is the new one", async () => {
    const it = await vault();
    const { apply, textIn, flushAll } = it;
    const late = lateEdits(it);
    lostAnswer(it);
    await apply(put("a.md", "first"), put("b.md", "b"));
    await apply({ path: notePath("a.md"), bytes: null });
    await apply(put("a.md", "new"));
    up(it);
    await flushAll();
    expect([late, textIn("w/notes/a.md")]).toEqual([[], "new"]);
  });

  test.each([
    ["and leaves nothing behind", {}],
    ["and another may take its place", { "d.png": "b.png" }],
  ])("a picture is moved on, %s", async (_, more) => {
    const it = await vault();
    const { bucket, apply, store, flushAll } = it;
    await bucketWith(bucket, "w", { "a.png": "picture", "d.png": "another" });
    await compareAll(store);
    const move = async (from: string, to: string) => {
      const { bytes } = (await store.read(from as NotePath))!;
      await apply({ path: to as NotePath, from: from as NotePath, bytes });
    };
    for (const path of ["a.png", "d.png"]) await store.read(path as NotePath);
    lostAnswer(it);
    it.failing.delete("head");
    const given = (await store.read("a.png" as NotePath))!;
    await apply({ path: "b.png" as NotePath, from: "a.png" as NotePath, bytes: given.bytes });
    await move("b.png", "c.png");
    for (const [from, to] of Object.entries(more)) {
      it.failing.delete("head");
      await move(from, to);
    }
    up(it);
    await flushAll();
    await compareAll(store);
    const other = "d.png" in more ? "w/attachments/b.png" : "w/attachments/d.png";
    expect([...bucket.objects.keys()].toSorted()).toEqual([other, "w/attachments/c.png"].toSorted());
    expect([it.textIn("w/attachments/c.png"), it.textIn(other)]).toEqual(["picture", "another"]);
  });

  test("what another program put there meanwhile stays, and is told", async () => {
    const it = await vault();
    const { apply, store, outside, text, seen, bucket, flushAll } = it;
    lostAnswer(it);
    await apply(put("a.md", "a"), put("b.md", "b"));
    await apply({ path: notePath("a.md"), bytes: null });
    bucket.objects.delete("w/notes/a.md");
    it.failing.clear();
    await bucketWith(bucket, "w", { "a.md": "theirs" });
    await outside("a.md", "theirs again");
    up(it);
    await flushAll();
    expect([await text("a.md"), seen.includes("a.md")]).toEqual(["theirs again", true]);
    expect(await store.flush()).toBe(true);
  });
});

describe("what the bucket does not take", () => {
  const refusing = async () => {
    const it = await vault();
    it.failing.set("put", down);
    await it.apply(put("a.md", "a"), put("b.md", "b"));
    return it;
  };
  /** Puts within so many minutes, called each second as alarms would at most. */
  const putsIn = async ({ calls, pass }: Vault, store: Vault["store"], minutes: number) => {
    calls.length = 0;
    for (let second = 0; second < minutes * 60; second++) {
      pass(1000);
      if (store.due() === 0) await store.flush();
    }
    return calls.filter((call) => call === "put w/notes/a.md").length;
  };

  test("is tried again each time later, up to ten minutes, also after the object was shut", async () => {
    const it = await refusing();
    expect(await putsIn(it, it.store, 60)).toBeLessThan(16);
    const again = it.open();
    expect(again.due()).toBe(0);
    await again.flush();
    expect(again.due()).toBeGreaterThan(9 * MINUTE);
    expect(it.later.at(-1)).toBeGreaterThan(9 * MINUTE);
    expect(await putsIn(it, again, 60)).toBeLessThan(8);
    expect(again.health.troubles()).toHaveLength(1);
    up(it);
    expect(await again.flush()).toBe(true);
    expect([again.due(), again.health.troubles(), it.textIn("w/notes/a.md")]).toEqual([null, [], "a"]);
    expect(it.sql.all("SELECT * FROM r2_tries UNION SELECT * FROM r2_left")).toEqual([]);
  });

  test("holds nothing else up", async () => {
    const it = await vault();
    it.failing.set("put", (done) =>
      it.calls.at(-1) === "put w/notes/refused.md" ? down() : (done() as Promise<unknown>),
    );
    await it.apply(put("refused.md", "x"), put("b.md", "b"));
    await it.apply(put("c.md", "c"));
    expect([it.textIn("w/notes/b.md"), it.textIn("w/notes/c.md")]).toEqual(["b", "c"]);
    expect(await it.text("refused.md")).toBe("x");
  });

  test("what another program put in the way and is too large to be read stays, and ours beside it", async () => {
    const it = await vault();
    const { apply, outside, pass, store, text, textIn, bucket, flushAll } = it;
    await apply(put("a.md", "one"));
    await apply(put("a.md", "two"));
    await outside("a.md", "x".repeat(8 * 1024 * 1024 + 1));
    for (let times = 0; times < 3; times++) {
      pass(10 * MINUTE);
      expect(await store.flush()).toBe(false);
    }
    expect(textIn("w/notes/a.md")).toHaveLength(8 * 1024 * 1024 + 1);
    expect([await text("a.md"), store.health.troubles().length]).toEqual(["two", 1]);
    bucket.objects.delete("w/notes/a.md");
    pass(10 * MINUTE);
    await flushAll();
    expect(textIn("w/notes/a.md")).toBe("two");
  });

  test("a key longer than R2 takes is refused before anything is done, alone and among several", async () => {
    const { apply, calls, store } = await vault();
    const long = `${"日本語".repeat(27)}/`.repeat(5) + "語.md";
    expect(long.length).toBeLessThan(1024);
    await expect(apply(put(long, "x"))).rejects.toMatchObject({
      code: "path_refused",
      message: expect.stringContaining("there is room for 1016. "),
      details: { path: notePath(long), limit: 1016 },
    });
    await apply(put("a.md", "a"), put("b.md", "b"));
    calls.length = 0;
    expect(await refusalOf(apply(put("a.md", "new"), put(long, "x")))).toBe("path_refused");
    expect(await refusalOf(apply(moveOf("a.md", long, "a"), put("b.md", "new")))).toBe("path_refused");
    expect(calls).toEqual([]);
    expect(store.due()).toBe(null);
    const fits = `${"x".repeat(250)}/`.repeat(4) + `${"y".repeat(9)}.md`;
    expect(`w/notes/${fits}`).toHaveLength(1024);
    await apply(put(fits, "x"));
  });
});

describe("many notes", () => {
  /** A folder of 800 notes, moved. */
  const moved = async () => {
    const it = await vault();
    const names = Array.from({ length: 800 }, (_, at) => `n${at}.md`);
    await it.apply(...names.map((name) => put(`old/${name}`, name)));
    await it.flushAll();
    it.calls.length = 0;
    await it.apply(...names.map((name) => moveOf(`old/${name}`, `new/${name}`, name)));
    return it;
  };

  test("a part is brought in with the call, the rest later, a part at a time", async () => {
    const it = await moved();
    expect(it.calls.length).toBeLessThanOrEqual(220);
    expect(it.calls.filter((call) => call.startsWith("get"))).toEqual([]);
    expect([it.store.due(), it.later.at(-1)]).toEqual([0, 0]);
    for (let done = false; !done;) {
      it.calls.length = 0;
      done = await it.store.flush();
      expect(it.calls.length).toBeLessThanOrEqual(220);
    }
    expect(it.bucket.objects.size).toBe(800);
    expect(it.textIn("w/notes/new/n7.md")).toBe("n7.md");
  });

  test("whoever opens the object next asks the bucket for none of them, and once the index has them nobody is told again", async () => {
    const it = await moved();
    await it.flushAll();
    it.calls.length = 0;
    const again = it.open();
    await again.flush();
    expect(it.calls).toEqual([]);
    expect(it.seen.length).toBe(1600);
    await again.close();
    it.seen.length = 0;
    await it.open().flush();
    expect([it.calls, it.seen]).toEqual([[], []]);
  });
});

test("a note that was put alone is looked up once by whoever opens the object next", async () => {
  const { apply, open, calls, pass } = await vault();
  await apply(put("a.md", "a"));
  pass(1100);
  calls.length = 0;
  const again = open();
  await again.flush();
  expect(calls).toEqual(["head w/notes/a.md"]);
  await again.close();
  await open().flush();
  expect(calls).toEqual(["head w/notes/a.md"]);
});
