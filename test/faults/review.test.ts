/** Attack 99: a process is killed, or its disk refuses, at any step of proposing, accepting and declining. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realCalls } from "../../src/disk/calls.ts";
import type { Notebook } from "../../src/notebook/notebook.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { share } from "../soak-size.ts";
import { faulty, type Fault } from "./faulty.ts";
import type { TestFolder } from "./notebook.ts";
import { copyTemplate, makeTemplate, notesIn, openProcess, type State } from "./point.ts";

const PROPOSER = {
  client: "claude",
  program: "Claude",
  surface: "native",
  tool: "t",
  connection: "c",
  rights: "propose" as const,
};
let template: string;
/** With a proposal that waits: a move with the links that follow it. */
let waiting: string;
let after: State;
let before: State;

const move = (notebook: Notebook): Promise<unknown> =>
  notebook.as(PROPOSER).move([{ from: notePath("Beta.md"), to: notePath("moved/Omega.md") }]);
const grow = (notebook: Notebook): Promise<unknown> =>
  notebook.as(PROPOSER).edit([{ path: notePath("Alpha.md"), edits: [(text) => `${text}More.\r\n`] }]);
const decide = async (notebook: Notebook, how: "accept" | "decline"): Promise<void> => {
  for (const { id } of await notebook.proposals.list()) await notebook.proposals[how](id);
};

beforeAll(async () => {
  ({ folder: template } = await makeTemplate());
  waiting = `${template}-waiting`;
  copyTemplate(template, waiting);
  before = notesIn(waiting);
  const process = await openProcess(waiting);
  await move(process.notebook);
  await process.close();
  expect(notesIn(waiting)).toEqual(before);
  const whole = `${template}-whole`;
  copyTemplate(waiting, whole);
  const next = await openProcess(whole);
  await decide(next.notebook, "accept");
  await next.close();
  after = notesIn(whole);
  expect(after).not.toEqual(before);
  rmSync(whole, { recursive: true });
});
afterAll(() => {
  for (const folder of [template, waiting]) rmSync(folder, { recursive: true, force: true });
});

/** Does the work in a process that meets the fault, and hands the next process over. */
async function through(
  from: string,
  at: number,
  fault: Fault,
  work: (process: TestFolder) => Promise<unknown>,
  judge: (next: TestFolder, how: { answered: boolean; notes(): State }) => Promise<void>,
): Promise<boolean> {
  const place = `${template}-point`;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place), { recursive: true });
  copyTemplate(from, place);
  const fate = faulty(at, fault, realCalls);
  const doomed = await openProcess(place, fate);
  const begun = fate.seen.count;
  const answered = await work(doomed).then(
    () => true,
    () => false,
  );
  const last = fate.seen.count;
  await (fate.seen.dead ? doomed.die() : doomed.close().catch(() => undefined));
  const next = await openProcess(place);
  await judge(next, { answered: answered && !fate.seen.dead, notes: () => notesIn(place) });
  await next.close();
  rmSync(place, { recursive: true, force: true });
  return at < begun || at < last;
}

/** All of them in CI, a quarter else. */
const STRIDE = 4 / Math.min(4, share(4));

/** Every step, each with one fault: they take turns. */
async function everyStep(
  from: string,
  work: (process: TestFolder) => Promise<unknown>,
  judge: Parameters<typeof through>[4],
): Promise<void> {
  const faults: Fault[] = ["die after", "half write", "ENOSPC"];
  let at = 0;
  while (await through(from, at, faults[at % faults.length]!, work, judge)) at += STRIDE;
  expect(at).toBeGreaterThan(4);
}

test("attack 99: proposing: no note changes; what was answered waits, and can be accepted", () =>
  everyStep(
    template,
    ({ notebook }) => move(notebook),
    async ({ notebook }, { answered, notes }) => {
      expect(notes()).toEqual(before);
      const open = await notebook.proposals.list();
      expect(open.length).toBeGreaterThanOrEqual(answered ? 1 : 0);
      await decide(notebook, "accept");
      expect(notes()).toEqual(open.length === 1 ? after : before);
    },
  ));

test("attack 99: growing: one proposal is there, as it was or as it is now", () =>
  everyStep(
    waiting,
    ({ notebook }) => grow(notebook),
    async ({ notebook }, { answered, notes }) => {
      expect(notes()).toEqual(before);
      const open = await notebook.proposals.list();
      expect(open).toHaveLength(1);
      const grown = open[0]!.notes.some(({ path }) => path === "Alpha.md");
      expect(grown || !answered).toBe(true);
      await decide(notebook, "accept");
      expect(notes()["Alpha.md"]).toBe(after["Alpha.md"] + (grown ? "More.\r\n" : ""));
    },
  ));

test("attack 99: accepting: all of it or nothing; accepted again, nothing is done twice", () =>
  everyStep(
    waiting,
    ({ notebook }) => decide(notebook, "accept"),
    async ({ notebook }, { answered, notes }) => {
      const done = JSON.stringify(notes()) === JSON.stringify(after);
      if (!done) expect(notes()).toEqual(before);
      expect(done || !answered).toBe(true);
      await decide(notebook, "accept");
      expect(notes()).toEqual(after);
      expect(await notebook.proposals.list()).toEqual([]);
      const mine = (await notebook.log({ limit: 20 })).filter(({ author }) => author === "claude");
      // None where the disk refused the revision: then it is recorded as found.
      expect(mine.length).toBeLessThanOrEqual(1);
    },
  ));

test("attack 99: declining: no note changes; it waits, or is gone with a line", () =>
  everyStep(
    waiting,
    ({ notebook }) => decide(notebook, "decline"),
    async ({ notebook }, { answered, notes }) => {
      expect(notes()).toEqual(before);
      const [open, lines] = [await notebook.proposals.list(), await notebook.proposals.settled()];
      expect(open.length === 0 || !answered).toBe(true);
      if (open.length === 0) expect(lines).toHaveLength(1);
      await decide(notebook, "accept");
      expect(notes()).toEqual(open.length === 1 ? after : before);
    },
  ));
