/** Notes that could not be read when the index wanted them: they are read again, and nobody is told meanwhile that nothing is there. */

import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { unindexed } from "../../test/vault.ts";
import { realCalls, type Calls } from "../disk/calls.ts";
import { openIndex } from "../index/note-index.ts";
import { NoteError, type Code } from "../markdown/errors.ts";
import { lockOpener, openSql } from "../sqlite/node.ts";
import { openFolder } from "../stores/folder.ts";
import { openMemory } from "../stores/memory.ts";
import type { OpenNotebook } from "./notebook.ts";
import { encodeText } from "./note.ts";
import { notePath, type LinkedPath } from "./paths.ts";

const [A, B] = [notePath("a.md"), notePath("b.md")];
const WHO = { client: "c", surface: "native", tool: "t", connection: "" };

/** A notebook over notes in memory, of which some cannot be read for as long as they stand in `failing`. */
const failingVault = async (notes: Record<string, string>) => {
  const store = openMemory(notes, () => new Date(0));
  const index = openIndex(await openSql(":memory:"));
  const failing = new Map<string, Code>();
  const reads: string[] = [];
  const notebook = unindexed({}, index, {
    store: {
      ...store,
      async read(path) {
        reads.push(path);
        const code = failing.get(path);
        if (code) throw new NoteError(code, "It failed.", { path });
        return store.read(path);
      },
    },
  });
  const put = (path: LinkedPath, text: string) =>
    store.alone(() => store.apply([{ path: path as never, bytes: encodeText(text) }]));
  return { notebook, index, failing, reads, put };
};

const found = async (notebook: OpenNotebook, words: string) => {
  const { notes, partial, unread } = await notebook.find({ words }, { limit: 9, sort: "path" });
  return [notes.map(({ path }) => path), partial, unread ?? 0];
};

describe.each<Code>(["disk_failed", "busy"])("a note that the store fails to give (%s)", (code) => {
  test("is known by name, told in answers, and read again by the next look", async () => {
    const { notebook, index, failing, reads } = await failingVault({ [A]: "apples\n", [B]: "pears\n" });
    failing.set(A, code);
    await notebook.refresh();
    expect([index.complete(), index.count(), index.unread()]).toEqual([true, 2, 1]);
    expect(await found(notebook, "apples")).toEqual([[], true, 1]);
    expect(await found(notebook, "pears")).toEqual([[B], true, 1]);
    // Questions read nothing, and a look reads what failed alone.
    reads.length = 0;
    await found(notebook, "apples");
    await notebook.refresh();
    expect(reads).toEqual([A]);
    failing.clear();
    await notebook.refresh();
    expect(await found(notebook, "apples")).toEqual([[A], false, 0]);
    reads.length = 0;
    await notebook.refresh();
    expect(reads).toEqual([]);
    await notebook.close();
  });

  test("is in the index once somebody has read it", async () => {
    const { notebook, failing } = await failingVault({ [A]: "apples\n" });
    failing.set(A, code);
    await notebook.refresh();
    await expect(notebook.read(A)).rejects.toMatchObject({ code });
    failing.clear();
    expect((await notebook.as(WHO).read(A)).text).toBe("apples\n");
    expect(await found(notebook, "apples")).toEqual([[A], false, 0]);
    await notebook.close();
  });

  test("is still found by what was last read of it, and leads where it led", async () => {
    const { notebook, index, failing, put } = await failingVault({ [A]: "apples [[b]]\n", [B]: "pears\n" });
    await notebook.refresh();
    const version = index.version(A);
    const heard: unknown[] = [];
    notebook.onChange((news) => void heard.push(...news.notes));
    failing.set(A, code);
    await put(A, "plums [[b]]\n");
    for (const look of [notebook.refresh, () => notebook.refreshPaths([A])]) {
      await look();
      expect(await found(notebook, "apples")).toEqual([[A], true, 1]);
      expect(await notebook.links({ to: B })).toHaveLength(1);
      expect([index.version(A), heard]).toEqual([version, []]);
    }
    failing.clear();
    await notebook.refreshPaths([A]);
    expect(await found(notebook, "plums")).toEqual([[A], false, 0]);
    expect(heard).toMatchObject([{ path: A, listed: false }]);
    await notebook.close();
  });
});

test("many that fail in a first index, long ones among them", async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 700 }, (_, at) => [`n${at}.md`, `word${at} `.repeat(at % 50 === 0 ? 9000 : 5)]),
  );
  const { notebook, index, failing } = await failingVault(notes);
  for (const path of Object.keys(notes)) failing.set(path, "disk_failed");
  await notebook.refresh();
  expect([index.count(), index.unread()]).toEqual([700, 700]);
  failing.clear();
  await notebook.refresh();
  expect(index.unread()).toBe(0);
  for (const word of ["word50", "word51"]) expect((await found(notebook, word))[1]).toBe(false);
  expect((await found(notebook, "word50"))[0]).toEqual(["n50.md"]);
  // A long one that was read and fails then keeps what it had.
  failing.set("n50.md", "disk_failed");
  await notebook.refreshPaths([notePath("n50.md")]);
  expect((await found(notebook, "word50"))[0]).toEqual(["n50.md"]);
  await notebook.close();
});

test("one that nothing will make readable is looked at once, and answers are whole", async () => {
  const { notebook, index, failing, reads } = await failingVault({ [A]: "apples\n", [B]: "pears\n" });
  failing.set(A, "too_large");
  failing.set(B, "disk_refused");
  await notebook.refresh();
  expect([index.count(), index.unread(), index.version(A)]).toEqual([2, 0, ""]);
  reads.length = 0;
  await notebook.refresh();
  expect([reads, await found(notebook, "apples")]).toEqual([[], [[], false, 0]]);
  await notebook.close();
});

test("a canvas keeps its links while it cannot be read, and is read again", async () => {
  const canvas = "map.canvas" as LinkedPath;
  const json = (file: string) => JSON.stringify({ nodes: [{ id: "1", type: "file", file }] });
  const { notebook, index, failing, put } = await failingVault({ [A]: "a\n", [B]: "b\n", [canvas]: json(A) });
  await notebook.refresh();
  failing.set(canvas, "disk_failed");
  await put(canvas, json(B));
  await notebook.refresh();
  expect(await notebook.links({ inCanvases: A })).toHaveLength(1);
  expect(index.attachments.canvases("unread")).toEqual([canvas]);
  failing.clear();
  await notebook.refresh();
  expect(await notebook.links({ inCanvases: A })).toHaveLength(0);
  expect(await notebook.links({ inCanvases: B })).toHaveLength(1);
  await notebook.close();
});

describe("on disk", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "notewright-unread-"));
    writeFileSync(join(root, "a.md"), "apples\n");
    writeFileSync(join(root, "b.md"), "pears\n");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test.each([
    ["EIO", "read"],
    ["EMFILE", "open"],
    ["ENFILE", "open"],
  ] as const)("%s: what failed is read again", async (code, call) => {
    let fails = false;
    const meets = (at: "read" | "open", path: string | undefined): void => {
      if (fails && at === call && path?.endsWith("a.md"))
        throw Object.assign(new Error("made to fail"), { code });
    };
    const opened = new Map<number, string>();
    const calls: Calls = {
      ...realCalls,
      open(path, ...how) {
        meets("open", path);
        const file = realCalls.open(path, ...how);
        opened.set(file, path);
        return file;
      },
      read(file, ...how) {
        meets("read", opened.get(file));
        return realCalls.read(file, ...how);
      },
    };
    const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
    const index = openIndex(await openSql(":memory:"));
    const notebook = unindexed({}, index, { store });
    fails = true;
    await notebook.refresh();
    expect(await found(notebook, "apples")).toEqual([[], true, 1]);
    await notebook.refreshFolders([""]);
    expect(index.unread()).toBe(1);
    fails = false;
    await notebook.refreshFolders([""]);
    expect(await found(notebook, "apples")).toEqual([[A], false, 0]);
    await notebook.close();
  });

  test("a note that may be read again is found again", async () => {
    // Root may read everything, so the mode is heeded here.
    const open: Calls["open"] = (path, ...how) => {
      if ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0o400) & 0o400)
        return realCalls.open(path, ...how);
      throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    };
    const calls = { ...realCalls, open };
    const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
    const notebook = unindexed({}, openIndex(await openSql(":memory:")), { store });
    chmodSync(join(root, "a.md"), 0);
    await notebook.refresh();
    expect((await found(notebook, "apples"))[0]).toEqual([]);
    chmodSync(join(root, "a.md"), 0o600);
    await notebook.refresh();
    expect((await found(notebook, "apples"))[0]).toEqual([A]);
    await notebook.close();
  });
});
