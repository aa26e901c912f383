/** Autosaves: an hour of them is a few revisions, whichever process makes them, and costs little. */

import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, newLedger, openAt } from "../../test/planted-history.ts";
import { openDisk } from "../disk/files.ts";
import type { Change } from "../notebook/change.ts";
import type { Note } from "../notebook/note.ts";
import type { FilePath, NotePath } from "../notebook/paths.ts";
import { noteOf, randomOf, record, who } from "../notebook/suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { openPendingEdits } from "../index/pending-edits.ts";
import { HISTORY, openGit } from "./git.ts";

const MINUTE = 60_000;

/** A vault in memory with its history on disk, any number of processes on it, and a clock that is set by hand. */
async function begin() {
  const root = newFolder();
  const files = new Map<string, Note>();
  let time = Date.parse("2026-03-01T09:00:00Z");
  let turn: Promise<unknown> = Promise.resolve();
  const alone = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  const now = () => new Date(time);
  const process = async () => {
    const sql = await openSql(":memory:");
    const ledger = openLedger(sql);
    ledger.setWhole(true);
    const edits = openPendingEdits(sql);
    const history = openGit(openDisk(root), {
      ledger,
      pending: { edits, look: async (path) => files.get(path) ?? null },
      durability: "fast",
      outsideAuthor: "someone",
      now,
      alone,
    });
    const see = (...paths: string[]) =>
      alone(async () => {
        history.pend(paths as FilePath[], now());
        const seen = paths.map((path) => ({ path: path as NotePath, after: files.get(path) ?? null }));
        await history.recordOutside(seen, now());
      });
    const messages = async () => (await history.log({ limit: 1000 })).map(({ message }) => message);
    return { history, edits, see, messages };
  };
  return {
    root,
    files,
    now,
    process,
    alone,
    pass: (milliseconds: number) => void (time += milliseconds),
    save: (path: string, text: string | null) =>
      void (text === null ? files.delete(path) : files.set(path, noteOf(path, text, now()))),
  };
}
type Vault = Awaited<ReturnType<typeof begin>>;
type Process = Awaited<ReturnType<Vault["process"]>>;

/** A note is there, recorded, as most are. */
async function withNote(vault: Vault, one: Process, path: string, text: string) {
  vault.save(path, text);
  await one.see(path);
  vault.pass(10_000);
  await one.history.flushDue();
}

test("saves are one revision once the note has been quiet for a minute, under the time of the last", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  for (let count = 1; count <= 30; count++) {
    vault.pass(2000);
    vault.save("a.md", `${count}\n`);
    await one.see("a.md");
    await one.history.flushDue();
  }
  const saved = vault.now();
  expect(await one.messages()).toEqual(["Added in another program: a"]);
  vault.pass(59_000);
  // Seen once more, and not changed: a sweep looks at what was saved just before it was read.
  await one.see("a.md");
  await one.history.flushDue();
  expect(await one.messages()).toHaveLength(1);
  vault.pass(1000);
  await one.history.flushDue();
  expect(await one.messages()).toEqual(["Edited in another program: a", "Added in another program: a"]);
  expect((await one.history.log({ limit: 1 }))[0]!.date).toEqual(saved);
  expect(one.edits.all()).toEqual([]);
  await one.history.close();
});

test("who never stops typing gets a revision each ten minutes", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  for (let count = 1; count <= 25 * 30; count++) {
    vault.pass(2000);
    vault.save("a.md", `${count}\n`);
    await one.see("a.md");
    await one.history.flushDue();
  }
  expect(await one.messages()).toHaveLength(3);
  await one.history.close();
  expect((await one.history.log({ limit: 9 })).length).toBe(4);
});

test("text that is typed and taken back is no revision; one that is taken away and put back is an edit", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  vault.save("a.md", "typed\n");
  await one.see("a.md");
  vault.save("a.md", "0\n");
  await one.see("a.md");
  expect(one.edits.all()).toEqual([]);
  vault.save("a.md", null);
  await one.see("a.md");
  vault.save("a.md", "1\n");
  vault.pass(5000);
  await one.history.flushDue();
  expect(await one.messages()).toHaveLength(1);
  vault.pass(MINUTE);
  await one.history.flushDue();
  expect((await one.messages())[0]).toBe("Edited in another program: a");
  await one.history.close();
});

test("before a change of ours what is pending is a revision of its own, and a late edit is never joined to it", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  vault.save("a.md", "typed\n");
  await one.see("a.md");
  const recordOurs = (before: string, after: string) =>
    vault.alone(async () => {
      const change: Change = {
        path: "a.md" as NotePath,
        before: noteOf("a.md", before, vault.now()),
        after: noteOf("a.md", after),
        why: "asked",
      };
      await record(one.history, [change], "Ours", who("Ada"), vault.now());
      vault.save("a.md", after);
    });
  await recordOurs("typed\n", "ours\n");
  await recordOurs("late\n", "merged\n");
  expect(await one.messages()).toEqual([
    "Ours",
    "Edited in another program: a",
    "Ours",
    "Edited in another program: a",
    "Added in another program: a",
  ]);
  vault.pass(MINUTE);
  await one.history.flushDue();
  expect([(await one.messages()).length, one.edits.all().length]).toEqual([5, 0]);
  await one.history.close();
});

test("two processes that both saw the saves make one revision of them, and what one left the other records", async () => {
  const vault = await begin();
  const [one, two] = [await vault.process(), await vault.process()];
  await withNote(vault, one, "a.md", "0\n");
  for (const each of [one, two]) {
    vault.save("a.md", "typed\n");
    await each.see("a.md");
  }
  vault.pass(MINUTE);
  await Promise.all([one.history.flushDue(), two.history.flushDue()]);
  for (const each of [one, two])
    expect([await each.messages(), each.edits.all()]).toEqual([
      ["Edited in another program: a", "Added in another program: a"],
      [],
    ]);
  vault.save("a.md", "left\n");
  await two.see("a.md");
  await two.history.close();
  expect((await one.messages()).length).toBe(3);
  await one.history.close();
});

test("an hour of autosaves of a 100 kB note costs five times the note at most, and twice once packed", async () => {
  const vault = await begin();
  const one = await vault.process();
  const next = randomOf(7);
  const word = () => Array.from({ length: 2 + next(8) }, () => String.fromCharCode(97 + next(26))).join("");
  const known = Array.from({ length: 3000 }, word);
  const words = Array.from({ length: 16_000 }, () => known[next(known.length)]!);
  const text = () => `${words.join(" ")}\n`;
  const size = text().length;
  expect(size).toBeGreaterThan(95_000);
  vault.save("a.md", text());
  await one.see("a.md");
  vault.pass(10_000);
  await one.history.flushDue();
  for (let count = 0; count < 1800; count++) {
    vault.pass(2000);
    words.splice(next(words.length), 1, word(), word());
    vault.save("a.md", text());
    await one.see("a.md");
    await one.history.flushDue();
  }
  await one.history.flush();
  await one.history.flushRevisions();
  const loose = bytesIn(join(vault.root, HISTORY));
  const packer = openAt(vault.root, await newLedger());
  expect(await packer.tidy()).toBe(true);
  await packer.close();
  const packed = bytesIn(join(vault.root, HISTORY));
  expect((await one.messages()).length).toBeLessThan(9);
  expect([loose / size, packed / size].map((share) => Math.round(share * 10) / 10)).toSatisfy(
    ([unpacked, small]: number[]) => unpacked! <= 5 && small! <= 2,
  );
  await one.history.close();
});

function bytesIn(folder: string): number {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    return sum + (entry.isFile() ? fs.statSync(join(entry.parentPath, entry.name)).size : 0);
  }, 0);
}
