/** The git history by its suite, and in what only git can say of it. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openDisk } from "../disk/files.ts";
import type { Ledger } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { describeHistory } from "../notebook/suites/history.ts";
import { noteOf, randomOf, record, scribe, who, withLedger } from "../notebook/suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { openMemory } from "../stores/memory.ts";
import { HISTORY, openGit } from "./git.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "notewright-history-"));
  made.push(folder);
  return folder;
}

const newLedger = async (): Promise<Ledger> => openLedger(await openSql(":memory:"));
const openAt = (root: string, ledger: Ledger) =>
  withLedger(
    openGit(openDisk(root), { ledger, durability: "fast", outsideAuthor: "someone", now: () => new Date() }),
    ledger,
  );

/** Plain git, as a person would use it on the history. */
const git = (root: string, ...args: string[]): string =>
  execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });

describeHistory("git", async () => {
  const root = newFolder();
  return {
    history: openAt(root, await newLedger()),
    again: async () => openAt(root, await newLedger()),
    store: openMemory,
  };
});

describe("plain git", () => {
  test("finds nothing wrong after many changes, and clones the notes to the byte", async () => {
    const root = newFolder();
    const history = openAt(root, await newLedger());
    const vault = scribe(history);
    const next = randomOf(3);
    const names = [
      "-rf.md",
      "--output=x.md",
      ":(top)x.md",
      "日本/ノート.md",
      "a b/c'd\".md",
      "a.md",
      "a/b.md",
      "a-b.md",
      "a/b/c.md",
      "a0.md",
    ];
    for (let round = 0; round < 300; round++) {
      const name = names[next(names.length)]!;
      const other = names[next(names.length)]!;
      if (!vault.notes.has(name)) await vault.write("Ada", name, `round ${round}\r\n\0\u00e9`);
      else if (next(4) === 0) await vault.remove("Ada", name);
      else if (!vault.notes.has(other)) await vault.move("Ada", name, other);
      else await vault.write("Bob <bob@x>\n", name, new Uint8Array([0xff, round & 255]));
      if (next(5) === 0) vault.outside(name, `outside ${round}`);
    }
    for (const name of names) await vault.write("Ada", name, `the end of ${name}`);
    expect(git(root, "fsck", "--full", "--strict")).toBe("");
    // One parent each: a line, however many wrote.
    const parents = git(root, "log", "--format=%P").trimEnd().split("\n");
    expect(parents.every((line) => /^[0-9a-f]{40}$|^$/.test(line))).toBe(true);
    const log = await history.log({ limit: 10_000 });
    expect(git(root, "log", "--format=%H %an").trimEnd().split("\n")).toEqual(
      log.map(({ id, author }) => `${id} ${author}`),
    );

    const clone = join(newFolder(), "clone");
    execFileSync("git", ["clone", "-q", join(root, HISTORY), clone]);
    for (const [name, note] of vault.notes)
      expect(readFileSync(join(clone, name))).toEqual(Buffer.from(note.bytes));
    const listed = execFileSync("git", ["-C", clone, "ls-files", "-z"], { encoding: "utf8" });
    expect(listed.split("\0").filter(Boolean).toSorted()).toEqual([...vault.notes.keys()].toSorted());
    await history.close();
  });

  test("a folder of ten thousand notes is recorded, and one more commit adds to it", async () => {
    const root = newFolder();
    const ledger = await newLedger();
    const history = openAt(root, ledger);
    const notes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`all/n${at}.md`, `note ${at}\n`]),
    );
    const first = await history.catchUp(openMemory(notes), new Date(1_700_000_000_000));
    expect(first!.touched).toBe(10_000);
    const vault = scribe(history);
    for (const [name, text] of Object.entries(notes)) vault.outside(name, text);
    await vault.write("Ada", "all/n77.md", "changed");
    await vault.write("Ada", "all/n77b.md", "new");
    expect(git(root, "fsck", "--full", "--strict")).toBe("");
    expect(git(root, "ls-tree", "-r", "--name-only", "HEAD").trimEnd().split("\n")).toHaveLength(10_001);
    expect(new TextDecoder().decode((await history.read("all/n77.md" as NotePath, first!.id))!)).toBe(
      "note 77\n",
    );
    // The notes themselves are in packs, not in ten thousand files.
    expect(git(root, "count-objects", "-v")).toMatch(/^count: (?:[0-9]|1[0-9])\n/);
    await history.close();
  });

  test("reads on, and goes on, after git has packed everything", async () => {
    const root = newFolder();
    const history = openAt(root, await newLedger());
    const vault = scribe(history);
    const ids: string[] = [];
    for (let round = 0; round < 40; round++) {
      const text = Array.from(
        { length: 200 },
        (_, line) => `line ${line === round ? "changed" : line}\n`,
      ).join("");
      ids.push((await vault.write("Ada", "folder/a.md", text))!.id);
    }
    git(root, "gc", "-q", "--aggressive", "--prune=now");
    expect(existsSync(join(root, HISTORY, "packed-refs"))).toBe(true);
    const other = openAt(root, await newLedger());
    for (const [round, id] of ids.entries()) {
      const bytes = await other.read("folder/a.md" as NotePath, id);
      expect(new TextDecoder().decode(bytes!)).toContain(
        `line ${round - 1}\nline changed\n`.slice(round ? 0 : 8),
      );
    }
    await vault.write("Ada", "folder/a.md", "the end");
    expect(git(root, "fsck", "--full", "--strict")).toBe("");
    expect(await other.log({ path: "folder/a.md" as NotePath, limit: 100 })).toHaveLength(41);
    await history.close();
    await other.close();
  });

  test("two processes that take turns, while git packs beside them, make one line", async () => {
    const root = newFolder();
    const ledgers = [await newLedger(), await newLedger()];
    const histories = ledgers.map((ledger) =>
      openGit(openDisk(root), {
        ledger,
        durability: "full",
        outsideAuthor: "someone",
        now: () => new Date(),
        looseLimit: 1,
      }),
    );
    const path = "folder/shared.md" as NotePath;
    let before = noteOf(path, "start");
    await record(
      histories[0]!,
      [{ path, before: null, after: before, why: "asked" }],
      "Begin",
      who("Ada"),
      new Date(),
    );
    const packing: Promise<boolean>[] = [];
    for (let round = 0; round < 60; round++) {
      const after = noteOf(path, `round ${round}`);
      const history = histories[round % 2]!;
      expect(
        await record(
          history,
          [{ path, before, after, why: "asked" }],
          "Go on",
          who(`c${round % 2}`),
          new Date(),
        ),
      ).not.toBe(null);
      before = after;
      if (round % 10 === 5) packing.push(history.tidy());
    }
    expect((await Promise.all(packing)).includes(true)).toBe(true);
    for (const history of histories) {
      const log = await history.log({ path, limit: 100 });
      expect(log.map(({ author }) => author).slice(0, 4)).toEqual(["c1", "c0", "c1", "c0"]);
      expect(log).toHaveLength(61);
      expect(new TextDecoder().decode((await history.read(path, log[50]!.id))!)).toBe("round 9");
      expect(history.troubles()).toEqual([]);
      await history.close();
    }
    expect(git(root, "fsck", "--full", "--strict", "--no-dangling")).toBe("");
  });
});
