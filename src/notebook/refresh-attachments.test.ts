import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realCalls } from "../disk/calls.ts";
import { blobId } from "../disk/hash.ts";
import { noHistory } from "../history/none.ts";
import { openIndex } from "../index/note-index.ts";
import { ruleReader } from "../knowledge/rule-edits.ts";
import { atOnce } from "../markdown/steps.ts";
import { lockOpener, openSql } from "../sqlite/node.ts";
import { openFolder } from "../stores/folder.ts";
import { openMemory } from "../stores/memory.ts";
import { PLAIN } from "../../test/vault.ts";
import { openNotebook, type OpenNotebook } from "./notebook.ts";
import type { NoteIndex, NoteStore } from "./parts.ts";
import type { AttachmentPath } from "./paths.ts";
import { comparing, readCanvases } from "./refresh-attachments.ts";

let root: string;
let notebook: OpenNotebook;
let index: NoteIndex;
let read = 0;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "notewright-attachments-"));
  read = 0;
  const calls = {
    ...realCalls,
    read: (file: number, into: Uint8Array, at: number): number => {
      const got = realCalls.read(file, into, at);
      read += got;
      return got;
    },
  };
  const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
  index = openIndex(await openSql(":memory:"));
  notebook = openNotebook({
    ...PLAIN,
    store,
    index,
    history: noHistory(),
    rules: ruleReader,
    now: () => new Date(),
    timeZone: "UTC",
    random: () => "00000000",
    versionOf: blobId,
  });
});
afterEach(async () => {
  await notebook.close();
  rmSync(root, { recursive: true, force: true });
});

const put = (path: string, bytes: string | number): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof bytes === "number" ? "" : bytes);
  if (typeof bytes === "number") truncateSync(join(root, path), bytes);
};
const known = () =>
  atOnce(index.attachments.list({ folder: "", limit: 1000 })).attachments.map(
    ({ path, size }) => `${path} ${size}`,
  );

test("a first index knows every visible file and reads none of their bytes", async () => {
  put("a.md", "![[p.png]]");
  for (let at = 0; at < 300; at++) put(`files/${at}.bin`, 1_000_000_000);
  for (const path of [".hidden.png", ".obsidian/x.png", "Thumbs.db", "desktop.ini", ".DS_Store"])
    put(path, "x");
  put("p.png", "1234");
  read = 0;
  await notebook.refresh();
  expect(read).toBe("![[p.png]]".length);
  expect(known()).toHaveLength(301);
  expect(known()).toContain("p.png 4");
});

test("files that come, change and go are known: by a sweep, by folder and one by one", async () => {
  put("a/x.png", "1");
  put("a/b/y.pdf", "22");
  await notebook.refresh();
  put("a/x.png", "333");
  put("new.csv", "4");
  rmSync(join(root, "a/b"), { recursive: true });
  await notebook.refresh();
  expect(known()).toEqual(["a/x.png 3", "new.csv 1"]);
  put("a/c/z.zip", "55555");
  rmSync(join(root, "new.csv"));
  await notebook.refreshFolders(["", "a", "a/c"]);
  expect(known()).toEqual(["a/c/z.zip 5", "a/x.png 3"]);
  rmSync(join(root, "a"), { recursive: true });
  await notebook.refreshFolders([""]);
  expect(known()).toEqual([]);
});

test("an attachment that came back while the vault was listed stays in the index, and one that is gone goes", () => {
  const { attachments } = index;
  const [back, gone] = ["pics/back.png", "pics/gone.png"] as AttachmentPath[];
  const see = (path: AttachmentPath, stamp: string): void => {
    const times = { modified: new Date(0), changed: new Date(0) };
    attachments.put([{ path, stat: { stamp, size: 1, ...times } }]);
  };
  see(back!, "1");
  see(gone!, "1");
  const compared = comparing(attachments, attachments.stamps());
  compared.saw([]);
  see(back!, "2");
  expect(compared.end()).toBe(1);
  expect([attachments.stamp(back!), attachments.stamp(gone!)]).toEqual(["2", null]);
});

test("a canvas that cannot be read for a reason of ours is told, and keeps nothing else from being indexed", async () => {
  const reported: string[] = [];
  const store = openMemory({ "bad.canvas": "{}" });
  const fails = async (): Promise<never> => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const { attachments } = index;
  const stat = (await store.stat("bad.canvas" as AttachmentPath))!;
  attachments.put([{ path: stat.path, stat }]);
  await readCanvases({ store: { ...store, read: fails }, index, report: (what) => void reported.push(what) });
  expect(reported).toEqual([expect.stringContaining('"bad.canvas" could not be read')]);
  expect([attachments.canvases("unread"), attachments.canvases("unreadable")]).toEqual([[], ["bad.canvas"]]);
});

test("a canvas that is moved while it is read does not come back at its old place", async () => {
  const store = openMemory({ "old.canvas": "{}" });
  const { attachments } = index;
  const [old, moved] = ["old.canvas", "new.canvas"] as [AttachmentPath, AttachmentPath];
  const stat = (await store.stat(old))!;
  attachments.put([{ path: old, stat }]);
  const reading: NoteStore["read"] = async (path) => {
    const file = await store.read(path);
    attachments.put([
      { path: old, stat: null },
      { path: moved, stat, links: [] },
    ]);
    return file;
  };
  await readCanvases({ store: { ...store, read: reading }, index, report: () => undefined });
  expect([...attachments.stamps().keys()]).toEqual([moved]);
});
