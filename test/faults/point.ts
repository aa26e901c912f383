/** One fault in one call of one tool: the vault before it, the process that meets it, the one that comes after, and what is judged. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { realCalls } from "../../src/disk/calls.ts";
import { openDisk } from "../../src/disk/files.ts";
import { sweepGuard } from "../../src/disk/guard.ts";
import { machineOf } from "../../src/disk/home.ts";
import type { Revision } from "../../src/notebook/parts.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { serversOf } from "../server.ts";
import { surfaces } from "../surfaces.ts";
import { DEATH, faulty, quickPlace, type Fault, type Faulty } from "./faulty.ts";
import { openTestFolder, type TestFolder } from "./notebook.ts";
import { CALLS, EARLIER, LATEST, NOTES } from "./tools.ts";

/** The two revisions of one note that there are. */
export type Two = { earlier: string; latest: string };
export type Call = (typeof CALLS)[number];
/** `peer`: another process has the vault open all the while, and takes over; else a fresh one does. */
export type Point = { call: Call; at: number; fault: Fault; peer: boolean };
export type State = Record<string, string>;

const NOW = new Date("2026-02-24T12:00:00Z");
const fixed = { now: () => NOW, random: () => "5b6c7d8e" };
const LATER = "later.md";

/** A vault that has been in use: recorded, indexed, one note with two versions. */
export async function makeTemplate(): Promise<{ folder: string; revisions: Two }> {
  const folder = fs.mkdtempSync(join(quickPlace, "notewright-template-"));
  const vault = join(folder, "vault");
  for (const [path, text] of Object.entries(NOTES)) {
    fs.mkdirSync(join(vault, path, ".."), { recursive: true });
    fs.writeFileSync(join(vault, path), text);
  }
  const made = await openTestFolder(vault, { ...fixed, index: join(folder, "index.db") });
  const gamma = notePath("folder/Gamma.md");
  const [before] = await made.notebook.log({ path: gamma, limit: 1 });
  await made.notebook.edit([{ path: gamma, edits: [(text) => `${text}\nA second version.\n`] }]);
  const [after] = await made.notebook.log({ path: gamma, limit: 1 });
  await made.close();
  sweepAll(vault);
  return { folder, revisions: { earlier: before!.id, latest: after!.id } };
}

/** A copy. Names are all that is new, but for what is written in place: no file of a note ever is. */
export function copyTemplate(template: string, to: string): void {
  fs.mkdirSync(to, { recursive: true, mode: fs.statSync(template).mode });
  for (const entry of fs.readdirSync(template, { withFileTypes: true })) {
    const [source, target] = [join(template, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTemplate(source, target);
    else if (entry.name === "lock" || entry.name.startsWith("index.db")) fs.copyFileSync(source, target);
    else fs.linkSync(source, target);
  }
}

function sweepAll(vault: string): void {
  const disk = openDisk(vault);
  expect(sweepGuard(disk, machineOf(disk)!, 0)).toEqual({ late: [], young: 0 });
}

/** Calls a tool as a client does; whether it answered without an error. */
export async function callTool(
  process: TestFolder,
  [surface, tool, input]: Call,
  { earlier, latest }: Two,
): Promise<{ acknowledged: boolean; said: string; data: unknown }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const dialect = surfaces.find(({ name }) => name === surface)!;
  await serversOf(dialect, process.notebook, { log: () => {}, id: "c" })().connect(far);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(near);
  const said = JSON.stringify(input).replace(EARLIER, earlier).replace(LATEST, latest);
  const answer = await client.callTool({ name: tool, arguments: JSON.parse(said) });
  await client.close();
  // A little later in a real process; here it belongs to the call, so that every call of it is met by every fault.
  await process.history.flushRevisions();
  return {
    acknowledged: !answer.isError,
    said: JSON.stringify(answer.content),
    data: answer.structuredContent,
  };
}

export function openProcess(folder: string, { calls, seen }: Partial<Faulty> = {}): Promise<TestFolder> {
  const alive = () => {
    if (seen?.dead) throw DEATH;
  };
  return openTestFolder(join(folder, "vault"), {
    ...fixed,
    index: join(folder, "index.db"),
    ...(calls ? { calls, alive } : {}),
  });
}

/** An attachment is recorded as it was found when it is first touched. */
const isAttachment = ({ path, before }: Revision["changes"][number]): boolean =>
  !path.endsWith(".md") && before === null;

/** The notes, rule files and trash, without what is ours. */
export function notesIn(folder: string): State {
  const vault = join(folder, "vault");
  const found: State = {};
  for (const entry of fs.readdirSync(vault, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(vault.length + 1);
    if (entry.isFile() && !path.startsWith(".notewright/"))
      found[path] = fs.readFileSync(join(vault, path), "latin1");
  }
  return found;
}

/** Files of ours that should not be there when nobody is at work. */
export function straysIn(folder: string): string[] {
  const home = join(folder, "vault/.notewright");
  const disk = openDisk(join(folder, "vault"));
  const { late } = sweepGuard(disk, machineOf(disk)!, 0);
  const strays = fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((name) => !/^(?:lock|\.gitignore)$/.test(name) && !isHistory(name));
  return [...late.map(({ file }) => `late: ${file}`), ...strays];
}

// A git program that was packing when its server was killed leaves temporary packs; those are removed an hour later (history/gc.ts).
const isHistory = (name: string): boolean =>
  /^history\.git\/(?:HEAD|config|refs\/heads\/main|objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/(?:pack-[0-9a-f]{40}\.(?:pack|idx)|(?:\.tmp-\d+-pack-|tmp_).*)))$/.test(
    name,
  );

const same = (one: State, other: State): boolean =>
  JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());

type Judge = (left: State, when: string, log?: readonly Revision[]) => void;
/** A process that dies leaves what it meant to do; one whose disk fails may not even be able to say so. */
const DEATHS: readonly Fault[] = ["die before", "die after", "half write"];
/** The first recording of the template is what others wrote. */
const OUTSIDE_BEFORE = 1;

export type Ground = { folder: string; template: string; revisions: Two; before: State; after: State };

/** Runs a point on fresh ground. False where the call ends before it comes to the fault. */
export async function runPoint(ground: Ground, point: Point): Promise<boolean> {
  const { folder, template, revisions, before, after } = ground;
  const { call, at, fault } = point;
  fs.rmSync(folder, { recursive: true, force: true });
  copyTemplate(template, folder);
  const peer = point.peer ? await openProcess(folder) : null;
  const fate = faulty(at, fault, realCalls);
  const { seen } = fate;
  const doomed = await openProcess(folder, fate);
  const { acknowledged, said } = await callTool(doomed, call, revisions);
  const where = `${call[0]} ${call[1]}: ${fault} at mutating call ${at} (${seen.names[at]})`;
  const told = !seen.dead && acknowledged;
  // A disk on which nothing can be written any more is one on which nothing can be taken back either.
  const exact = !seen.dead && fault !== "EIO for good";
  const judge: Judge = (left, when, log) => {
    const isNew = same(left, after);
    if (!isNew && !same(left, before)) expect(left, `torn or half done: ${where}, ${when}`).toEqual(after);
    if (told) expect(isNew, `acknowledged and lost: ${where}, ${when}`).toBe(true);
    else if (exact) expect(isNew, `refused and yet done: ${where}, ${when}: ${said}`).toBe(false);
    // A change of ours is never taken for a person's, however its process ended.
    if (DEATHS.includes(fault) && log)
      expect(
        log
          .filter(({ surface, changes }) => surface === "outside" && !changes.every(isAttachment))
          .map(({ message }) => message),
        `recorded as somebody else's: ${where}, ${when}`,
      ).toHaveLength(OUTSIDE_BEFORE);
  };
  if (exact) {
    judge(notesIn(folder), "at once");
    await doomed.notebook.write(notePath("same process.md"), "goes on");
  }
  await doomed.die();
  if (seen.fired) {
    if (peer) await takenOver(peer, folder, where, judge);
    await takenOver(await openProcess(folder), folder, where, judge);
    expect(straysIn(folder), `strays: ${where}`).toEqual([]);
  } else await peer?.die();
  return seen.fired;
}

async function takenOver(next: TestFolder, folder: string, where: string, judge: Judge): Promise<void> {
  await next.notebook.edit([{ path: notePath(LATER), edits: [(text) => `${text}later\n`], orCreate: "" }]);
  await next.start();
  const { [LATER]: written, "same process.md": _, ...left } = notesIn(folder);
  expect(written?.endsWith("later\n"), where).toBe(true);
  const log = await next.notebook.log({ limit: 100 });
  expect(log, `no history: ${where}`).not.toEqual([]);
  judge(left, "after the next process", log);
  expect(await unrecorded(next, folder), `the history lacks notes: ${where}`).toEqual([]);
  expect(next.reported, where).toEqual([]);
  await next.close();
}

/** Notes that the history does not hold as they are, or holds although they are gone. */
async function unrecorded(process: TestFolder, folder: string): Promise<string[]> {
  const notes = Object.entries(notesIn(folder)).filter(
    ([path]) => !path.startsWith(".") && path.endsWith(".md"),
  );
  const wrong: string[] = [];
  for (const [path, text] of notes) {
    const [last] = await process.notebook.log({ path: notePath(path), limit: 1 });
    const bytes = last && (await process.history.read(notePath(path), last.id));
    if (!bytes || Buffer.from(bytes).toString("latin1") !== text) wrong.push(path);
  }
  return wrong;
}
