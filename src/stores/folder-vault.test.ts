/** What a vault on a real disk can hold and do, beyond what every store must bear. */

import { DatabaseSync } from "@photostructure/sqlite";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realCalls, type Calls } from "../disk/calls.ts";
import { NoteError } from "../markdown/errors.ts";
import type { NoteStore, Put } from "../notebook/parts.ts";
import { notePath, type NotePath, type TrashPath } from "../notebook/paths.ts";
import { openFolder, type FolderOptions } from "./folder.ts";

let place: string;
let root: string;
const opened: NoteStore[] = [];
const openLock = (file: string) => new DatabaseSync(file);

beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-vault-")));
  root = join(place, "vault");
  fs.mkdirSync(root);
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  fs.rmSync(place, { recursive: true });
});

async function open(options: Partial<FolderOptions> = {}): Promise<NoteStore> {
  const store = await openFolder(root, { openLock, ...options });
  opened.push(store);
  return store;
}
const apply = (store: NoteStore, ...puts: Put[]) => store.alone(() => store.apply(puts));
const put = (path: string, text: string, more: Partial<Put> = {}): Put => ({
  path: path as NotePath,
  bytes: new TextEncoder().encode(text),
  ...more,
});
const write = (path: string, text: string) => {
  fs.mkdirSync(dirname(join(root, path)), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};
const read = (path: string) => fs.readFileSync(join(root, path), "utf8");
const listed = async (store: NoteStore) => {
  const paths: string[] = [];
  for await (const { notes } of store.list()) paths.push(...notes.map((stat) => stat.path));
  return paths.toSorted();
};
async function codeFrom(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no refusal";
  } catch (error) {
    if (!(error instanceof NoteError)) return `a defect: ${String(error)}`;
    expect(error.message).not.toContain(place);
    return error.code;
  }
}

describe("opening", () => {
  test.each<[string, () => string]>([
    ["a folder that is missing", () => join(place, "none")],
    ["a file", () => (fs.writeFileSync(join(place, "file"), ""), join(place, "file"))],
  ])("%s is refused", async (_, make) => {
    const wrong = make();
    expect(await codeFrom(openFolder(wrong, { openLock }))).toBe("input_refused");
  });

  test("the vault itself may be behind a link", async () => {
    fs.symlinkSync(root, join(place, "link"));
    const store = await openFolder(join(place, "link"), { openLock });
    opened.push(store);
    await apply(store, put("a.md", "text"));
    expect(read("a.md")).toBe("text");
  });

  test("nothing is written before the first change", async () => {
    write("a.md", "text");
    const store = await open();
    await store.read(notePath("a.md"));
    expect(await listed(store)).toEqual(["a.md"]);
    expect(fs.readdirSync(root)).toEqual(["a.md"]);
  });

  test("for reading only, nothing is ever written, and changes are refused", async () => {
    write("a.md", "text");
    const store = await open({ readOnly: true });
    expect(await codeFrom(apply(store, put("a.md", "other")))).toBe("read_only");
    expect(await codeFrom(store.apply([put("a.md", "other")]))).toBe("read_only");
    expect(new TextDecoder().decode((await store.read(notePath("a.md")))!.bytes)).toBe("text");
    expect(fs.readdirSync(root)).toEqual(["a.md"]);
  });

  test("a vault that goes away is an error, not an empty vault", async () => {
    write("a.md", "text");
    const store = await open();
    fs.renameSync(root, `${root}-away`);
    expect(await codeFrom(listed(store))).toBe("disk_failed");
    expect(await codeFrom(apply(store, put("b.md", "")))).toBe("disk_failed");
    expect(fs.existsSync(root)).toBe(false);
  });
});

describe("what is passed over", () => {
  test("hidden folders and files, links, pipes, and what is not Markdown", async () => {
    for (const path of [
      "a.md",
      "b/c.md",
      ".obsidian/x.md",
      "b/.git/x.md",
      ".hidden.md",
      "image.png",
      "x.MDX",
    ])
      write(path, "text");
    fs.symlinkSync(join(root, "a.md"), join(root, "link.md"));
    fs.symlinkSync(root, join(root, "b/loop"));
    fs.mkdirSync(join(root, "folder.md"));
    execFileSync("mkfifo", [join(root, "pipe.md")]);
    const store = await open();
    expect(await listed(store)).toEqual(["a.md", "b/c.md"]);
    expect((await store.folder(""))!.folders.toSorted()).toEqual(["b", "folder.md"]);
    expect(await store.folder(".obsidian")).toBeNull();
    expect(await store.read(notePath("pipe.md"))).toBeNull();
    expect(await store.read(notePath("folder.md"))).toBeNull();
    expect(await store.stat(notePath("link.md"))).toBeNull();
    for (const path of ["pipe.md", "folder.md"])
      expect(await codeFrom(apply(store, put(path, "x")))).toBe("path_refused");
  });

  test("links are neither read nor written through", async () => {
    fs.mkdirSync(join(place, "outside"));
    fs.writeFileSync(join(place, "outside/secret.md"), "secret");
    fs.symlinkSync(join(place, "outside"), join(root, "linked"));
    fs.symlinkSync(join(place, "outside/secret.md"), join(root, "secret.md"));
    fs.symlinkSync(join(place, "outside/new.md"), join(root, "dangling.md"));
    write("mine.md", "mine");
    const store = await open();
    const mine = notePath("mine.md");
    const trash = ".trash/mine.md" as TrashPath;
    for (const path of ["linked/secret.md", "secret.md", "dangling.md", "linked/deep/er/x.md"]) {
      if (path !== "dangling.md") expect(await codeFrom(store.read(notePath(path)))).toBe("path_refused");
      expect(await codeFrom(apply(store, put(path, "x")))).toBe("path_refused");
      expect(await codeFrom(apply(store, put(path, "mine", { from: mine })))).toBe("path_refused");
      expect(await codeFrom(apply(store, put("ok.md", "x"), put(path, "x")))).toBe("path_refused");
    }
    fs.symlinkSync(join(place, "outside"), join(root, ".trash"));
    expect(await codeFrom(apply(store, { path: mine, bytes: null, trash }))).toBe("path_refused");
    expect(fs.readdirSync(join(place, "outside"))).toEqual(["secret.md"]);
    expect(fs.readFileSync(join(place, "outside/secret.md"), "utf8")).toBe("secret");
    expect([read("mine.md"), fs.existsSync(join(root, "ok.md"))]).toEqual(["mine", false]);
  });

  test("a note too large to read is listed, and refused by its size", async () => {
    write("big.md", "");
    fs.truncateSync(join(root, "big.md"), 2 ** 30);
    const store = await open();
    expect(await listed(store)).toEqual(["big.md"]);
    expect(await codeFrom(store.read(notePath("big.md")))).toBe("too_large");
    expect(await codeFrom(apply(store, put("big.md", "small")))).toBe("too_large");
    expect((await store.stat(notePath("big.md")))!.size).toBe(2 ** 30);
  });
});

describe("what a write leaves as it was", () => {
  test("the mode of a note, through edits, moves and the trash; 0644 for a new one", async () => {
    const mode = (path: string) => fs.statSync(join(root, path)).mode & 0o777;
    write("secret.md", "text");
    fs.chmodSync(join(root, "secret.md"), 0o660);
    const store = await open();
    await apply(store, put("secret.md", "edited"), put("new.md", ""));
    expect([mode("secret.md"), mode("new.md")]).toEqual([0o660, 0o644 & ~process.umask()]);
    await apply(store, put("a/moved.md", "edited again", { from: notePath("secret.md") }));
    expect(mode("a/moved.md")).toBe(0o660);
    await apply(store, { path: notePath("a/moved.md"), bytes: null, trash: ".trash/moved.md" as TrashPath });
    expect(mode(".trash/moved.md")).toBe(0o660);
  });

  test("a file outside that shares its bytes by a hard link", async () => {
    fs.writeFileSync(join(place, "outside.md"), "shared");
    fs.linkSync(join(place, "outside.md"), join(root, "linked.md"));
    const store = await open();
    await apply(store, put("linked.md", "ours"));
    expect([read("linked.md"), fs.readFileSync(join(place, "outside.md"), "utf8")]).toEqual([
      "ours",
      "shared",
    ]);
  });

  test("a write-protected note", async () => {
    write("fixed.md", "text");
    fs.chmodSync(join(root, "fixed.md"), 0o444);
    const store = await open();
    expect(await codeFrom(apply(store, put("other.md", ""), put("fixed.md", "changed")))).toBe(
      "disk_refused",
    );
    expect(read("fixed.md")).toBe("text");
    expect(await listed(store)).toEqual(["fixed.md"]);
    await apply(store, put("moved.md", "text", { from: notePath("fixed.md") }));
    expect(read("moved.md")).toBe("text");
  });
});

/** Lets another program act just before the rename that puts our text in place. */
function disturbed(act: () => void): Calls {
  let done = false;
  return {
    ...realCalls,
    rename(from, to) {
      if (to.endsWith("/note.md") && !done) {
        done = true;
        act();
      }
      realCalls.rename(from, to);
    },
  };
}

describe("another program that writes meanwhile", () => {
  test("in place, between our last look and our rename: its text stays", async () => {
    write("note.md", "old");
    const store = await open({
      calls: disturbed(() => fs.writeFileSync(join(root, "note.md"), "theirs")),
    });
    expect(await codeFrom(apply(store, put("note.md", "ours")))).toBe("version_conflict");
    expect(read("note.md")).toBe("theirs");
    expect(fs.readdirSync(join(root, ".notewright/tmp"))).toEqual([]);
  });

  test("in the middle of a change of several notes: all of it is taken back", async () => {
    write("a.md", "old a");
    write("note.md", "old");
    const store = await open({
      calls: disturbed(() => fs.writeFileSync(join(root, "note.md"), "theirs")),
    });
    expect(
      await codeFrom(apply(store, put("a.md", "our a"), put("note.md", "ours"), put("z.md", "new"))),
    ).toBe("version_conflict");
    expect([read("a.md"), read("note.md"), await listed(store)]).toEqual([
      "old a",
      "theirs",
      ["a.md", "note.md"],
    ]);
    await apply(store, put("a.md", "again"));
    expect(store.health.troubles()).toEqual([]);
  });

  test("a note that appears while ours of that name is made is not overwritten", async () => {
    const store = await open({
      calls: {
        ...realCalls,
        link(from, to) {
          if (to.endsWith("/note.md")) fs.writeFileSync(join(root, "folder/note.md"), "theirs");
          realCalls.link(from, to);
        },
      },
    });
    expect(await codeFrom(apply(store, put("folder/note.md", "ours", { expect: "absent" })))).toBe(
      "version_conflict",
    );
    expect(read("folder/note.md")).toBe("theirs");
  });
});

test("a change that another process left unfinished is finished on opening; by a reader it is only told", async () => {
  write("a.md", "old a");
  write("b.md", "old b");
  let renames = 0;
  const dying = await open({
    calls: {
      ...realCalls,
      rename(from, to) {
        if (to.endsWith(".md") && ++renames > 1) throw new Error("died");
        realCalls.rename(from, to);
      },
      link(from, to) {
        if (renames > 1) throw new Error("died");
        realCalls.link(from, to);
      },
      unlink(path) {
        if (renames > 1) throw new Error("died");
        realCalls.unlink(path);
      },
    },
  });
  await expect(apply(dying, put("a.md", "new a"), put("b.md", "new b"))).rejects.toThrow("died");
  await dying.close();
  expect([read("a.md"), read("b.md")]).toEqual(["new a", "old b"]);

  const reader = await open({ readOnly: true });
  expect(reader.health.troubles()).toEqual([expect.stringContaining("cut short")]);
  expect(read("b.md")).toBe("old b");
  const writer = await open();
  expect([read("a.md"), read("b.md"), writer.health.troubles()]).toEqual(["new a", "new b", []]);
});
