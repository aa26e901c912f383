/** A journal as it is written and dropped, flush by flush, and as a reader looks for it. */

import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { realCalls } from "./calls.ts";
import { openDisk, type Disk } from "./files.ts";
import { machineOf, makeHome } from "./home.ts";
import { dropJournal, pendingLook, writeJournal } from "./journal.ts";

let root: string;
let disk: Disk;
let machine: string;
const write = (path: string, text: string) => {
  fs.mkdirSync(join(root, path, ".."), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};
const journal = (steps: unknown) =>
  write(`.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`, JSON.stringify({ format: 1, steps }));
const vault = () => fs.readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-pending-")));
  disk = openDisk(root);
  makeHome(disk);
  machine = machineOf(disk)!;
});
afterEach(() => fs.rmSync(root, { recursive: true }));

// Which file was flushed is asked of the kernel, where it tells.
const whereTold = test.runIf(realCalls.handles);

describe("writing a journal", () => {
  beforeEach(() => fs.mkdirSync(join(root, ".notewright/tmp")));

  const flushes = (durable: boolean) => {
    const done: string[] = [];
    const told = openDisk(root, {
      ...realCalls,
      fsync: (file) => (done.push(fs.readlinkSync(`/proc/self/fd/${file}`)), realCalls.fsync(file)),
    });
    const name = writeJournal(told, [], { durable, machine });
    const written = done
      .splice(0)
      .filter((path) => !path.endsWith(".tmp"))
      .map((path) => path.slice(root.length));
    dropJournal(told, name, { durable });
    return { written, dropped: done.map((path) => path.slice(root.length)) };
  };

  whereTold("is flushed where it comes from and where it goes, and so is its going; or not at all", () => {
    flushes(true);
    const folder = `/.notewright/journal/${machine}`;
    expect(flushes(true)).toEqual({ written: ["/.notewright/tmp", folder], dropped: [folder] });
    expect(flushes(false)).toEqual({ written: [], dropped: [] });
  });

  whereTold.each(["/.notewright/tmp", "/.notewright/journal/"])(
    "that cannot be flushed in %s leaves nothing",
    (where) => {
      writeJournal(disk, [], { durable: true, machine });
      const before = vault();
      const failing = openDisk(root, {
        ...realCalls,
        fsync: (file) => {
          const path = fs.readlinkSync(`/proc/self/fd/${file}`).slice(root.length);
          if (path.startsWith(where) && !path.endsWith(".tmp")) throw new Error("no flush");
          realCalls.fsync(file);
        },
      });
      expect(() => writeJournal(failing, [], { durable: true, machine })).toThrow("no flush");
      expect(vault()).toEqual(before);
    },
  );
});

describe("whether a change is pending", () => {
  const anHourLater = () => vi.useFakeTimers({ toFake: ["Date"] }).setSystemTime(Date.now() + 3_600_000);
  afterEach(() => void vi.useRealTimers());

  test("costs one call where nothing has changed, and is seen where something has", () => {
    let listed = 0;
    const pending = pendingLook(
      openDisk(root, { ...realCalls, readdir: (path) => (listed++, realCalls.readdir(path)) }),
    );
    expect([pending(), listed]).toEqual([false, 0]);
    journal([]);
    expect(pending()).toBe(true);
    anHourLater();
    expect(pending()).toBe(true);
    const before = listed;
    expect([pending(), pending(), listed]).toEqual([true, true, before]);
    fs.rmSync(join(root, `.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`));
    expect(pending()).toBe(false);
    expect(listed).toBeGreaterThan(before);
  });

  test.each([
    ["just now may change again in the same tick: it is listed each time", 0, false],
    ["long ago would show it", 3_600_000, true],
  ])("a folder that changed %s", (_, age, told) => {
    const changed = new Date(Date.now() - age);
    const still: Disk = {
      ...disk,
      stamp: () => "the same",
      look: (path) => ({ ...disk.look(path)!, changed, stamp: "the same" }),
    };
    journal([]);
    const pending = pendingLook(still);
    expect(pending()).toBe(true);
    fs.rmSync(join(root, `.notewright/journal/${machine}/${machine}-aaaaaaaaaaaa.json`));
    expect(pending()).toBe(told);
  });

  test("what stands in the way of looking is no change", () => {
    write(`.notewright/journal/${machine}`, "a file");
    expect(pendingLook(disk)()).toBe(false);
    const failing = openDisk(root, {
      ...realCalls,
      readdir: () => {
        throw new Error("no");
      },
    });
    fs.rmSync(join(root, ".notewright/journal"), { recursive: true });
    journal([]);
    expect([pendingLook(failing)(), pendingLook(disk)()]).toEqual([false, true]);
    expect(pendingLook({ ...disk, names: () => null })()).toBe(false);
  });
});
