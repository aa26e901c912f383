/** T2: a process works, the power goes at any call, and whatever may be on the disk is opened and looked at. */

import * as fs from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { addTags } from "../../src/markdown/list-edits.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { dice } from "./dice.ts";
import { quickPlace } from "./faulty.ts";
import { openTestFolder, type TestFolder } from "./notebook.ts";
import { copyTemplate, makeTemplate, notesIn, straysIn, type State } from "./point.ts";
import { cutState, keyOf, type Before, type Disk } from "./power-cut.ts";
import { traced, type Op } from "./trace.ts";

const path = notePath;
const WORK: ((process: TestFolder) => Promise<unknown>)[] = [
  ({ notebook }) => notebook.edit([{ path: path("Alpha.md"), edits: [(text) => `${text}appended\r\n`] }]),
  ({ notebook }) => notebook.write(path("new/deep/note.md"), "made\n", { expect: "absent" }),
  ({ notebook }) =>
    notebook.move([{ from: path("Beta.md"), to: path("moved/Beta.md") }], { backlinks: "rewrite" }),
  ({ notebook }) =>
    notebook.edit(
      ["Alpha.md", "folder/Gamma.md"].map((name) => ({ path: path(name), edits: [addTags(["many"])] })),
    ),
  ({ notebook }) => notebook.remove(path("folder/Delta.md"), { trash: true }),
  ({ notebook }) =>
    notebook.edit([{ path: path("new/deep/note.md"), edits: [(text) => `${text}and changed\n`] }]),
  async ({ notebook }) => notebook.undo(await notebook.log({ limit: 1 })),
  ({ notebook }) =>
    notebook.move([{ from: path("moved/Beta.md"), to: path("Beta again.md") }], { backlinks: "rewrite" }),
  // Too large a revision to be pending: it is put in at once, and those before it with it.
  ({ notebook }) => notebook.write(path("large.md"), `${"many words ".repeat(8000)}\n`, { expect: "absent" }),
];

export type PowerFigures = {
  /** Different disks that were looked at, and moments at which the power went. */
  states: number;
  moments: number;
  wrong: string[];
};

/** `wanted` disks at most, spread evenly over all moments. */
export async function powerTest(how: {
  durability: "full" | "fast";
  wanted: number;
  seed: number;
  /** Every so many disks, a whole process works on it; on the others only the store recovers. */
  wholeEvery: number;
}): Promise<PowerFigures> {
  const template = await makeTemplate();
  const folder = fs.mkdtempSync(join(quickPlace, "notewright-power-"));
  copyTemplate(template.folder, folder);
  const vault = join(folder, "vault");
  const before = filesIn(vault);
  const first = notesIn(folder);
  const { ops, calls } = traced(
    vault,
    before.map((file) => file.path),
  );
  const process = await openTestFolder(vault, { calls, durability: how.durability });
  for (const work of WORK) {
    await work(process);
    ops.push({ do: "promise", notes: notesIn(folder) });
  }
  await process.close();

  const figures: PowerFigures = { states: 0, moments: ops.length, wrong: [] };
  const seen = new Set<string>();
  const each = Math.max(1, Math.round(how.wanted / ops.length));
  for (let moment = 0; moment <= ops.length; moment++) {
    const chance = dice(how.seed + moment);
    for (let turn = 0; turn < each; turn++) {
      const disk = cutState(before, ops.slice(0, moment), chance, [10, 0, 5, 8, 2][turn % 5]!);
      const key = createHash("sha1")
        .update(`${moment} ${keyOf(disk)}`)
        .digest("base64");
      if (seen.has(key)) continue;
      seen.add(key);
      figures.states++;
      layOut(vault, disk);
      const where = `seed ${how.seed}, power cut at call ${moment}, turn ${turn}`;
      const whole = figures.states % how.wholeEvery === 0;
      const wrong = await lookAt(folder, expected(first, ops, moment), how.durability, whole);
      figures.wrong.push(...wrong.map((sentence) => `${where}: ${sentence}`));
    }
  }
  for (const place of [folder, template.folder]) fs.rmSync(place, { recursive: true, force: true });
  return figures;
}

/** What was promised last before the cut, and what would have been promised next. */
function expected(first: State, ops: readonly Op[], moment: number): State[] {
  const promises = ops.flatMap((op, at) => (op.do === "promise" ? [{ at, notes: op.notes }] : []));
  const last = promises.findLast(({ at }) => at < moment)?.notes ?? first;
  const next = promises.find(({ at }) => at >= moment)?.notes ?? last;
  return [last, next];
}

function filesIn(vault: string): Before {
  return fs
    .readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((place) => ({ path: place.slice(vault.length + 1), bytes: fs.readFileSync(place) }));
}

/** Our own folder keeps its inode, by which a copy of a vault is told from the vault itself. */
function layOut(vault: string, { folders, files }: Disk): void {
  const home = join(vault, ".notewright");
  for (const name of fs.readdirSync(vault))
    if (name !== ".notewright") fs.rmSync(join(vault, name), { recursive: true });
  for (const name of fs.readdirSync(home)) fs.rmSync(join(home, name), { recursive: true });
  for (const path of folders) fs.mkdirSync(join(vault, path), { recursive: true });
  for (const [name, bytes] of files) {
    // After a power cut the machine is started anew, and what is kept tells so.
    const path = name.startsWith(".notewright/guard/") ? name.replace(/[0-9a-f]{8}$/, "00000000") : name;
    fs.mkdirSync(dirname(join(vault, path)), { recursive: true });
    fs.writeFileSync(join(vault, path), bytes);
  }
}

async function lookAt(
  folder: string,
  allowed: State[],
  durability: "full" | "fast",
  whole: boolean,
): Promise<string[]> {
  const found: string[] = [];
  try {
    const process = await openTestFolder(join(folder, "vault"), { durability: "fast", idle: !whole });
    await process.store.alone(async () => {});
    const { "later.md": _, ...left } = notesIn(folder);
    const is = JSON.stringify(Object.entries(left).toSorted());
    const fits = allowed.some((state) => JSON.stringify(Object.entries(state).toSorted()) === is);
    if (durability === "full" && !fits)
      found.push(`neither what was promised nor what was next: ${describe(left, allowed)}`);
    if (whole) {
      await process.notebook.write(path("later.md"), "the vault can be written");
      const [last] = await process.notebook.log({ path: path("later.md"), limit: 1 });
      if (!last) found.push("what was written next is not in the history");
    }
    await process.close();
    const aside = /^(?:journal\/set-aside|lock-set-aside|history\.git\.damaged-)/;
    // Without flushes what is kept may be damaged too; it becomes a copy beside the note.
    const late = durability === "fast" ? /^(?:late: |guard\/)/ : aside;
    const strays = straysIn(folder).filter((name) => !aside.test(name) && !late.test(name));
    if (whole && strays.length > 0) found.push(`strays: ${strays.join(", ")}`);
  } catch (error) {
    found.push(`it does not open: ${String(error)}`);
  }
  return found;
}

function describe(left: State, allowed: State[]): string {
  const names = new Set([...Object.keys(left), ...allowed.flatMap((state) => Object.keys(state))]);
  return [...names]
    .filter((name) => allowed.every((state) => state[name] !== left[name]))
    .map((name) => `${name} = ${JSON.stringify(left[name])}`)
    .join("; ");
}
