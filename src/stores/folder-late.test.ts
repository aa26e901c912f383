/** Programs that write to a note's file after we replaced it, disks that are far away or fold names, and what a reader is told meanwhile. */

import { DatabaseSync } from "@photostructure/sqlite";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestFolder } from "../../test/faults/notebook.ts";
import { realCalls, type Calls } from "../disk/calls.ts";
import { openDisk } from "../disk/files.ts";
import { GUARD, isGuarding, keptName, sweepGuard } from "../disk/guard.ts";
import { blobId } from "../disk/hash.ts";
import { ageOf, machineOf, makeHome, newName, TEMPS } from "../disk/home.ts";
import { notePath } from "../notebook/paths.ts";
import { put, refusalOf } from "../notebook/suites/store-vault.ts";
import { openFolder } from "./folder.ts";

const BOOT = "/proc/sys/kernel/random/boot_id";
let root: string;
const write = (path: string, text: string, at = root) => {
  fs.mkdirSync(dirname(join(at, path)), { recursive: true });
  fs.writeFileSync(join(at, path), text);
};
const read = (path: string, at = root) => fs.readFileSync(join(at, path), "utf8");
const openLock = (file: string) => new DatabaseSync(file);
const bytes = (text: string) => new TextEncoder().encode(text);
const place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-late-")));
const newRoot = () => fs.mkdtempSync(join(place, "vault-"));

beforeEach(() => {
  root = newRoot();
});
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

/** A vault of its own, for tests that wait at the same time. */
const inVault = (work: (root: string) => Promise<void>) => () => work(newRoot());

/** A program that opened the note before we replaced it, and writes now. */
function lateWriter(root: string, path: string): { save(text: string): void } {
  const file = fs.openSync(join(root, path), "r+");
  return {
    save(text) {
      fs.ftruncateSync(file, 0);
      fs.writeSync(file, text, 0);
      fs.closeSync(file);
    },
  };
}

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !what(); tries++) await new Promise((done) => setTimeout(done, 25));
  expect(what()).toBe(true);
}
const guarded = (at = root) => (fs.existsSync(join(at, GUARD)) ? fs.readdirSync(join(at, GUARD)) : []);

// Each waits for as long as a replaced file is kept.
describe.concurrent("a program that saves in place after our rename", () => {
  test(
    "apart from our edit: both are in the note, and its text is a revision of its own",
    inVault(async (root) => {
      write("note.md", "first\nsecond\nthird\n", root);
      const { notebook, close } = await openTestFolder(root);
      const editor = lateWriter(root, "note.md");
      await notebook.edit([{ path: notePath("note.md"), edits: [(text) => `${text}ours\n`] }]);
      expect(guarded(root)).toHaveLength(1);
      editor.save("theirs\nsecond\nthird\n");
      await until(() => guarded(root).length === 0);
      expect(read("note.md", root)).toBe("theirs\nsecond\nthird\nours\n");
      const log = await notebook.log({ path: notePath("note.md"), limit: 10 });
      const texts = await Promise.all(
        log.map(({ id }) => notebook.read(notePath("note.md"), { revision: id })),
      );
      expect(texts.map(({ text }) => text)).toEqual([
        "theirs\nsecond\nthird\nours\n",
        "theirs\nsecond\nthird\n",
        "first\nsecond\nthird\nours\n",
        "first\nsecond\nthird\n",
      ]);
      expect(log[1]!.surface).toBe("outside");
      const found = await notebook.find({ words: "theirs" }, { limit: 5, sort: "path" });
      expect(found.notes.map(({ path }) => path)).toEqual(["note.md"]);
      await close();
    }),
  );

  test(
    "at the same place: ours stays, theirs is kept beside it, in the history and in the index",
    inVault(async (root) => {
      write("folder/note.md", "one\n", root);
      const { notebook, store, close } = await openTestFolder(root);
      const editor = lateWriter(root, "folder/note.md");
      await notebook.write(notePath("folder/note.md"), "ours\n");
      editor.save("theirs\n");
      await until(() => guarded(root).length === 0);
      const copy = `folder/note (conflict ${blobId(bytes("theirs\n")).slice(0, 7)}).md`;
      expect([read("folder/note.md", root), read(copy, root)]).toEqual(["ours\n", "theirs\n"]);
      expect(await notebook.log({ path: notePath(copy), limit: 5 })).toHaveLength(1);
      expect(await notebook.locate(copy.slice(0, -3))).toBe(copy);
      expect(store.health.troubles()).toEqual([expect.stringContaining(copy)]);
      await close();
    }),
  );

  test(
    "after the process that wrote has died: the next one finds it, also in a note it never saw",
    inVault(async (root) => {
      write("deep/er/note.md", "one\ntwo\nthree\n", root);
      const first = await openTestFolder(root);
      const editor = lateWriter(root, "deep/er/note.md");
      await first.notebook.edit([{ path: notePath("deep/er/note.md"), edits: [(text) => `${text}ours\n`] }]);
      await first.close();
      editor.save("theirs\ntwo\nthree\n");
      const second = await openTestFolder(root);
      await until(() => guarded(root).length === 0);
      expect(read("deep/er/note.md", root)).toBe("theirs\ntwo\nthree\nours\n");
      await second.close();
    }),
  );

  test(
    "to a note that we removed: its text comes back beside where it was",
    inVault(async (root) => {
      write("note.md", "one\n", root);
      const { notebook, close } = await openTestFolder(root);
      const editor = lateWriter(root, "note.md");
      await notebook.remove(notePath("note.md"), { trash: false });
      editor.save("theirs\n");
      await until(() => guarded(root).length === 0);
      expect(fs.readdirSync(root).filter((name) => name.endsWith(".md"))).toEqual([
        `note (conflict ${blobId(bytes("theirs\n")).slice(0, 7)}).md`,
      ]);
      await close();
    }),
  );

  test(
    "to a note that we only moved: it is written where it is now, and nothing is guarded",
    inVault(async (root) => {
      write("note.md", "one\n", root);
      const { notebook, close } = await openTestFolder(root);
      const editor = lateWriter(root, "note.md");
      await notebook.move([{ from: notePath("note.md"), to: notePath("moved.md") }]);
      editor.save("theirs\n");
      expect([guarded(root), read("moved.md", root)]).toEqual([[], "theirs\n"]);
      await close();
    }),
  );
});

describe("what is kept", () => {
  const made = (text: string, path = "note.md", machine?: string) => {
    const disk = openDisk(root);
    makeHome(disk);
    const temp = `${TEMPS}/${newName(disk, machine ?? machineOf(disk)!)}.tmp`;
    const name = keptName(disk, { temp, path, old: blobId(bytes(text)) });
    write(name, text);
    return { disk, name, machine: machineOf(disk)! };
  };

  test("stays while it is young, and is dropped when it is not", () => {
    const { disk, name, machine } = made("text");
    expect(sweepGuard(disk, machine, 60_000)).toEqual({ late: [], young: 1 });
    expect(fs.existsSync(join(root, name))).toBe(true);
    expect(sweepGuard(disk, machine, 0)).toEqual({ late: [], young: 0 });
    expect(guarded()).toEqual([]);
  });

  test("is never more than a thousand files, and the oldest go", async () => {
    const { disk, machine } = made("text");
    const make = (count: number) => Array.from({ length: count }, (_, at) => made("text", `${at}.md`).name);
    const oldest = make(10);
    await new Promise((resolve) => setTimeout(resolve, 20));
    make(1000);
    expect(sweepGuard(disk, machine, 60_000)).toEqual({ late: [], young: 1000 });
    expect(guarded()).toHaveLength(1000);
    expect(oldest.filter((name) => fs.existsSync(join(root, name)))).toEqual([]);
  });

  test("is told by its name; what anybody planted goes, what another copy of the vault keeps stays", () => {
    const { disk, machine } = made("text");
    const { name } = made("text", "note.md", "mother");
    write(`${GUARD}/planted`, "x");
    fs.symlinkSync(join(root, "note.md"), join(root, GUARD, "link"));
    expect(sweepGuard(disk, machine, 0)).toEqual({ late: [], young: 0 });
    expect(guarded()).toEqual([name.slice(GUARD.length + 1)]);
  });

  test("an emptied file holds nothing; one that outgrew every note is handed on unread", () => {
    const empty = made("text");
    fs.truncateSync(join(root, empty.name), 0);
    const large = made("text", "large.md");
    fs.truncateSync(join(root, large.name), 2 ** 30);
    const { late } = sweepGuard(empty.disk, empty.machine, 0);
    expect(late).toEqual([expect.objectContaining({ file: large.name, bytes: null })]);
  });

  test("is looked for only where something is kept, and told as doubtful after a new start of the machine", () => {
    const disk = openDisk(root);
    makeHome(disk);
    expect([isGuarding(disk), sweepGuard(disk, machineOf(disk)!, 0)]).toEqual([
      false,
      { late: [], young: 0 },
    ]);
    const { name, machine } = made("text");
    expect(isGuarding(disk)).toBe(true);
    write(name, "late");
    const older = name.replace(/[0-9a-f]{8}$/, "00000000");
    write(older, "late too");
    const late = sweepGuard(disk, machine, 0).late.map(({ file, doubtful }) => [file, doubtful]);
    expect(Object.fromEntries(late)).toEqual({ [name]: false, [older]: true });
    fs.rmSync(join(root, GUARD), { recursive: true });
    fs.mkdirSync(join(root, GUARD));
    expect(isGuarding(disk)).toBe(false);
    const failing = () => {
      throw new Error("no");
    };
    expect(isGuarding({ ...disk, names: failing })).toBe(false);
  });

  test.runIf(fs.existsSync(BOOT))("carries the mark of this start of the machine", () => {
    const start = createHash("sha1").update(fs.readFileSync(BOOT, "latin1")).digest("hex").slice(0, 8);
    expect(made("text").name.endsWith(`.${start}`)).toBe(true);
  });

  test("one that cannot be read now is looked at again; one that went meanwhile holds nothing", () => {
    const { disk, name, machine } = made("text");
    const busy = {
      ...disk,
      read: () => {
        throw Object.assign(new Error("busy"), { code: "EBUSY" });
      },
    };
    expect(sweepGuard(busy, machine, 0)).toEqual({ late: [], young: 0 });
    expect(guarded()).toEqual([name.slice(GUARD.length + 1)]);
    expect(sweepGuard({ ...disk, read: () => null }, machine, 0)).toEqual({ late: [], young: 0 });
    expect(guarded()).toEqual([]);
  });

  test("names tell their age, whatever is done to the clock", () => {
    const disk = openDisk(root);
    const name = newName(disk, "m1");
    expect(ageOf(name)).toBeLessThan(60_000);
    expect(new Set(Array.from({ length: 5000 }, () => newName(disk, "m1"))).size).toBe(5000);
  });
});

describe("a reader", () => {
  test("is told while a change of several notes is under way, and not otherwise", async () => {
    write("a.md", "a");
    write("b.md", "b");
    const writer = await openTestFolder(root);
    const reader = await openTestFolder(root);
    const peek = async () => (await reader.notebook.read(notePath("b.md"))).pendingOperation;
    expect(await peek()).toBeUndefined();
    await writer.store.alone(() => writer.store.apply([put("a.md", "A"), put("b.md", "B")]));
    expect(await peek()).toBeUndefined();
    const disk = openDisk(root);
    const machine = machineOf(disk)!;
    const journal = `.notewright/journal/${machine}/${newName(disk, machine)}.json`;
    write(journal, "{}");
    expect(await peek()).toBe(true);
    fs.unlinkSync(join(root, journal));
    expect(await peek()).toBeUndefined();
    await writer.close();
    await reader.close();
  });
});

describe("disks of other kinds", () => {
  const typed = (type: number): Calls => ({ ...realCalls, diskType: () => type });

  test("on a network disk one process writes, and the person is told", async () => {
    const first = await openFolder(root, { openLock, calls: typed(0x6969) });
    expect(first.health.troubles()).toEqual([expect.stringMatching(/network disk \(NFS\)/)]);
    await first.alone(() => first.apply([put("a.md", "one")]));
    await first.alone(() => first.apply([put("a.md", "two")]));
    const patience = { queue: 10, milliseconds: 30 };
    const second = await openFolder(root, { openLock, calls: typed(0x6969), patience });
    expect(await refusalOf(second.alone(async () => {}))).toBe("busy");
    expect((await second.read(notePath("a.md")))!.version).toBe(blobId(bytes("two")));
    await first.close();
    await second.alone(() => second.apply([put("a.md", "three")]));
    await second.close();
    expect(read("a.md")).toBe("three");
  });

  test("where it may be one, only the warning; on a local disk nothing; where the kernel does not say, nothing", async () => {
    const sayings = async (calls: Calls) => {
      const store = await openFolder(root, { openLock, calls });
      await store.close();
      return store.health.troubles();
    };
    expect(await sayings(typed(0x65735546))).toEqual([expect.stringContaining("may be a network disk")]);
    expect(await sayings(typed(0xef53))).toEqual([]);
    const refusing = () => {
      throw new Error("not here");
    };
    expect(await sayings({ ...realCalls, diskType: refusing })).toEqual([]);
  });
});
