import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realCalls, type Calls } from "./calls.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { openDisk, type Disk } from "./files.ts";
import { blobId } from "./hash.ts";
import { isVaultFile } from "../notebook/vault-path.ts";

const LIMIT = 1000;
let place: string;
let root: string;

beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-files-")));
  root = join(place, "vault");
  fs.mkdirSync(join(root, "folder/deep"), { recursive: true });
  fs.writeFileSync(join(root, "folder/deep/note.md"), "hello\n");
  fs.mkdirSync(join(place, "vault-evil"));
  fs.writeFileSync(join(place, "vault-evil/secret.md"), "secret");
});
afterEach(() => fs.rmSync(place, { recursive: true, force: true }));

const utf8 = (text: string) => new TextEncoder().encode(text);
const plain = { mode: null, durable: true };
function codeFrom(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return codeOf(error) ?? String(error);
  }
  return undefined;
}

const handlesOpen = () => fs.readdirSync(fs.existsSync("/proc/self/fd") ? "/proc/self/fd" : "/dev/fd").length;

const WAYS: [string, Calls][] = [
  ["by handle", realCalls],
  ["by looking first", { ...realCalls, handles: false }],
];

describe.each(WAYS)("%s", (_, calls) => {
  let disk: Disk;
  beforeEach(() => {
    disk = openDisk(root, calls);
  });

  test("a file is read whole, with a stamp that changes when it does", () => {
    const first = disk.read("folder/deep/note.md", LIMIT)!;
    expect(Buffer.from(first.bytes).toString()).toBe("hello\n");
    expect(first).toMatchObject({ kind: "file", size: 6 });
    expect(disk.look("folder/deep/note.md")!.stamp).toBe(first.stamp);
    fs.writeFileSync(join(root, "folder/deep/note.md"), "other\n");
    fs.utimesSync(join(root, "folder/deep/note.md"), new Date(0), new Date(0));
    expect(disk.look("folder/deep/note.md")).toMatchObject({ size: 6, modified: new Date(0) });
    expect(disk.look("folder/deep/note.md")!.stamp).not.toBe(first.stamp);
  });

  test.each(["nothing.md", "no/folder/x.md", "folder", "folder/deep/note.md/x.md"])(
    "%s is no file",
    (path) => {
      expect(disk.read(path, LIMIT)).toBeNull();
    },
  );

  test("a sparse file of a gigabyte is refused by its size", () => {
    fs.writeFileSync(join(root, "big.md"), "");
    fs.truncateSync(join(root, "big.md"), 2 ** 30);
    let reads = 0;
    const counting = openDisk(root, { ...calls, read: (...values) => (reads++, calls.read(...values)) });
    expect(codeFrom(() => counting.read("big.md", LIMIT))).toBe("EFBIG");
    expect(reads).toBe(0);
    expect(disk.look("big.md")!.size).toBe(2 ** 30);
  });

  test.each([
    "../vault-evil/secret.md",
    "folder/../../vault-evil/secret.md",
    "/etc/passwd",
    "folder//deep",
    ".",
    "a\0b",
    "x/".repeat(200) + "y",
  ])("%j leads nowhere", (path) => {
    expect(codeFrom(() => disk.read(path, LIMIT))).toBe("EPATH");
    expect(codeFrom(() => disk.names(`${path}/x`))).toBe("EPATH");
    expect(codeFrom(() => disk.makeFolder(path, { durable: false }))).toBe("EPATH");
  });

  describe("symbolic links", () => {
    beforeEach(() => {
      fs.symlinkSync(join(place, "vault-evil/secret.md"), join(root, "file.md"));
      fs.symlinkSync("file.md", join(root, "chain.md"));
      fs.symlinkSync(join(place, "vault-evil/new.md"), join(root, "dangling.md"));
      fs.symlinkSync(join(place, "vault-evil"), join(root, "linked"));
      fs.symlinkSync(".", join(root, "folder/loop"));
    });

    test.each([
      "file.md",
      "chain.md",
      "dangling.md",
      "linked/secret.md",
      "linked/new/x.md",
      "folder/loop/deep/note.md",
    ])("%s is not read", (path) => expect(codeFrom(() => disk.read(path, LIMIT))).toBe("ELOOP"));

    test("nothing is made, moved or removed through them", () => {
      const before = fs.readdirSync(join(place, "vault-evil"));
      expect(codeFrom(() => disk.makeFolder("linked/new", { durable: true }))).toBe("ELOOP");
      expect(codeFrom(() => disk.create("linked/x.md", utf8("x"), plain))).toBe("ELOOP");
      expect(codeFrom(() => disk.create("dangling.md", utf8("x"), plain))).toBe("EEXIST");
      expect(codeFrom(() => disk.rename("folder/deep/note.md", "linked/x.md"))).toBe("ELOOP");
      expect(codeFrom(() => disk.rename("linked/secret.md", "x.md"))).toBe("ELOOP");
      expect(codeFrom(() => disk.link("linked/secret.md", "x.md"))).toBe("ELOOP");
      expect(codeFrom(() => disk.unlink("linked/secret.md"))).toBe("ELOOP");
      expect(fs.readdirSync(join(place, "vault-evil"))).toEqual(before);
      expect(fs.readFileSync(join(place, "vault-evil/secret.md"), "utf8")).toBe("secret");
    });

    test("they are told from files and folders", () => {
      expect(disk.names("")).toEqual({
        file: [],
        folder: ["folder"],
        link: expect.arrayContaining(["file.md", "chain.md", "dangling.md", "linked"]),
        other: [],
      });
      expect(disk.look("file.md")!.kind).toBe("link");
    });
  });

  test("a pipe and a socket named like notes are passed over, without waiting", async () => {
    execFileSync("mkfifo", [join(root, "pipe.md")]);
    const server = createServer().listen(join(root, "socket.md"));
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      expect(disk.read("pipe.md", LIMIT)).toBeNull();
      expect(disk.read("socket.md", LIMIT)).toBeNull();
      expect(disk.names("")!.other.toSorted()).toEqual(["pipe.md", "socket.md"]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test("creating is whole, does not overwrite, and keeps the mode it is given", () => {
    disk.create("new.md", utf8("text"), { mode: 0o640, durable: true });
    expect(fs.statSync(join(root, "new.md")).mode & 0o777).toBe(0o640);
    expect(codeFrom(() => disk.create("new.md", utf8("again"), plain))).toBe("EEXIST");
    expect(codeFrom(() => disk.link("folder/deep/note.md", "new.md"))).toBe("EEXIST");
    expect(fs.readFileSync(join(root, "new.md"), "utf8")).toBe("text");
  });

  test("what is created is flushed where that is asked, closed to others until it has its mode, and left", () => {
    const done: string[] = [];
    const told = openDisk(root, {
      ...calls,
      open: (path, flags, mode) => {
        if (path.endsWith(".md")) done.push(`open ${mode?.toString(8)}`);
        return calls.open(path, flags, mode);
      },
      fsync: (file) => (done.push("fsync"), calls.fsync(file)),
    });
    const before = handlesOpen();
    told.create("one.md", utf8("x"), { mode: 0o640, durable: true });
    told.create("two.md", utf8("x"), { mode: null, durable: false });
    expect(done).toEqual(["open 600", "fsync", "open 644"]);
    expect(handlesOpen()).toBe(before);
  });

  test("what is removed is told from what was not there", () => {
    expect(disk.unlink("folder/deep/note.md")).toBe(true);
    expect(disk.unlink("folder/deep/note.md")).toBe(false);
    expect(disk.unlink("nowhere/note.md")).toBe(false);
  });

  test("a path is as deep as it may be, and no deeper", () => {
    const deep = (depth: number) => `${"a/".repeat(depth - 1)}note.md`;
    expect(codeFrom(() => disk.look(deep(129)))).toBeUndefined();
    expect(codeFrom(() => disk.look(deep(130)))).toBe("EPATH");
  });

  test("a file that cannot be written whole is not left behind", () => {
    const full = openDisk(root, {
      ...calls,
      write(file, bytes, at) {
        if (at > 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        return calls.write(file, bytes.subarray(0, 3), 0);
      },
    });
    expect(codeFrom(() => full.create("new.md", utf8("a longer text"), plain))).toBe("ENOSPC");
    expect(fs.readdirSync(root)).toEqual(["folder"]);
  });

  test("short writes and short reads are continued", () => {
    const slow = openDisk(root, {
      ...calls,
      write: (file, bytes, at) => calls.write(file, bytes.subarray(0, at + 1), at),
      read: (file, into, at) => calls.read(file, into.subarray(0, at + 1), at),
    });
    slow.create("new.md", utf8("a longer text"), plain);
    expect(Buffer.from(slow.read("new.md", LIMIT)!.bytes).toString()).toBe("a longer text");
  });

  describe("while another program writes", () => {
    const path = "folder/deep/note.md";
    /** Told how often it has been read so far. */
    const disturbedBy = (write: (file: string, reads: number) => void): Disk => {
      let reads = 0;
      return openDisk(root, {
        ...calls,
        read(handle, into, at) {
          const count = calls.read(handle, into, at);
          write(join(root, path), reads++);
          return count;
        },
      });
    };

    test("bytes and stamp belong together", () => {
      const disturbed = disturbedBy((file, reads) => {
        if (reads === 0) fs.writeFileSync(file, "a longer text than before");
      });
      const found = disturbed.read(path, LIMIT)!;
      expect(Buffer.from(found.bytes).toString()).toBe("a longer text than before");
      expect(found.stamp).toBe(disk.look(path)!.stamp);
    });

    test("again and again, a file is busy, not half read", () => {
      let last = -1;
      const disturbed = disturbedBy((file, reads) => {
        last = reads;
        // Of the same size: only its time tells.
        fs.writeFileSync(file, `${reads % 10}ello\n`);
        fs.utimesSync(file, new Date((reads + 1) * 1000), new Date((reads + 1) * 1000));
      });
      expect(codeFrom(() => disturbed.read(path, LIMIT))).toBe("EBUSY");
      expect(last).toBe(3);
    });
  });

  test("a vault that is gone is not an empty one", () => {
    disk.present();
    fs.renameSync(root, `${root}-moved`);
    expect(codeFrom(() => disk.present())).toBe("ESTALE");
  });

  test("no handle stays open", () => {
    const before = handlesOpen();
    for (let round = 0; round < 50; round++) {
      disk.read("folder/deep/note.md", LIMIT);
      disk.read("folder/none/x.md", LIMIT);
      disk.lookAll("folder/deep", ["note.md", "x"]);
      codeFrom(() => disk.create("folder/deep/note.md", utf8(""), plain));
      codeFrom(() => disk.rename("folder/deep/none.md", "folder/x.md"));
      disk.sync("folder/deep");
    }
    expect(handlesOpen()).toBe(before);
  });
});

test.runIf(realCalls.handles)(
  "a folder swapped for a link between any two calls leads nowhere outside",
  () => {
    const evil = join(place, "vault-evil");
    const folder = join(root, "folder/deep");
    for (let at = 0; at < 30; at++) {
      let count = 0;
      const swapping =
        (call: (...values: any[]) => any) =>
        (...values: any[]) => {
          if (count++ === at) {
            fs.renameSync(folder, `${folder}-away`);
            fs.symlinkSync(evil, folder);
          }
          return call(...values);
        };
      const calls = Object.fromEntries(
        Object.entries(realCalls).map(([name, call]) => [
          name,
          typeof call === "function" ? swapping(call) : call,
        ]),
      ) as Calls;
      const disk = openDisk(root, calls);
      const codes = [
        codeFrom(() => disk.create("folder/deep/made.md", utf8("x"), plain)),
        codeFrom(() => expect(disk.read("folder/deep/secret.md", LIMIT)).toBeNull()),
        codeFrom(() => disk.unlink("folder/deep/secret.md")),
      ];
      for (const code of codes) expect([undefined, "ELOOP", "ENOENT"]).toContain(code);
      expect(fs.readdirSync(evil), `after ${at} calls: ${codes}`).toEqual(["secret.md"]);
      if (fs.lstatSync(folder).isSymbolicLink()) {
        fs.rmSync(folder);
        fs.renameSync(`${folder}-away`, folder);
      }
      fs.rmSync(join(folder, "made.md"), { force: true });
    }
  },
);

test.each([
  ["", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"],
  ["hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"],
])("the version of %j is its git blob id", (text, id) => {
  expect(blobId(utf8(text))).toBe(id);
});

test.each([
  [Object.assign(new Error("x"), { code: "EIO" }), "EIO"],
  [Object.assign(new Error("x"), { code: 5 }), undefined],
  [new Error("x"), undefined],
  [{ code: "EIO" }, undefined],
  ["EIO", undefined],
  [null, undefined],
])("the code of %j", (error, code) => {
  expect(codeOf(error)).toBe(code);
});

test("a note may lie as deep as our own folders leave room for", () => {
  const deep = (depth: number) => `${"a/".repeat(depth - 1)}note.md`;
  expect([isVaultFile(deep(125)), isVaultFile(deep(126))]).toEqual([true, false]);
});

describe("on other systems", () => {
  const { platform } = process;
  afterEach(() => void Object.defineProperty(process, "platform", { value: platform }));

  test.each(["folder\\note.md", "note.md:stream", "C:/note.md"])("%j is no path on Windows", (path) => {
    const disk = openDisk(root);
    expect(codeFrom(() => disk.look(path))).toBeUndefined();
    Object.defineProperty(process, "platform", { value: "win32" });
    expect(codeFrom(() => disk.look(path))).toBe("EPATH");
    expect(codeFrom(() => disk.look("folder/deep/note.md"))).toBeUndefined();
  });

  test("only Linux tells the kind of a disk", () => {
    expect(realCalls.diskType(root)).toEqual(platform === "linux" ? expect.any(Number) : null);
    Object.defineProperty(process, "platform", { value: "darwin" });
    expect(realCalls.diskType(root)).toBeNull();
  });
});
