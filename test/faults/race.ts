/** Attack 5: a folder is swapped for a link to the outside while we read, write, list, move and remove in it. */

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { NoteError } from "../../src/markdown/errors.ts";
import type { NoteStore } from "../../src/notebook/parts.ts";
import type { NotePath } from "../../src/notebook/paths.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { filesBelow } from "../process.ts";
import { dice } from "./dice.ts";
import { quickPlace } from "./faulty.ts";
import { openTestFolder } from "./notebook.ts";
import { bundle } from "./processes/bundle.ts";

export type RaceFigures = {
  calls: number;
  /** Refused because there was a link, or no folder, at that moment. */
  refused: number;
  swaps: number;
  /** Reads that gave what lies outside, and files outside that are not as they were. */
  escapes: string[];
};

const SECRET = "what lies outside the vault";

export async function raceTest(seconds: number, seed: number): Promise<RaceFigures> {
  const folder = fs.mkdtempSync(join(quickPlace, "notewright-race-"));
  const [vault, outside] = [join(folder, "vault"), join(folder, "outside")];
  for (const place of [join(vault, "sub/deep"), join(outside, "deep")])
    fs.mkdirSync(place, { recursive: true });
  for (const name of ["a.md", "b.md", "deep/c.md"]) {
    fs.writeFileSync(join(vault, "sub", name), "inside\n");
    fs.writeFileSync(join(outside, name), SECRET);
  }
  const script = join(folder, "swapper.mjs");
  await bundle("test/faults/processes/swapper.ts", script);
  const before = filesBelow(outside);
  const opened = await openTestFolder(vault, { durability: "fast" });
  const swapper = spawn(process.execPath, [script, vault, outside], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  swapper.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise((done) => swapper.on("close", done));

  const figures: RaceFigures = { calls: 0, refused: 0, swaps: 0, escapes: [] };
  const chance = dice(seed);
  const end = performance.now() + seconds * 1000;
  // On a machine that is busy with other things it takes longer until both sides have had their turns.
  const met = () => Math.min(figures.refused, figures.calls - figures.refused) > 20;
  while (performance.now() < end || (!met() && performance.now() < end + 30_000)) {
    figures.calls++;
    try {
      const text = await CALLS[chance.below(CALLS.length)]!(opened.store, chance.below(1000));
      if (text.includes(SECRET)) figures.escapes.push(`read outside: ${text.slice(0, 40)}`);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      figures.refused++;
    }
  }
  swapper.stdin.end();
  await ended;
  figures.swaps = Number(said);
  await opened.die();
  const after = filesBelow(outside);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[name] !== after[name]) figures.escapes.push(`changed outside: ${name}`);
  fs.rmSync(folder, { recursive: true, force: true });
  return figures;
}

const path = (name: string): NotePath => notePath(`sub/${name}`);
const bytes = (text: string) => new TextEncoder().encode(text);
const CALLS: ((store: NoteStore, number: number) => Promise<string>)[] = [
  async (store) => Buffer.from((await store.read(path("a.md")))?.bytes ?? []).toString("utf8"),
  async (store) => Buffer.from((await store.read(path("deep/c.md")))?.bytes ?? []).toString("utf8"),
  async (store) => JSON.stringify((await store.folder("sub"))?.notes.map((note) => note.size) ?? []),
  async (store, number) => {
    await store.alone(() => store.apply([{ path: path("a.md"), bytes: bytes(`inside ${number}\n`) }]));
    return "";
  },
  async (store, number) => {
    await store.alone(() => store.apply([{ path: path(`new ${number}/n.md`), bytes: bytes("made\n") }]));
    return "";
  },
  async (store, number) => {
    const from = path("b.md");
    const there = await store.read(from);
    if (!there) await store.alone(() => store.apply([{ path: from, bytes: bytes("again\n") }]));
    await store.alone(() =>
      store.apply([{ path: notePath(`moved ${number}.md`), bytes: bytes("b\n"), from }]),
    );
    return "";
  },
  async (store, number) => {
    const note = notePath(`in ${number}.md`);
    await store.alone(() => store.apply([{ path: note, bytes: bytes("x\n") }]));
    await store.alone(() =>
      store.apply([{ path: path(`in ${number}.md`), bytes: bytes("y\n"), from: note }]),
    );
    return "";
  },
  async (store) => {
    await store.alone(() => store.apply([{ path: path("deep/c.md"), bytes: null }]));
    return "";
  },
];
