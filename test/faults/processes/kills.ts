/** T3: several processes write to one vault and are killed at any moment; then everything they were promised is looked for. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { dumpOf } from "../../index-dump.ts";
import type { Sql } from "../../../src/sqlite/sql.ts";
import { dice } from "../dice.ts";
import { openTestFolder } from "../notebook.ts";
import { straysIn } from "../point.ts";
import { bundle } from "./bundle.ts";
import { notePathOf, type Said } from "./words.ts";

export type Plan = {
  processes: number;
  /** Of each process. */
  writes: number;
  notes: number;
  kills: number;
  durability: "full" | "fast";
  seed: number;
  /** Where the vault is; a disk in memory makes more kills a minute. */
  place: string;
  /** Put before `node` on the command line: another pid namespace. */
  within?: string[];
};

export type Figures = {
  acknowledged: number;
  kills: number;
  lost: string[];
  twice: string[];
  halfDone: string[];
  torn: string[];
  backwards: string[];
  longestWait: number;
  indexDiffers: string[];
  fsck: string;
  merges: number;
  revisions: number;
  unrecorded: string[];
  strays: string[];
  seconds: number;
};

const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

export async function killTest(plan: Plan): Promise<Figures> {
  const started = performance.now();
  const programs = fs.mkdtempSync(join(tmpdir(), "notewright-worker-"));
  const folder = fs.mkdtempSync(join(plan.place, "notewright-kills-"));
  try {
    const script = join(programs, "worker.mjs");
    await bundle("test/faults/processes/worker.ts", script);
    fill(join(folder, "vault"), plan.notes);
    const first = await openTestFolder(join(folder, "vault"), { index: join(folder, "index.db") });
    await first.close();
    const run = await runAll(plan, folder, script);
    return {
      ...run.counted,
      ...(await judged(plan, folder, run.records)),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    for (const each of [programs, folder]) fs.rmSync(each, { recursive: true, force: true });
  }
}

function fill(vault: string, notes: number): void {
  for (let number = 0; number < notes; number++) {
    const path = join(vault, notePathOf(number));
    fs.mkdirSync(join(path, ".."), { recursive: true });
    fs.writeFileSync(path, `---\nnumber: ${number}\n---\n# Note ${number}\n\n`);
  }
}

type Record = { kind: string; notes: number[]; done: boolean };

/** One after another the processes of a slot, until its writes are done. */
async function runAll(plan: Plan, folder: string, script: string) {
  const records = new Map<string, Record>();
  const chance = dice(plan.seed);
  const counted = { acknowledged: 0, kills: 0, longestWait: 0 };
  const alive = new Map<ChildProcess, { acknowledged: number }>();

  async function slot(number: number): Promise<void> {
    let next = 0;
    while (next < plan.writes) {
      const args = [script, folder, `w${number}`, next, plan.writes, plan.notes, plan.durability].map(String);
      const [program, ...rest] = [...(plan.within ?? []), process.execPath, ...args];
      const child = spawn(program!, rest, { stdio: ["ignore", "pipe", "inherit"] });
      const state = { acknowledged: 0 };
      alive.set(child, state);
      for await (const line of createInterface({ input: child.stdout! })) {
        const said = whole(line);
        if (!said) continue;
        if ("begun" in said) {
          records.set(said.begun, { kind: said.kind, notes: said.notes, done: false });
          next = Number(said.begun.slice(said.begun.indexOf("-") + 1)) + 1;
        } else {
          records.get(said.done)!.done = true;
          state.acknowledged++;
          counted.acknowledged++;
          counted.longestWait = Math.max(counted.longestWait, said.wait);
        }
      }
      alive.delete(child);
    }
  }

  const slots = Promise.all(Array.from({ length: plan.processes }, (_, number) => slot(number)));
  const state = { ended: false };
  void slots.finally(() => (state.ended = true));
  while (!state.ended && counted.kills < plan.kills) {
    await wait(chance.below(12));
    // Only such as are at work: one that is still starting holds nothing.
    const atWork = [...alive].filter(([, { acknowledged }]) => acknowledged > chance.below(4));
    if (atWork.length === 0) continue;
    const [child] = chance.pick(atWork);
    alive.delete(child);
    if (child.kill("SIGKILL")) counted.kills++;
  }
  await slots;
  return { records, counted };
}

/** A killed process may leave half a line. */
function whole(line: string): Said | null {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return null;
  }
}

async function judged(plan: Plan, folder: string, records: Map<string, Record>) {
  const vault = join(folder, "vault");
  // One more start, once what the last ones replaced is old enough to be let go.
  await wait(2100);
  const last = await openTestFolder(vault, { index: join(folder, "index.db") });
  await last.notebook.write(notePathOf(plan.notes), "one more\n");
  const texts = Array.from({ length: plan.notes }, (_, number) =>
    fs.readFileSync(join(vault, notePathOf(number)), "utf8"),
  );
  const found = tokensIn(texts);
  const lost: string[] = [];
  const twice: string[] = [];
  const halfDone: string[] = [];
  const newest = new Map<string, number>();
  for (const [token, { kind, notes, done }] of records) {
    const [writer, at] = [token.slice(0, token.indexOf("-")), Number(token.slice(token.indexOf("-") + 1))];
    const places = found.get(token) ?? [];
    if (kind === "field") {
      if (done) newest.set(`${writer} ${notes[0]}`, at);
      continue;
    }
    if (done && places.length < notes.length) lost.push(token);
    if (places.length > notes.length) twice.push(token);
    if (places.length > 0 && places.length < notes.length) halfDone.push(token);
    if (places.some((place) => !notes.includes(place))) twice.push(token);
  }
  const backwards = [...newest].filter(([key, at]) => {
    const [writer, number] = key.split(" ");
    const value = new RegExp(`^by-${writer}: (?:"?)(\\d+)`, "m").exec(texts[Number(number)]!)?.[1];
    return value === undefined || Number(value) < at;
  });
  const torn = texts.flatMap((text, number) => (isWhole(text, number) ? [] : [notePathOf(number)]));
  const unrecorded: string[] = [];
  for (let number = 0; number < plan.notes; number++) {
    const path = notePathOf(number);
    const [newestRevision] = await last.notebook.log({ path, limit: 1 });
    const bytes = newestRevision && (await last.history.read(path, newestRevision.id));
    if (!bytes || Buffer.from(bytes).toString("utf8") !== texts[number]) unrecorded.push(path);
  }
  const indexDiffers = await differsFromRebuilt(last.sql, vault);
  await last.close();
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", join(vault, ".notewright/history.git"), ...args], { encoding: "utf8" });
  return {
    lost,
    twice,
    halfDone,
    torn,
    backwards: backwards.map(([key]) => key),
    indexDiffers,
    fsck: git("fsck", "--full", "--no-dangling", "--strict").trim(),
    merges: Number(git("rev-list", "--count", "--min-parents=2", "main")),
    revisions: Number(git("rev-list", "--count", "main")),
    unrecorded,
    strays: straysIn(folder),
  };
}

/** In which notes a token stands, as often as it does. */
function tokensIn(texts: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  texts.forEach((text, number) => {
    for (const [token] of text.matchAll(/^w\d+-\d+$/gm))
      found.set(token, [...(found.get(token) ?? []), number]);
  });
  return found;
}

const isWhole = (text: string, number: number): boolean =>
  new RegExp(
    `^---\\nnumber: ${number}\\n(?:by-w\\d+: "?\\d+"?\\n)*---\\n# Note ${number}\\n\\n(?:w\\d+-\\d+\\n)*$`,
  ).test(text);

/** Rows of the index that one made anew does not have, and the other way round. */
async function differsFromRebuilt(sql: Sql, vault: string): Promise<string[]> {
  const fresh = await openTestFolder(vault);
  // A stamp that is not believed yet is marked so.
  const rows = (dump: unknown) =>
    (dump as object[][]).flat().map((row) => JSON.stringify(row).replaceAll('?"', '"'));
  const [kept, made] = [rows(dumpOf(sql)), rows(dumpOf(fresh.sql))];
  await fresh.close();
  const missing = (from: string[], other: string[]) => {
    const there = new Set(other);
    return from.filter((row) => !there.has(row));
  };
  return [...missing(kept, made), ...missing(made, kept)].slice(0, 10);
}
