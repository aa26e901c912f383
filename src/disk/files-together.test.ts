/** Several files and folders flushed together, folders kept open meanwhile, and what goes while it is looked at. */

import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { realCalls, type Calls } from "./calls.ts";
import { openDisk } from "./files.ts";

const LIMIT = 1000;
let root: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-together-")));
  fs.mkdirSync(join(root, "folder/deep"), { recursive: true });
  fs.writeFileSync(join(root, "folder/deep/note.md"), "hello\n");
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const handlesOpen = () => fs.readdirSync(fs.existsSync("/proc/self/fd") ? "/proc/self/fd" : "/dev/fd").length;

const WAYS: [string, Calls][] = [
  ["by handle", realCalls],
  ["by looking first", { ...realCalls, handles: false }],
];

describe.each(WAYS)("several folders, %s", (_, calls) => {
  function counting() {
    const flushed: number[] = [];
    const disk = openDisk(root, {
      ...calls,
      async fsyncAside(handle) {
        flushed.push(fs.fstatSync(handle).ino);
        await calls.fsyncAside(handle);
      },
    });
    return { disk, flushed };
  }

  test("are flushed together, each once, and left", async () => {
    const before = handlesOpen();
    const { disk, flushed } = counting();
    await disk.keepingFoldersOpen((held) => held.syncAll(["folder", "folder/deep", ""]));
    const inodes = ["folder", "folder/deep", ""].map((folder) => fs.statSync(join(root, folder)).ino);
    expect(flushed.toSorted()).toEqual(inodes.toSorted());
    expect(handlesOpen()).toBe(before);
  });

  test("one that is gone is told, and the others are left all the same", async () => {
    const before = handlesOpen();
    const { disk } = counting();
    await expect(disk.syncAll(["folder", "gone"])).rejects.toThrow("The folder is gone.");
    // The others may still be on their way to the disk.
    await vi.waitFor(() => expect(handlesOpen()).toBe(before), { timeout: 20_000, interval: 5 });
  });

  test("files are flushed together, each once; those that are gone are left out", async () => {
    const { disk, flushed } = counting();
    const before = handlesOpen();
    await disk.flush(["folder/deep/note.md", "folder/deep/gone.md", "gone/x.md", "folder/deep/note.md"]);
    expect(flushed).toEqual([fs.statSync(join(root, "folder/deep/note.md")).ino]);
    expect(handlesOpen()).toBe(before);
    const refusing = openDisk(root, {
      ...calls,
      open: (path, flags, mode) => {
        if ((flags & fs.constants.O_RDWR) !== 0) throw Object.assign(new Error("no"), { code: "EACCES" });
        return calls.open(path, flags, mode);
      },
    });
    await expect(refusing.flush(["folder/deep/note.md"])).rejects.toMatchObject({ code: "EACCES" });
  });

  test("a folder that goes while it is looked at is none", () => {
    const disk = openDisk(root, {
      ...calls,
      lstat: (path) => (/\/(?:\.|gone)$/.test(path) ? undefined : calls.lstat(path)),
    });
    fs.mkdirSync(join(root, "gone"));
    expect(disk.lookFolder("gone")).toBeNull();
    expect(openDisk(root, calls).lookFolder("folder")).toMatchObject({ kind: "folder" });
    expect(openDisk(root, calls).lookAll("nowhere", ["note.md"])).toEqual([]);
    expect(openDisk(root, calls).lookAll("folder/deep", ["note.md", "gone.md"])).toMatchObject([
      { name: "note.md", size: 6 },
    ]);
  });

  test("a folder reached through one that is open is the right one", async () => {
    fs.mkdirSync(join(root, "folder/other"));
    fs.writeFileSync(join(root, "folder/other/note.md"), "other\n");
    const texts = await openDisk(root, calls).keepingFoldersOpen(async (held) =>
      ["folder/deep/note.md", "folder/other/note.md", "folder/deep/note.md"].map((path) =>
        Buffer.from(held.read(path, LIMIT)!.bytes).toString(),
      ),
    );
    expect(texts).toEqual(["hello\n", "other\n", "hello\n"]);
  });
});
