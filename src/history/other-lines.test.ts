/** Two computers that wrote one synced history: each goes on with its own line, and what the other wrote is kept. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, newLedger, openAt, planted } from "../../test/planted-history.ts";
import type { Ledger } from "../notebook/parts.ts";
import { scribe } from "../notebook/suites/scribe.ts";
import { HISTORY } from "./git.ts";

const git = (root: string, ...args: string[]): string =>
  execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, ...args], { encoding: "utf8" }).trim();

/** Brings every file over, as a sync tool does whose last writer wins. */
const sync = (from: string, to: string): void =>
  fs.cpSync(join(from, HISTORY), join(to, HISTORY), { recursive: true, force: true });

async function write(root: string, ledger: Ledger, path: string, text: string) {
  const history = openAt(root, ledger);
  await history.log({ limit: 1 });
  const made = await scribe(history).write("Ada", path, text);
  const ids = (await history.log({ limit: 100 })).map(({ id }) => id);
  const troubles = history.troubles();
  await history.close();
  return { id: made!.id, ids, troubles };
}

test("a head of another line is kept under a ref of its own, is named, and survives packing; nothing is merged", async () => {
  const here = await planted();
  const there = newFolder();
  sync(here.root, there);
  const theirs = await newLedger();
  const ours = await write(here.root, here.ledger, "ours.md", "ours\n");
  const other = await write(there, theirs, "theirs.md", "theirs\n");
  sync(there, here.root);

  // Whoever only reads sees what this computer saw.
  const reading = openAt(here.root, here.ledger);
  expect((await reading.log({ limit: 1 }))[0]!.id).toBe(ours.id);
  await reading.close();
  const next = await write(here.root, here.ledger, "again.md", "ours, again\n");
  expect(next.ids).toEqual([next.id, ours.id, ...here.ids.toReversed()]);
  const ref = `refs/notewright/other-${other.id.slice(0, 10)}`;
  expect(git(here.root, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")).toEqual([
    `refs/heads/main ${next.id}`,
    `${ref} ${other.id}`,
  ]);
  expect(next.troubles.join()).toContain(`kept as ${ref}`);

  // The other computer wrote more: the same line goes on under one ref.
  const more = await write(there, theirs, "more.md", "theirs, again\n");
  sync(there, here.root);
  const last = await write(here.root, here.ledger, "last.md", "ours, at last\n");
  const packer = openAt(here.root, here.ledger);
  expect(await packer.tidy()).toBe(true);
  await packer.close();
  expect(git(here.root, "for-each-ref", "--format=%(objectname)").split("\n").toSorted()).toEqual(
    [last.id, more.id].toSorted(),
  );
  expect(git(here.root, "show", `${more.id}:more.md`)).toBe("theirs, again");
  expect(git(here.root, "fsck", "--full")).not.toMatch(/missing|broken|corrupt/);
});

test("an older state of our own line that a sync brought back is gone on from where we were", async () => {
  const it = await planted();
  fs.writeFileSync(it.at("refs/heads/main"), `${it.ids[0]}\n`);
  const { id, ids, troubles } = await write(it.root, it.ledger, "new.md", "new\n");
  expect([ids, troubles]).toEqual([[id, ...it.ids.toReversed()], []]);
});

test("a computer that has seen nothing takes the head as it is", async () => {
  const it = await planted();
  fs.writeFileSync(it.at("refs/heads/main"), `${it.ids[1]}\n`);
  const { ids } = await write(it.root, await newLedger(), "new.md", "new\n");
  expect(ids).toHaveLength(3);
});
