/** Autosaves: an hour of them is a few revisions, whichever process makes them, and costs little. */

import * as fs from "node:fs";
import { memoryShelf } from "./proposals/shelf.ts";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, newLedger, openAt } from "../../test/planted-history.ts";
import { PLAIN } from "../../test/vault.ts";
import { openDisk } from "../disk/files.ts";
import { blobId } from "../disk/hash.ts";
import { openIndex } from "../index/note-index.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import { openMemory } from "../stores/memory.ts";
import { openBehind } from "./behind.ts";
import type { Change } from "./change.ts";
import { encodeText, noteOpener } from "./note.ts";
import { openOutside } from "./outside.ts";
import { TIMINGS } from "./pending-edits.ts";
import type { Parts } from "./parts.ts";
import type { FilePath, NotePath } from "./paths.ts";
import { noteOf, randomOf, record, who } from "./suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { openPendingEdits } from "../index/pending-edits.ts";
import { HISTORY, openGit } from "../history/git.ts";

const MINUTE = 60_000;

/** A vault in memory with its history on disk, any number of processes on it, and a clock that is set by hand. */
async function begin() {
  const root = newFolder();
  let time = Date.parse("2026-03-01T09:00:00Z");
  const now = () => new Date(time);
  const store = openMemory({}, now);
  const process = async () => {
    const sql = await openSql(":memory:");
    const ledger = openLedger(sql);
    ledger.setWhole(true);
    const edits = openPendingEdits(sql);
    const history = openGit(openDisk(root), {
      ledger,
      durability: "fast",
      outsideAuthor: "someone",
      now,
      alone: store.alone,
    });
    const parts: Parts = {
      ...PLAIN,
      store,
      index: openIndex(sql),
      history,
      pendingEdits: { edits, timings: TIMINGS },
      rules: ruleReader,
      now,
      timeZone: "UTC",
      random: () => "00000000",
      versionOf: blobId,
      openNote: noteOpener(),
      proposals: memoryShelf(),
    };
    const outside = openOutside({ parts, behind: openBehind(parts) }, () => undefined);
    const see = (...paths: string[]) =>
      store.alone(async () => {
        outside.pend(paths as FilePath[]);
        const seen = paths.map(async (path) => ({
          path: path as NotePath,
          after: await store.read(path as NotePath),
        }));
        await outside.saw(await Promise.all(seen));
      });
    const messages = async () => (await history.log({ limit: 1000 })).map(({ message }) => message);
    const close = async () => {
      await outside.close();
      await history.close();
    };
    return { history, outside, edits, see, messages, close };
  };
  /** Only inside `alone`. */
  const put = (path: string, text: string | null) =>
    store.apply([{ path: path as NotePath, bytes: text === null ? null : encodeText(text) }]);
  return {
    root,
    now,
    process,
    store,
    put,
    pass: (milliseconds: number) => void (time += milliseconds),
    save: (path: string, text: string | null) => store.alone(() => put(path, text)),
  };
}
type Vault = Awaited<ReturnType<typeof begin>>;
type Process = Awaited<ReturnType<Vault["process"]>>;

/** A note is there, recorded, as most are. */
async function withNote(vault: Vault, one: Process, path: string, text: string) {
  await vault.save(path, text);
  await one.see(path);
  vault.pass(10_000);
  await one.outside.flush("due");
}

test("saves are one revision once the note has been quiet for a minute, under the time of the last", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  for (let count = 1; count <= 30; count++) {
    vault.pass(2000);
    await vault.save("a.md", `${count}\n`);
    await one.see("a.md");
    await one.outside.flush("due");
  }
  const saved = vault.now();
  expect(await one.messages()).toEqual(["Added in another program: a"]);
  vault.pass(59_000);
  // Seen once more, and not changed: a sweep looks at what was saved just before it was read.
  await one.see("a.md");
  await one.outside.flush("due");
  expect(await one.messages()).toHaveLength(1);
  vault.pass(1000);
  await one.outside.flush("due");
  expect(await one.messages()).toEqual(["Edited in another program: a", "Added in another program: a"]);
  expect((await one.history.log({ limit: 1 }))[0]!.date).toEqual(saved);
  expect(one.edits.all()).toEqual([]);
  await one.close();
});

test("who never stops typing gets a revision each ten minutes", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  for (let count = 1; count <= 25 * 30; count++) {
    vault.pass(2000);
    await vault.save("a.md", `${count}\n`);
    await one.see("a.md");
    await one.outside.flush("due");
  }
  expect(await one.messages()).toHaveLength(3);
  await one.close();
  expect((await one.history.log({ limit: 9 })).length).toBe(4);
});

test("text that is typed and taken back is no revision; one that is taken away and put back is an edit", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  await vault.save("a.md", "typed\n");
  await one.see("a.md");
  await vault.save("a.md", "0\n");
  await one.see("a.md");
  expect(one.edits.all()).toEqual([]);
  await vault.save("a.md", null);
  await one.see("a.md");
  await vault.save("a.md", "1\n");
  vault.pass(5000);
  await one.outside.flush("due");
  expect(await one.messages()).toHaveLength(1);
  vault.pass(MINUTE);
  await one.outside.flush("due");
  expect((await one.messages())[0]).toBe("Edited in another program: a");
  await one.close();
});

test("before a change of ours what is pending is a revision of its own, and a late edit is never joined to it", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  await vault.save("a.md", "typed\n");
  await one.see("a.md");
  const recordOurs = (before: string, after: string) =>
    vault.store.alone(async () => {
      const change: Change = {
        path: "a.md" as NotePath,
        before: noteOf("a.md", before, vault.now()),
        after: noteOf("a.md", after),
        why: "asked",
      };
      await record(one.history, [change], "Ours", who("Ada"), vault.now());
      await vault.put("a.md", after);
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
  await one.outside.flush("due");
  expect([(await one.messages()).length, one.edits.all().length]).toEqual([5, 0]);
  await one.close();
});

test("two processes that both saw the saves make one revision of them, and what one left the other records", async () => {
  const vault = await begin();
  const [one, two] = [await vault.process(), await vault.process()];
  await withNote(vault, one, "a.md", "0\n");
  for (const each of [one, two]) {
    await vault.save("a.md", "typed\n");
    await each.see("a.md");
  }
  vault.pass(MINUTE);
  await Promise.all([one.outside.flush("due"), two.outside.flush("due")]);
  for (const each of [one, two])
    expect([await each.messages(), each.edits.all()]).toEqual([
      ["Edited in another program: a", "Added in another program: a"],
      [],
    ]);
  await vault.save("a.md", "left\n");
  await two.see("a.md");
  await two.close();
  expect((await one.messages()).length).toBe(3);
  await one.close();
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
  await vault.save("a.md", text());
  await one.see("a.md");
  vault.pass(10_000);
  await one.outside.flush("due");
  for (let count = 0; count < 1800; count++) {
    vault.pass(2000);
    words.splice(next(words.length), 1, word(), word());
    await vault.save("a.md", text());
    await one.see("a.md");
    await one.outside.flush("due");
  }
  await one.outside.flush("all");
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
  await one.close();
});

function bytesIn(folder: string): number {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    return sum + (entry.isFile() ? fs.statSync(join(entry.parentPath, entry.name)).size : 0);
  }, 0);
}

test("what waits for the lock when the notebook closes, or is begun after that, records nothing", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  await vault.save("new.md", "It came just now.\n");
  await one.see("new.md");
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = vault.store.alone(() => released);
  const waiting = one.outside.begin();
  const closing = one.outside.close();
  release();
  await Promise.all([held, waiting, closing]);
  await one.outside.begin();
  expect(one.edits.all().map(({ path }) => path)).toEqual(["new.md"]);
  expect(await one.messages()).toHaveLength(1);
  await one.history.close();
});

test("closing waits for what is being recorded", async () => {
  const vault = await begin();
  const one = await vault.process();
  await withNote(vault, one, "a.md", "0\n");
  await vault.save("new.md", "It came just now.\n");
  await one.see("new.md");
  vault.pass(10_000);
  let recorded = false;
  const recording = one.outside.flush("due").then(() => (recorded = true));
  await one.outside.close();
  expect(recorded).toBe(true);
  await recording;
  await one.history.close();
});
