/** Pending revisions: seen by everybody at once, flushed later, by whoever comes by; and nothing false is ever put in. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDisk } from "../disk/files.ts";
import type { Draft } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { randomChange, randomOf, scribe } from "../notebook/suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { HISTORY, openGit, type GitHistory } from "./git.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

const A = "a.md" as NotePath;
const text = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);

function begin() {
  const root = fs.mkdtempSync(join(tmpdir(), "notewright-pending-"));
  made.push(root);
  const place = join(root, HISTORY);
  let turn: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    root,
    pending: () => fs.readdirSync(join(place, "pending")).toSorted(),
    pendingFile: (name: string) => join(place, "pending", name),
    ref: () => fs.readFileSync(join(place, "refs/heads/main"), "utf8").trim(),
    hasRef: () => fs.existsSync(join(place, "refs/heads/main")),
    /** A process of its own. One that is never closed has died. */
    open: async ({ flushing = true, idle = 600_000 } = {}): Promise<GitHistory> => {
      const history = openGit(openDisk(root), {
        ledger: openLedger(await openSql(":memory:")),
        durability: "fast",
        outsideAuthor: "someone",
        now: () => new Date(),
        ...(flushing ? { alone, idle } : {}),
      });
      // As a notebook does: a revision is made inside the lock.
      return { ...history, prepare: (changes, info) => inLock(alone, () => history.prepare(changes, info)) };
    },
    git: (...args: string[]) => execFileSync("git", [`--git-dir=${place}`, ...args], { encoding: "utf8" }),
  };
}

/** The lock is held from the beginning of a revision until it counts, or is dropped. */
const inLock = (alone: <T>(work: () => Promise<T>) => Promise<T>, prepare: () => Promise<Draft | null>) =>
  new Promise<Draft | null>((resolve, reject) => {
    alone(async () => {
      const draft = await prepare();
      if (!draft) return resolve(null);
      await new Promise<void>((free) =>
        resolve({ seal: () => draft.seal().finally(free), drop: () => (draft.drop(), free()) }),
      );
    }).catch(reject);
  });

function packedIn(root: string): number {
  const folder = join(root, HISTORY, "objects/pack");
  return fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(join(folder, name)).size, 0);
}

test("what is pending is one file, and every process sees it as if it were in", async () => {
  const it = begin();
  const one = await it.open();
  const vault = scribe(one);
  const first = await vault.write("Ada", "a.md", "one\n");
  const second = await vault.write("Grace", "a.md", "two\n");
  expect(it.pending().map((name) => name.slice(9))).toEqual([first!.id, second!.id]);
  expect(it.hasRef()).toBe(false);
  const other = await it.open({ flushing: false });
  for (const history of [one, other]) {
    expect(await history.log({ limit: 10 })).toEqual([second, first]);
    expect(text(await history.read(A, first!.id))).toBe("one\n");
    expect(text(await history.blob(second!.changes[0]!.version!))).toBe("two\n");
  }
  await one.flushRevisions();
  expect(it.pending()).toEqual([]);
  expect(it.ref()).toBe(second!.id);
  expect(it.git("fsck", "--full", "--strict")).toBe("");
  for (const history of [one, other]) {
    expect(await history.log({ limit: 10 })).toEqual([second, first]);
    expect(text(await history.read(A, first!.id))).toBe("one\n");
  }
  await other.close();
  await one.close();
});

test("what a process that died left pending is flushed by the next, under the names it was made", async () => {
  const it = begin();
  const dead = await it.open();
  const vault = scribe(dead);
  const first = await vault.write("Ada", "a.md", "one\n");
  const next = await it.open();
  const going = scribe(next);
  going.notes.set("a.md", vault.notes.get("a.md")!);
  const second = await going.write("Grace", "a.md", "two\n");
  expect(await next.log({ limit: 10 })).toEqual([second, first]);
  await next.close();
  expect(it.pending()).toEqual([]);
  expect(it.git("log", "--format=%an", "main").trim().split("\n")).toEqual(["Grace", "Ada"]);
});

test("closing flushes; so does a quiet moment; so does one too many", async () => {
  const it = begin();
  const history = await it.open({ idle: 100 });
  const vault = scribe(history);
  for (let count = 0; count < 32; count++) await vault.write("Ada", "a.md", `${count}\n`);
  const last = await vault.write("Ada", "a.md", "one too many\n");
  await history.flushRevisions();
  expect(it.ref()).toBe(last!.id);
  const quiet = await vault.write("Ada", "a.md", "quiet\n");
  await expect.poll(it.ref, { timeout: 30_000 }).toBe(quiet!.id);
  const closing = await vault.write("Ada", "a.md", "closing\n");
  await history.close();
  expect(it.ref()).toBe(closing!.id);
  expect(it.git("rev-list", "--count", "main").trim()).toBe("35");
  expect(it.git("fsck", "--full", "--strict")).toBe("");
});

test("two processes that take turns make one line of revisions", async () => {
  const it = begin();
  const both = [await it.open(), await it.open()];
  const vaults = both.map(scribe);
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    const [mine, theirs] = [vaults[count % 2]!, vaults[(count + 1) % 2]!];
    ids.unshift((await mine.write(`client ${count % 2}`, "a.md", `${count}\n`))!.id);
    theirs.notes.set("a.md", mine.notes.get("a.md")!);
    if (count % 5 === 4) await both[count % 2]!.flushRevisions();
  }
  for (const history of both) expect((await history.log({ limit: 20 })).map(({ id }) => id)).toEqual(ids);
  for (const history of both) await history.close();
  expect(it.git("rev-list", "main").trim().split("\n")).toEqual(ids);
});

test("what an earlier version left pending under another name counts once the next process records", async () => {
  const it = begin();
  const dead = await it.open();
  const vault = scribe(dead);
  const first = await vault.write("Ada", "a.md", "one\n");
  fs.renameSync(it.pendingFile(""), it.pendingFile("../owed"));
  const next = await it.open();
  const going = scribe(next);
  going.notes.set("a.md", vault.notes.get("a.md")!);
  const second = await going.write("Grace", "a.md", "two\n");
  expect(await next.log({ limit: 10 })).toEqual([second, first]);
  await next.close();
  expect(it.git("rev-list", "--count", "main").trim()).toBe("2");
});

test("a flush that was cut short after the ref is ended by the next, and doubles nothing", async () => {
  const it = begin();
  const history = await it.open();
  const vault = scribe(history);
  const only = await vault.write("Ada", "a.md", "one\n");
  const [name] = it.pending();
  const bytes = fs.readFileSync(it.pendingFile(name!));
  await history.close();
  fs.writeFileSync(it.pendingFile(name!), bytes);
  fs.writeFileSync(it.pendingFile(`${name!}.tmp`), "half");
  const next = await it.open();
  expect(await next.log({ limit: 10 })).toEqual([only]);
  const going = scribe(next);
  going.notes.set("a.md", vault.notes.get("a.md")!);
  await going.write("Ada", "a.md", "two\n");
  await next.close();
  expect(it.pending()).toEqual([]);
  expect(it.git("rev-list", "--count", "main").trim()).toBe("2");
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["cut short", (bytes) => bytes.subarray(0, bytes.length - 3)],
  ["longer", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
  ["changed in one letter", (bytes) => Buffer.from(bytes.toString("latin1").replace("one", "One"), "latin1")],
  ["empty", () => Buffer.alloc(0)],
  ["no list", () => Buffer.from('{"kind":"blob"}\n')],
  ["a list of nothing we know", () => Buffer.from('[{"kind":"tag","id":"x","size":-1}]\n')],
  [
    "a list of what is not there",
    () =>
      Buffer.from(
        JSON.stringify([
          { kind: "tree", id: "1".repeat(40), size: 0, like: { id: "2".repeat(40), start: 9, end: 9 } },
        ]) + "\n",
      ),
  ],
  ["far too large", () => Buffer.alloc(1024 * 1024, 120)],
])("a record that is %s does not count, and goes", async (_, damage) => {
  const it = begin();
  const dead = await it.open();
  await scribe(dead).write("Ada", "a.md", "one\n");
  const [name] = it.pending();
  fs.writeFileSync(it.pendingFile(name!), damage(fs.readFileSync(it.pendingFile(name!))));
  const next = await it.open();
  expect(await next.log({ limit: 10 })).toEqual([]);
  const made = await scribe(next).write("Grace", "b.md", "two\n");
  expect(await next.log({ limit: 10 })).toEqual([made]);
  await next.close();
  expect(it.pending()).toEqual([]);
  expect(it.git("fsck", "--full", "--strict")).toBe("");
});

test("of a note in a large folder only what changed is pending, not the folder; a large note is put in at once", async () => {
  const it = begin();
  const history = await it.open();
  const vault = scribe(history);
  const many = Array.from({ length: 3000 }, (_, at) => ({ path: `flat/note ${at}.md`, text: `${at}\n` }));
  await vault.change("Ada", many);
  expect(it.pending()).toEqual([]);
  await vault.write("Ada", "flat/note 1500.md", "edited\n");
  await vault.write("Ada", "flat/new.md", "new\n");
  const sizes = it.pending().map((name) => fs.statSync(it.pendingFile(name)).size);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThan(2000);
  const other = await it.open({ flushing: false });
  expect(text(await other.blob(vault.notes.get("flat/new.md")!.version))).toBe(null);
  expect(await other.log({ limit: 1 })).toEqual(await history.log({ limit: 1 }));
  expect(text(await other.blob(vault.notes.get("flat/new.md")!.version))).toBe("new\n");
  const large = await vault.write("Ada", "large.md", "x".repeat(100_000));
  expect(it.pending()).toEqual([]);
  expect(it.ref()).toBe(large!.id);
  await other.close();
  await history.close();
  expect(it.git("fsck", "--full", "--strict")).toBe("");
});

test("revisions of a large folder that are put in together hold its list once", async () => {
  const it = begin();
  const history = await it.open();
  const vault = scribe(history);
  const many = Array.from({ length: 2000 }, (_, at) => ({ path: `flat/note ${at}.md`, text: `${at}\n` }));
  await vault.change("Ada", many);
  const before = packedIn(it.root);
  for (let count = 0; count < 12; count++)
    await vault.write("Ada", `flat/note ${count * 150}.md`, "edited\n");
  expect(it.pending()).toHaveLength(12);
  await history.flushRevisions();
  // Names of nineteen bytes and ids of twenty, deflated.
  expect(packedIn(it.root) - before).toBeLessThan(2000 * 39);
  expect(it.git("fsck", "--full", "--strict")).toBe("");
  expect(it.git("show", "main~5:flat/note 900.md")).toBe("edited\n");
  const other = await it.open({ flushing: false });
  expect(await other.log({ limit: 13 })).toEqual(await history.log({ limit: 13 }));
  await other.close();
  await history.close();
});

test("a history in which everything is pending for a while is the one in which nothing is", async () => {
  const [late, prompt] = [begin(), begin()];
  const histories = [await late.open(), await prompt.open({ flushing: false })];
  const next = randomOf(7);
  const seeds = Array.from({ length: 60 }, () => next(1_000_000));
  for (const history of histories) {
    const vault = scribe(history);
    for (const [at, seed] of seeds.entries()) {
      await randomChange(vault, randomOf(seed));
      if (at % 23 === 22) await (history as Awaited<ReturnType<typeof late.open>>).flushRevisions();
    }
  }
  const ids = async (history: (typeof histories)[number]) =>
    (await history.log({ limit: 1000 })).map(({ message, changes }) => ({ message, changes }));
  expect(await ids(histories[0]!)).toEqual(await ids(histories[1]!));
  for (const history of histories) await history.close();
  expect(late.git("log", "--format=%T", "main")).toBe(prompt.git("log", "--format=%T", "main"));
});

test("the newest revision lacks a folder and old ones are still pending, as a power cut may leave it: the next process goes on", async () => {
  const it = begin();
  const one = await it.open();
  const vault = scribe(one);
  await vault.write("Ada", "a.md", "one\n");
  const second = await vault.write("Ada", "a.md", "two\n");
  const [, stale] = it.pending();
  const bytes = fs.readFileSync(it.pendingFile(stale!));
  await one.flushRevisions();
  await vault.write("Ada", "folder/b.md", "three\n");
  await one.close();
  const tree = it.git("rev-parse", "main^{tree}").trim();
  fs.rmSync(join(it.root, HISTORY, "objects", tree.slice(0, 2), tree.slice(2)));
  fs.writeFileSync(it.pendingFile(stale!), bytes);
  fs.writeFileSync(join(it.root, HISTORY, "refs/heads/main.lock"), "");

  const next = await it.open();
  // It has looked before it finds out.
  expect((await next.log({ limit: 1 }))[0]!.message).toContain("folder/b");
  const made = await scribe(next).write("Grace", "c.md", "four\n");
  expect(made).not.toBe(null);
  expect(next.troubles()).toEqual([
    `The newest revisions of the history were damaged; it goes on from ${second!.id.slice(0, 10)}.`,
  ]);
  await next.close();
  expect(it.pending()).toEqual([]);
  expect(it.ref()).toBe(made!.id);
  expect(fs.readdirSync(join(it.root, HISTORY, "refs/heads"))).toEqual(["main"]);
  expect(it.git("rev-parse", "main~1").trim()).toBe(second!.id);
  expect(it.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
});
