/** Names that differ only in spelling: on a disk that tells them apart, and on one that does not. */

import { DatabaseSync } from "@photostructure/sqlite";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fillFolder } from "../../test/fill-folder.ts";
import { realCalls, type Calls } from "../disk/calls.ts";
import type { NotePath } from "../notebook/paths.ts";
import { notePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { put, refusalOf, storeVault } from "../notebook/suites/store-vault.ts";
import { describeStore } from "../notebook/suites/store.ts";
import type { NoteStore } from "../notebook/parts.ts";
import { openFolder } from "./folder.ts";

const openLock = (file: string) => new DatabaseSync(file);
let root: string;
let store: NoteStore;
const { apply, listed } = storeVault(() => store);
const write = (path: string, text: string) => {
  fs.mkdirSync(dirname(join(root, path)), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};
const read = (path: string) => fs.readFileSync(join(root, path), "utf8");
const open = async (calls: Calls) => {
  store = await openFolder(root, { openLock, calls });
};

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-names-")));
});
afterEach(async () => {
  await store?.close();
  fs.rmSync(root, { recursive: true });
});

describe("names on a disk that tells case and Unicode forms apart", () => {
  test("twins that are there stay listed, readable and writable", async () => {
    const twins = ["Note.md", "note.md", "caf\u00e9.md", "cafe\u0301.md"];
    for (const path of twins) write(path, path);
    await open(realCalls);
    expect(await listed()).toEqual(twins.toSorted());
    await apply(...twins.map((path) => put(path, `${path}, edited`)));
    for (const path of twins) {
      const bytes = (await store.read(path as NotePath))!.bytes;
      expect(new TextDecoder().decode(bytes)).toBe(`${path}, edited`);
    }
    const moved = put("Note.md", "x", { from: notePath("note.md") });
    expect(await refusalOf(apply(moved))).toBe("version_conflict");
  });
});

const folds = new Map<string, string>();
/** Remembered: a folder of thousands is gone through for every new name. */
const folded = (name: string): string => {
  let key = folds.get(name);
  if (key === undefined) folds.set(name, (key = fold(name)));
  return key;
};

/** The spelling under which a folding disk has a path. */
function spelled(path: string): string {
  if (path === "/" || fs.existsSync(path)) return path;
  const [folder, name] = [spelled(dirname(path)), basename(path)];
  const there = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const wanted = folded(name);
  return join(folder, there.find((other) => folded(other) === wanted) ?? name);
}

/** A disk that takes two spellings of one name for the same file, as those of a Mac and of Windows do. */
const folding: Calls = {
  ...realCalls,
  handles: false,
  spelling: spelled,
  open: (path, flags, mode) => realCalls.open(spelled(path), flags, mode),
  readdir: (path) => realCalls.readdir(spelled(path)),
  lstat: (path) => realCalls.lstat(spelled(path)),
  unlink: (path) => realCalls.unlink(spelled(path)),
  link: (from, to) => realCalls.link(spelled(from), spelled(to)),
  rename(from, to) {
    const same = realCalls.lstat(spelled(from))?.ino === realCalls.lstat(spelled(to))?.ino;
    realCalls.rename(spelled(from), same ? to : spelled(to));
  },
};

describeStore("the store in a folder, on a disk that folds names", async (given) => {
  const vault = fs.mkdtempSync(join(tmpdir(), "notewright-folding-"));
  fillFolder(vault, given);
  const store = await openFolder(vault, { openLock, durability: "fast", calls: folding });
  return { store, cleanup: async () => (await store.close(), fs.rmSync(vault, { recursive: true })) };
});

/** The same on Linux, where nothing tells but the disk itself: `.NOTEWRIGHT` answers. */
const foldingUntold: Calls = { ...folding, spelling: null };

describeStore("the store in a folder, on a Linux mount that folds names", async (given) => {
  const vault = fs.mkdtempSync(join(tmpdir(), "notewright-mount-"));
  fillFolder(vault, given);
  fs.mkdirSync(join(vault, ".notewright"));
  const store = await openFolder(vault, { openLock, durability: "fast", calls: foldingUntold });
  return { store, cleanup: async () => (await store.close(), fs.rmSync(vault, { recursive: true })) };
});

test("on a Linux mount that folds names a note answers to its own spelling only", async () => {
  write("Folder/Plan.md", "text");
  await open(foldingUntold);
  await apply(put("other.md", "x"));
  for (const path of ["folder/Plan.md", "Folder/plan.md", "FOLDER/PLAN.md"])
    expect(await store.read(notePath(path))).toBeNull();
  expect(await refusalOf(apply(put("Folder/plan.md", "twin")))).toBe("note_exists");
  write("Folder/New.md", "made a moment later");
  expect((await store.read(notePath("Folder/New.md")))!.size).toBe(19);
  await apply(put("Folder/plan.md", "text", { from: notePath("Folder/Plan.md") }));
  expect(fs.readdirSync(join(root, "Folder")).toSorted()).toEqual(["New.md", "plan.md"]);
});

describe("names on a disk that does not", () => {
  test.each(["text", "edited on the way"])("a note is respelled, with %j", async (text) => {
    write("folder/Plan.md", "text");
    await open(folding);
    const [stat] = await apply(put("folder/plan.md", text, { from: notePath("folder/Plan.md") }));
    expect(stat!.path).toBe("folder/plan.md");
    expect(fs.readdirSync(join(root, "folder"))).toEqual(["plan.md"]);
    expect(read("folder/plan.md")).toBe(text);
  });

  test("a twin is not made, and does not overwrite", async () => {
    write("Plan.md", "text");
    await open(folding);
    const twin = put("plan.md", "other", { expect: "absent" });
    expect(await refusalOf(apply(twin))).toBe("note_exists");
    expect(await refusalOf(apply(put("plan.md", "other")))).toBe("note_exists");
    expect(await store.read(notePath("plan.md"))).toBeNull();
    expect([fs.readdirSync(root).includes("plan.md"), read("Plan.md")]).toEqual([false, "text"]);
  });
});
