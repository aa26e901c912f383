/** Every mutating system call of every kind of change, cut off or failed: the next process finds the old vault or the new one. `npm test` tries a quarter of them, others for each commit. */

import { DatabaseSync } from "@photostructure/sqlite";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEATH, FAULTS, faulty, quickPlace, type Fault } from "../../test/faults/faulty.ts";
import { some } from "../../test/soak-size.ts";
import { realCalls, type Calls } from "../disk/calls.ts";
import { openDisk } from "../disk/files.ts";
import { sweepGuard } from "../disk/guard.ts";
import { machineOf } from "../disk/home.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Put } from "../notebook/parts.ts";
import { notePath, type TrashPath } from "../notebook/paths.ts";
import { openFolder } from "./folder.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const LONG = "a line of the old note, ".repeat(40);
const BEFORE: Record<string, string> = {
  "one.md": `one ${LONG}`,
  "folder/two.md": `two ${LONG}`,
  "folder/three.md": `three ${LONG}`,
};
const NEW = "a line of the new note, ".repeat(60);
const path = notePath;

/** Each kind of change, and the vault it makes of the one before. */
const CHANGES: [string, Put[], Record<string, string | null>][] = [
  ["write", [{ path: path("one.md"), bytes: utf8(NEW) }], { "one.md": NEW }],
  [
    "create",
    [{ path: path("new/deep/four.md"), bytes: utf8(NEW), expect: "absent" }],
    { "new/deep/four.md": NEW },
  ],
  [
    "move",
    [{ path: path("new/one.md"), bytes: utf8(BEFORE["one.md"]!), from: path("one.md") }],
    { "one.md": null, "new/one.md": BEFORE["one.md"]! },
  ],
  [
    "move with an edit",
    [{ path: path("folder/moved.md"), bytes: utf8(NEW), from: path("one.md") }],
    { "one.md": null, "folder/moved.md": NEW },
  ],
  [
    "three notes",
    [
      { path: path("one.md"), bytes: utf8(`1 ${NEW}`) },
      { path: path("folder/two.md"), bytes: utf8(`2 ${NEW}`) },
      { path: path("folder/four.md"), bytes: utf8(`4 ${NEW}`), expect: "absent" },
    ],
    { "one.md": `1 ${NEW}`, "folder/two.md": `2 ${NEW}`, "folder/four.md": `4 ${NEW}` },
  ],
  [
    "swap",
    [
      { path: path("one.md"), bytes: utf8(BEFORE["folder/two.md"]!), from: path("folder/two.md") },
      { path: path("folder/two.md"), bytes: utf8(BEFORE["one.md"]!), from: path("one.md") },
    ],
    { "one.md": BEFORE["folder/two.md"]!, "folder/two.md": BEFORE["one.md"]! },
  ],
  [
    "respell",
    [{ path: path("ONE.md"), bytes: utf8(BEFORE["one.md"]!), from: path("one.md") }],
    { "one.md": null, "ONE.md": BEFORE["one.md"]! },
  ],
  [
    "respell with an edit and another move",
    [
      { path: path("ONE.md"), bytes: utf8(NEW), from: path("one.md") },
      { path: path("folder/moved.md"), bytes: utf8(`2 ${NEW}`), from: path("folder/two.md") },
    ],
    { "one.md": null, "ONE.md": NEW, "folder/two.md": null, "folder/moved.md": `2 ${NEW}` },
  ],
  ["remove", [{ path: path("one.md"), bytes: null }], { "one.md": null }],
  [
    "remove to the trash",
    [{ path: path("folder/two.md"), bytes: null, trash: ".trash/two.md" as TrashPath }],
    { "folder/two.md": null, ".trash/two.md": BEFORE["folder/two.md"]! },
  ],
];

function vaultAfter(changes: Record<string, string | null>): Record<string, string> {
  const merged = Object.entries({ ...BEFORE, ...changes }).filter((entry) => entry[1] !== null);
  return Object.fromEntries(merged) as Record<string, string>;
}

function filesIn(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (entry.isFile()) files[name] = fs.readFileSync(join(root, name), "utf8");
  }
  return files;
}

const OWN = ["lock", ".gitignore"].map((name) => `.notewright/${name}`);
const notesIn = (root: string) =>
  Object.fromEntries(Object.entries(filesIn(root)).filter(([name]) => !OWN.includes(name)));

/** Everything but what is ours for good. What is guarded goes first, as it would by itself two seconds later. */
function leftIn(root: string): Record<string, string> {
  const disk = openDisk(root);
  expect(sweepGuard(disk, machineOf(disk)!, 0)).toEqual({ late: [], young: 0 });
  return notesIn(root);
}

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(join(quickPlace, "notewright-crash-"));
});
afterEach(() => fs.rmSync(root, { recursive: true }));

function fill(): void {
  for (const name of fs.readdirSync(root)) fs.rmSync(join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(BEFORE)) {
    fs.mkdirSync(join(root, name, ".."), { recursive: true });
    fs.writeFileSync(join(root, name), text);
  }
}

/** One process: opens the vault, makes the change, ends. Its lock goes with it, whatever happened. */
async function attemptChange(puts: Put[], calls: Calls): Promise<{ acknowledged: boolean; error: unknown }> {
  const locks: { close(): void; isOpen: boolean }[] = [];
  const openLock = (file: string) => {
    const lock = new DatabaseSync(file);
    locks.push(lock);
    return lock;
  };
  try {
    const store = await openFolder(root, { openLock, calls });
    await store.alone(() => store.apply(puts));
    return { acknowledged: true, error: null };
  } catch (error) {
    return { acknowledged: false, error };
  } finally {
    for (const lock of locks) if (lock.isOpen) lock.close();
  }
}

/** Breaks the change at one point, lets another process write one more note, and judges what is there. */
async function pointHolds(
  puts: Put[],
  after: Record<string, string>,
  at: number,
  fault: Fault,
  base: Calls = realCalls,
  dieLater = Infinity,
) {
  fill();
  const { calls, seen } = faulty(at, fault, base, dieLater);
  const { acknowledged, error } = await attemptChange(puts, calls);
  if (!seen.fired) return false;
  const point = `${fault} at mutating call ${at}`;
  const code = error instanceof NoteError ? error.code : error === DEATH ? "died" : error;
  const codes = { ENOSPC: "disk_full", EACCES: "disk_refused", EIO: "disk_failed" } as Record<string, string>;
  if (!acknowledged) expect([codes[fault.split(" ")[0]!] ?? "died", "died"], point).toContain(code);

  // A process that lives on has done all or nothing; only a temp that would not go is left to the next one.
  if (!seen.dead && fault !== "EIO for good") {
    const left = Object.entries(notesIn(root)).filter(([name]) => !name.startsWith(".notewright/"));
    expectWhole(point, { left: Object.fromEntries(left), after, acknowledged, exact: true });
  }
  const later = await attemptChange([{ path: path("later.md"), bytes: utf8("later") }], base);
  expect(later, point).toEqual({ acknowledged: true, error: null });
  const { "later.md": written, ...left } = leftIn(root);
  expect(written, point).toBe("later");
  expectWhole(point, { left, after, acknowledged, exact: !seen.dead && fault !== "EIO for good" });
  return true;
}

function expectWhole(
  point: string,
  {
    left,
    after,
    acknowledged,
    exact,
  }: { left: object; after: object; acknowledged: boolean; exact: boolean },
): void {
  const now = JSON.stringify(Object.entries(left).toSorted());
  const isOld = now === JSON.stringify(Object.entries(BEFORE).toSorted());
  const isNew = now === JSON.stringify(Object.entries(after).toSorted());
  if (!isOld && !isNew) expect(left, `neither old nor new after ${point}`).toEqual(after);
  if (acknowledged) expect(isNew, `acknowledged and lost: ${point}`).toBe(true);
  else if (exact) expect(isOld, `refused and yet done: ${point}`).toBe(true);
}

describe.each(CHANGES)("%s", (_, puts, changes) => {
  test("undisturbed, it leaves nothing behind", async () => {
    fill();
    expect(await attemptChange(puts, realCalls)).toEqual({ acknowledged: true, error: null });
    expect(leftIn(root)).toEqual(vaultAfter(changes));
  });
});

test.each(some(CHANGES.flatMap((change) => FAULTS.map((fault) => [change[0], fault, change] as const))))(
  "%s: %s at each call",
  async (_name, fault, [, puts, changes]) => {
    let at = 0;
    while (await pointHolds(puts, vaultAfter(changes), at, fault)) at++;
    expect(at).toBeGreaterThan(6);
  },
);

test.each(some(CHANGES.filter(([, puts]) => puts.length > 1)))(
  "%s: a call fails, and the process dies while it takes the change back",
  async (_, puts, changes) => {
    for (const later of [1, 2, 4, 7]) {
      let at = 0;
      while (await pointHolds(puts, vaultAfter(changes), at, "EIO", realCalls, later)) at++;
      expect(at).toBeGreaterThan(20);
    }
  },
);

/** Disks of other kinds: which way each change then takes. */
const refusing = (code: string) => () => {
  throw Object.assign(new Error("made to fail"), { code });
};
const inHome = (name: string) => fs.realpathSync(join(name, "..")).startsWith(join(root, ".notewright"));
const acrossDisks =
  (call: (from: string, to: string) => void) =>
  (from: string, to: string): void =>
    inHome(from) === inHome(to) ? call(from, to) : refusing("EXDEV")();
const DISKS: [string, Calls][] = [
  ["without hard links", { ...realCalls, link: refusing("EPERM") }],
  ["where folders cannot be held open", { ...realCalls, handles: false }],
  [
    "whose notes lie on another disk than our folder",
    { ...realCalls, link: acrossDisks(realCalls.link), rename: acrossDisks(realCalls.rename) },
  ],
];

describe.each(DISKS)("a disk %s", (_, base) => {
  test.each(some(CHANGES))(
    "%s: undisturbed, dying and failing at each call",
    async (_name, puts, changes) => {
      fill();
      expect(await attemptChange(puts, base)).toEqual({ acknowledged: true, error: null });
      expect(leftIn(root)).toEqual(vaultAfter(changes));
      for (const fault of ["die after", "EIO"] as const) {
        let at = 0;
        while (await pointHolds(puts, vaultAfter(changes), at, fault, base)) at++;
        expect(at).toBeGreaterThan(6);
      }
    },
  );
});
