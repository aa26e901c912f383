/** History never holds back a write: every call of a recording fails once, or is the last of its process, and nothing is lost. */

import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { realCalls, type Calls } from "../disk/calls.ts";
import { openDisk } from "../disk/files.ts";
import type { History, Ledger } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { noteOf, record, recordOutside, scribe, withLedger } from "../notebook/suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { openMemory } from "../stores/memory.ts";
import { HISTORY, openGit } from "./git.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
const NOTE = "folder/a.md" as NotePath;

/** The system's calls, of which those that change something are counted, and fail from one on: `once`, or for good. */
function failing() {
  let count = 0;
  let at = Infinity;
  let ends = Infinity;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => R, changes: (...args: A) => boolean = () => true) =>
    (...args: A): R => {
      if (changes(...args)) count++;
      if (count >= at && count < ends && changes(...args))
        throw Object.assign(new Error("no"), { code: "ENOSPC" });
      return call(...args);
    };
  const calls: Calls = {
    ...realCalls,
    open: counted(realCalls.open, (_, flags) => (flags & constants.O_CREAT) !== 0),
    write: counted(realCalls.write),
    rename: counted(realCalls.rename),
    mkdir: counted(realCalls.mkdir),
    unlink: counted(realCalls.unlink),
  };
  return {
    calls,
    count: () => count,
    failFrom(call: number, how: "once" | "for good") {
      at = count + call;
      ends = how === "once" ? at + 1 : Infinity;
    },
    heal: () => void (at = Infinity),
  };
}

async function start() {
  const root = mkdtempSync(join(tmpdir(), "notewright-unwritten-"));
  made.push(root);
  const ledger: Ledger = openLedger(await openSql(":memory:"));
  const disk = failing();
  const open = (calls: Calls, known: Ledger = ledger) =>
    withLedger(
      openGit(openDisk(root, calls), {
        ledger: known,
        durability: "full",
        outsideAuthor: "someone",
        now: () => new Date(),
      }),
      known,
    );
  const history = open(disk.calls);
  const vault = scribe(history);
  await vault.write("Ada", NOTE, "one");
  await vault.write("Ada", NOTE, "two");
  return { root, disk, ledger, history, vault, open };
}
type Started = Awaited<ReturnType<typeof start>>;

async function outcome({ root, open }: Started) {
  const history = open(realCalls, openLedger(await openSql(":memory:")));
  const log = (await history.log({ path: NOTE, limit: 100 })).toReversed();
  const texts = [];
  for (const { id } of log) texts.push(new TextDecoder().decode((await history.read(NOTE, id)) ?? undefined));
  await history.close();
  const git = (...args: string[]) =>
    execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, ...args], { encoding: "utf8" });
  expect(git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  expect(git("show", `HEAD:${NOTE}`)).toBe(texts.at(-1));
  expect(readdirSync(join(root, HISTORY, "tmp"))).toEqual([]);
  expect(readdirSync(join(root, HISTORY, "refs/heads"))).toEqual(["main"]);
  return { texts, authors: log.map(({ author }) => author) };
}

async function callsOfOneRecording(): Promise<number> {
  const { disk, vault, history } = await start();
  const before = disk.count();
  await vault.write("Ada", NOTE, "three");
  await history.close();
  return disk.count() - before;
}

/** Another process records that a client changed the note. */
const recordChange = (history: History, client: string, before: string, after: string) =>
  record(
    history,
    [{ path: NOTE, before: noteOf(NOTE, before), after: noteOf(NOTE, after), why: "asked" }],
    "Change",
    { client, surface: "s", tool: "t", connection: "c" },
    new Date(),
  );

describe("every call of a recording", async () => {
  const calls = Array.from({ length: await callsOfOneRecording() }, (_, at) => at + 1);
  test("is among these", () => expect(calls.length).toBeGreaterThan(10));

  test.each(calls)("fails once: call %i", async (call) => {
    const it = await start();
    it.disk.failFrom(call, "once");
    const third = await it.vault.write("Bob", NOTE, "three");
    it.disk.heal();
    if (third === null) expect(it.history.troubles().join()).toMatch(/ENOSPC.*1 revision is made up/);
    await it.vault.write("Cy", NOTE, "four");
    expect(it.history.troubles()).toEqual([]);
    await it.history.close();
    expect(await outcome(it)).toEqual({
      texts: ["one", "two", "three", "four"],
      authors: ["Ada", "Ada", "Bob", "Cy"],
    });
  });

  test.each(calls)("is the last of its process: call %i", async (call) => {
    const it = await start();
    it.disk.failFrom(call, "for good");
    const third = await it.vault.write("Bob", NOTE, "three");
    const next = it.open(realCalls);
    await recordChange(next, "Cy", "three", "four");
    await next.close();
    const { texts, authors } = await outcome(it);
    expect(texts).toEqual(["one", "two", "three", "four"]);
    expect(authors).toEqual(["Ada", "Ada", third === null ? "someone" : "Bob", "Cy"]);
  });
});

test("many unwritten revisions are made up in their order, and what others have recorded meanwhile is not undone", async () => {
  const it = await start();
  it.disk.failFrom(1, "for good");
  await it.vault.write("Bob", NOTE, "three");
  await it.vault.write("Cy", NOTE, "four");
  await it.vault.write("Dee", "other.md", "first");
  expect(it.history.troubles().join()).toMatch(/3 revisions are made up/);
  it.disk.heal();
  await it.vault.write("Eve", NOTE, "five");
  const authors = (await it.history.log({ limit: 10 })).map(({ author }) => author);
  expect(authors).toEqual(["Eve", "Dee", "Cy", "Bob", "Ada", "Ada"]);

  it.disk.failFrom(1, "for good");
  await it.vault.write("Fay", NOTE, "six");
  const other = it.open(realCalls);
  await recordChange(other, "Gil", "six", "seven");
  it.disk.heal();
  it.vault.outside(NOTE, "seven");
  await it.vault.write("Hal", NOTE, "eight");
  await other.close();
  await it.history.close();
  const { texts, authors: all } = await outcome(it);
  expect(texts).toEqual(["one", "two", "three", "four", "five", "six", "seven", "eight"]);
  expect(all).toEqual(["Ada", "Ada", "Bob", "Cy", "Eve", "someone", "Gil", "Hal"]);
});

test("a ledger that fails holds nothing back, and is caught up", async () => {
  const it = await start();
  const broken: Ledger = {
    ...it.ledger,
    add: () => {
      throw new Error("busy");
    },
  };
  await it.history.close();
  const history = openGit(openDisk(it.root, it.disk.calls), {
    ledger: broken,
    durability: "full",
    outsideAuthor: "someone",
    now: () => new Date(),
  });
  const vault = scribe(history);
  vault.notes.set(NOTE, noteOf(NOTE, "two"));
  it.disk.failFrom(1, "for good");
  expect(await vault.write("Bob", NOTE, "three")).toBe(null);
  it.disk.heal();
  const fourth = await vault.write("Cy", NOTE, "four");
  expect(it.ledger.head()).not.toBe(fourth!.id);
  const next = it.open(realCalls);
  const log = await next.log({ path: NOTE, limit: 2 });
  expect(log.map(({ author }) => author)).toEqual(["Cy", "Bob"]);
  await history.close();
  await next.close();
});

describe("a first recording", () => {
  const notes = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}.md`, `note ${at}`]));

  test("that is stopped leaves nothing half done, and is done the next time", async () => {
    const it = await start();
    const stopped = AbortSignal.abort();
    expect(await it.history.catchUp(openMemory(notes), new Date(), stopped)).toBe(null);
    expect(await it.history.log({ limit: 10 })).toHaveLength(2);
    expect(it.ledger.whole()).toBe(false);
    expect((await it.history.catchUp(openMemory({ ...notes, [NOTE]: "two" }), new Date()))!.touched).toBe(50);
    expect(it.ledger.whole()).toBe(true);
    expect(await it.history.catchUp(openMemory({}), new Date())).toBe(null);
    await it.history.close();
  });

  test("that fails says so", async () => {
    const it = await start();
    it.disk.failFrom(1, "for good");
    expect(await it.history.catchUp(openMemory(notes), new Date())).toBe(null);
    expect(it.history.troubles().join()).toMatch(
      /Not every note could be recorded as it was found \(ENOSPC\)/,
    );
    await it.history.close();
  });

  test("takes nothing back that was recorded while it read", async () => {
    const it = await start();
    const store = openMemory({ ...notes, [NOTE]: "two" });
    const read = store.read;
    // While it reads, one note is edited, one deleted and one moved through us, and one saved and one deleted by others.
    let once = false;
    store.read = async (path) => {
      const file = await read(path);
      if (path !== "n49.md" || once) return file;
      once = true;
      for (const name of ["n1.md", "n2.md", "n3.md"]) it.vault.outside(name, notes[name]!);
      await it.vault.write("Bob", "n1.md", "edited");
      await it.vault.remove("Bob", "n2.md");
      await it.vault.move("Bob", "n3.md", "moved.md");
      const current = await read("n4.md" as NotePath);
      await store.alone(() =>
        store.apply([
          { path: "n4.md" as NotePath, bytes: new TextEncoder().encode("saved"), expect: current!.version },
          { path: "n5.md" as NotePath, bytes: null },
        ]),
      );
      await recordOutside(
        it.history,
        [
          { path: "n4.md" as NotePath, after: noteOf("n4.md", "saved") },
          { path: "n5.md" as NotePath, after: null },
        ],
        new Date(),
      );
      return file;
    };
    await it.history.catchUp(store, new Date());
    const git = (...args: string[]) =>
      execFileSync("git", [`--git-dir=${join(it.root, HISTORY)}`, ...args], { encoding: "utf8" });
    const names = git("ls-tree", "--name-only", "-r", "HEAD").trimEnd().split("\n");
    expect(names).toHaveLength(50 - 2 + 1);
    expect(names).not.toContain("n2.md");
    expect(names).not.toContain("n3.md");
    expect(names).not.toContain("n5.md");
    expect(names).toContain("moved.md");
    expect(git("show", "HEAD:n1.md")).toBe("edited");
    expect(git("show", "HEAD:n4.md")).toBe("saved");
    expect(git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
    await it.history.close();
  });
});
