/** A folder of a vault that may not be read for a while: what is in it is not gone, and all other notes are served. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realCalls } from "../src/disk/calls.ts";
import { openDisk } from "../src/disk/files.ts";
import { blobId } from "../src/disk/hash.ts";
import { openGit } from "../src/history/git.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openLedger } from "../src/index/ledger.ts";
import { ruleReader } from "../src/knowledge/rule-edits.ts";
import { openNotebook, type OpenNotebook } from "../src/notebook/notebook.ts";
import type { NoteIndex, NoteStore } from "../src/notebook/parts.ts";
import { lockOpener, openSql } from "../src/sqlite/node.ts";
import { openFolder } from "../src/stores/folder.ts";
import { PLAIN } from "./vault.ts";

const NOTES = ["a.md", "sub/b.md", "sub/deep/c.md"];

let root: string;
let store: NoteStore;
let index: NoteIndex;
let notebook: OpenNotebook;
/** "closed": nothing in it can be reached. "listed": its names can be had, and no more. */
let state: "open" | "closed" | "listed";

const now = () => new Date();
const historyOn = async () => {
  const sql = await openSql(":memory:");
  const own = openIndex(sql);
  const git = openGit(openDisk(root), {
    ledger: openLedger(sql),
    durability: "fast",
    outsideAuthor: "someone",
    now,
    alone: store.alone,
  });
  return { own, git };
};

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "notewright-unread-"));
  mkdirSync(join(root, "sub/deep"), { recursive: true });
  for (const note of NOTES) writeFileSync(join(root, note), `${note}\n`);
  writeFileSync(join(root, "sub/image.png"), "image");
  state = "open";
  const guarded =
    <Rest extends unknown[], T>(call: (path: string, ...rest: Rest) => T, listing = false) =>
    (path: string, ...rest: Rest): T => {
      const refused = state === "closed" ? /\/sub(\/|$)/ : /\/sub\//;
      if (state !== "open" && !(listing && state === "listed") && refused.test(path))
        throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      return call(path, ...rest);
    };
  const calls = {
    ...realCalls,
    // Paths tell where a call goes.
    handles: false,
    open: guarded(realCalls.open),
    lstat: (path: string) => (path.endsWith("/sub") ? realCalls.lstat : guarded(realCalls.lstat))(path),
    readdir: guarded(realCalls.readdir, true),
    readnames: guarded(realCalls.readnames, true),
  };
  store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
  const { own, git } = await historyOn();
  index = own;
  notebook = openNotebook({
    ...PLAIN,
    now,
    random: () => "00000000",
    versionOf: blobId,
    timeZone: "UTC",
    rules: ruleReader,
    store,
    index,
    history: git,
  });
  await notebook.refresh();
  await notebook.record(store, new AbortController().signal);
});
afterEach(async () => {
  state = "open";
  await notebook.close();
  rmSync(root, { recursive: true, force: true });
});

const known = () => [[...index.stamps().keys()].toSorted(), [...index.attachments.stamps().keys()]];

describe.each(["closed", "listed"] as const)("a folder that is %s", (how) => {
  test("keeps its notes and attachments in the index, and all others are indexed", async () => {
    state = how;
    writeFileSync(join(root, "a.md"), "newer\n");
    writeFileSync(join(root, "new.md"), "new\n");
    expect(await notebook.refresh()).toBe(2);
    expect(known()).toEqual([[...NOTES, "new.md"].toSorted(), ["sub/image.png"]]);
    writeFileSync(join(root, "newer.md"), "new\n");
    await notebook.refreshFolders(["sub", "sub/deep", ""]);
    expect(known()).toEqual([[...NOTES, "new.md", "newer.md"].toSorted(), ["sub/image.png"]]);
    // What went meanwhile is gone once the folder can be read.
    rmSync(join(root, "sub/b.md"));
    await notebook.refresh();
    expect(known()[0]).toContain("sub/b.md");
    state = "open";
    await notebook.refresh();
    expect(known()[0]).toEqual(["a.md", "new.md", "newer.md", "sub/deep/c.md"]);
  });

  test("is not recorded as deleted where the history is caught up, and the others are recorded", async () => {
    state = how;
    writeFileSync(join(root, "a.md"), "newer\n");
    const { git } = await historyOn();
    const made = await git.catchUp(store, now());
    expect(made!.changes.map(({ path, version }) => [path, version])).toEqual([
      ["a.md", blobId(Buffer.from("newer\n"))],
    ]);
    await git.close();
  });

  test("is named by a check, which goes on", async () => {
    state = how;
    const { groups } = await notebook.survey();
    const findings = groups.flatMap((group) =>
      group.findings.map(({ detail }) => `${group.name}: ${detail}`),
    );
    expect(findings).toContain('reported: The folder "sub" may not be read; its notes are not listed.');
    expect(groups.find(({ name }) => name === "index_drift")!.count).toBe(0);
  });
});
