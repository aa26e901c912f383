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
  straysIn,
  type Call,
  type Ground,
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
