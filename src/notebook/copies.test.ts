/** What a copy holds: whatever is there and cannot be read, or is not known yet, is told apart from what is gone. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unindexed } from "../../test/vault.ts";
import { realCalls, type Calls } from "../disk/calls.ts";
import { openIndex } from "../index/note-index.ts";
import { lockOpener, openSql } from "../sqlite/node.ts";
import { openFolder } from "../stores/folder.ts";
import type { HeldPage } from "./copies.ts";
import type { OpenNotebook } from "./notebook.ts";
import { NOTE_LIMIT } from "./parts.ts";

let root: string;
let notebook: OpenNotebook;
/** Places, by the end of their paths, that the system refuses, and how. */
const refused = new Map<string, string>();
const calls: Calls = {
  ...realCalls,
  open(path, ...how) {
    const found = [...refused].find(([end]) => path.endsWith(end));
    if (found) throw Object.assign(new Error("made to fail"), { code: found[1] });
    return realCalls.open(path, ...how);
  },
};
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "notewright-held-"));
  mkdirSync(join(root, "Secret/below"), { recursive: true });
  for (const path of ["a.md", "b.md", "Secret/c.md", "Secret/below/d.md"])
    writeFileSync(join(root, path), path);
  const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
  notebook = unindexed({}, openIndex(await openSql(":memory:")), { store });
  await notebook.refresh();
});
afterEach(async () => {
  refused.clear();
  await notebook.close();
  rmSync(root, { recursive: true, force: true });
});

const held = async (limit = 100): Promise<{ notes: string[]; unread: HeldPage["unread"] }> => {
  const all: { notes: string[]; unread: HeldPage["unread"] } = { notes: [], unread: [] };
  for (let after: string | null = ""; after !== null;) {
    const page: HeldPage = await notebook.held(after, limit);
    all.notes.push(...page.notes.map(({ path }) => path));
    all.unread.push(...page.unread);
    after = page.next;
  }
  return all;
};

test.each([1, 2, 100])("every note is held, in pages of %i", async (limit) => {
  expect(await held(limit)).toEqual({
    notes: ["Secret/below/d.md", "Secret/c.md", "a.md", "b.md"],
    unread: [],
  });
});

test("a note that grew too large, one that may not be read, one that the disk fails to give, and one that has just come", async () => {
  writeFileSync(join(root, "a.md"), new Uint8Array(NOTE_LIMIT + 1));
  writeFileSync(join(root, "b.md"), "changed");
  writeFileSync(join(root, "Secret/c.md"), "changed");
  refused.set("/b.md", "EACCES");
  refused.set("/c.md", "EIO");
  await notebook.refresh();
  writeFileSync(join(root, "e.md"), "not looked at yet");
  const { notes, unread } = await held(2);
  expect(notes).toEqual(["Secret/below/d.md"]);
  expect(Object.fromEntries(unread.map(({ path, why }) => [path, why]))).toEqual({
    "a.md": "too_large",
    "b.md": "refused",
    "Secret/c.md": "failed",
    "e.md": "failed",
  });
});

test("a folder that may not be listed: its notes are not gone, and what is told of it says so", async () => {
  refused.set("/Secret", "EACCES");
  await notebook.refresh();
  const { notes, unread } = await held();
  expect([notes, unread]).toEqual([
    ["a.md", "b.md"],
    [
      { path: "Secret", why: "closed" },
      { path: "Secret/below/d.md", why: "refused" },
      { path: "Secret/c.md", why: "refused" },
    ],
  ]);
  refused.clear();
  rmSync(join(root, "Secret/c.md"));
  await notebook.refresh();
  expect(await held()).toEqual({ notes: ["Secret/below/d.md", "a.md", "b.md"], unread: [] });
});

test("a folder that could not be listed when the vault was first looked at, and nobody has looked since", async () => {
  refused.set("/Secret", "EACCES");
  const store = await openFolder(root, { openLock: await lockOpener(), durability: "fast", calls });
  const late = unindexed({}, openIndex(await openSql(":memory:")), { store });
  await late.refresh();
  refused.clear();
  const { notes, unread } = await late.held("", 100);
  expect(notes.map(({ path }) => path)).toEqual(["a.md", "b.md"]);
  expect(unread.map(({ path }) => path).toSorted()).toEqual(["Secret/below/d.md", "Secret/c.md"]);
  await late.close();
});
