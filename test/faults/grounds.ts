/** What every point of every call needs: the vault before, the vault after an undisturbed call, and how many calls it makes. */

import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { realCalls } from "../../src/disk/calls.ts";
import { faulty, quickPlace } from "./faulty.ts";
import {
  callTool,
  copyTemplate,
  makeTemplate,
  notesIn,
  openProcess,
  runPoint,
  straysIn,
  type Call,
  type Ground,
  type Point,
} from "./point.ts";

export type Grounds = {
  /** The ground of a call, and the number of its mutating system calls. */
  of(call: Call): Promise<{ ground: Ground; count: number }>;
  remove(): void;
};

export async function makeGrounds(): Promise<Grounds> {
  const { folder: template, revisions } = await makeTemplate();
  const folder = fs.mkdtempSync(join(quickPlace, "notewright-fault-"));
  const before = notesIn(template);

  async function of(call: Call): Promise<{ ground: Ground; count: number }> {
    fs.rmSync(folder, { recursive: true, force: true });
    copyTemplate(template, folder);
    const fate = faulty(Infinity, "EIO", realCalls);
    const process = await openProcess(folder, fate);
    const { acknowledged, said } = await callTool(process, call, revisions);
    expect(acknowledged, `${call[0]} ${call[1]}: ${said}`).toBe(true);
    await process.close();
    const after = notesIn(folder);
    expect(after).not.toEqual(before);
    expect(straysIn(folder)).toEqual([]);
    return { ground: { folder, template, revisions, before, after }, count: fate.seen.count };
  }

  return {
    of,
    remove() {
      for (const each of [template, folder]) fs.rmSync(each, { recursive: true, force: true });
    },
  };
}

/** Points at a time, each on ground of its own: half of a point is waiting for locks and flushes. */
const LANES = 4;

/** Runs points, each of which must come to its fault. */
export async function runPoints(ground: Ground, points: readonly Point[]): Promise<void> {
  const left = points.values();
  const lane = async (number: number): Promise<void> => {
    const own = { ...ground, folder: join(ground.folder, String(number)) };
    for (const point of left)
      expect(await runPoint(own, point), `never met: ${JSON.stringify(point)}`).toBe(true);
  };
  // All of them end before the first failure is told: one that still ran would lose its ground.
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_, number) => lane(number)));
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
}
