/** One case of hostile ground: something odd stands somewhere from one moment of a session on, and the session goes on. */

import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { quickPlace } from "../faults/faulty.ts";
import { NOTES } from "../faults/tools.ts";
import { serveFolder, type Served } from "../served-folder.ts";
import { KINDS, PLACES, possibleKinds, type Stage } from "./places.ts";

export const MOMENTS = ["start", "read", "write", "move", "delete", "undo", "check", "end"] as const;
export type Moment = (typeof MOMENTS)[number];
export type Case = { place: string; kind: string; moment: Moment };

const SECRET = "what lies outside";
const BYSTANDER = "kb/two.md";
/** Ten times the second in which a read is answered. */
const HANG_MS = 10_000;

export type Ground = {
  cases: Case[];
  /** `afterwards`: what was planted is taken away again, and the vault served once more. */
  play(it: Case, lane: number, afterwards?: boolean): Promise<void>;
  remove(): void;
};

/** Cases at a time, each in a folder of its own: half of a case is waiting. */
const LANES = 4;

/** Plays them all; gives what went wrong, in a sentence each. */
export async function playAll(
  ground: Ground,
  cases: readonly Case[],
  how: { afterwards(number: number): boolean },
): Promise<string[]> {
  const failed: string[] = [];
  const left = cases.entries();
  const lane = async (number: number): Promise<void> => {
    for (const [at, it] of left)
      await ground
        .play(it, number, how.afterwards(at))
        .catch((error: unknown) => failed.push(`${Object.values(it).join(", ")}: ${messageOf(error)}`));
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return failed;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function makeGround(): Promise<Ground> {
  const folder = fs.realpathSync(fs.mkdtempSync(join(quickPlace, "notewright-ground-")));
  const template = stageIn(join(folder, "template"));
  await makeTemplate(template);
  const cases = Object.keys(PLACES).flatMap((place) =>
    possibleKinds(folder).flatMap((kind) => MOMENTS.map((moment): Case => ({ place, kind, moment }))),
  );
  return {
    cases,
    play: (it, lane, afterwards = true) =>
      play(it, join(folder, "template"), join(folder, String(lane)), afterwards),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

const stageIn = (folder: string): Stage => ({
  vault: join(folder, "vault"),
  cache: join(folder, "cache"),
  outside: join(folder, "outside"),
});

const serve = ({ vault, cache }: Stage): Promise<Served> =>
  serveFolder(vault, cache, { index: join(cache, "index.db") });

/** A vault that has been in use: notes, rules, trash, a history with loose objects and a pack; and what lies beside it. */
async function makeTemplate(stage: Stage): Promise<void> {
  fs.mkdirSync(join(stage.outside, "folder"), { recursive: true });
  fs.writeFileSync(join(stage.outside, "secret.md"), SECRET);
  fs.writeFileSync(join(stage.outside, "folder/secret.md"), SECRET);
  for (const [path, text] of Object.entries(NOTES)) {
    fs.mkdirSync(join(stage.vault, path, ".."), { recursive: true });
    fs.writeFileSync(join(stage.vault, path), text);
  }
  const served = await serve(stage);
  // What is asked of the past waits until every note is recorded.
  expect((await served.call("native", "get_history", {})).said).toMatch(/as found/);
  for (const [tool, input] of [
    ["write_note", { path: "made.md", text: "made" }],
    ["delete_note", { path: "folder/Gamma.md" }],
  ] as const)
    expect(await served.call("native", tool, input)).toMatchObject({ refused: false });
  await served.close();
  fs.mkdirSync(join(stage.vault, ".notewright/journal"), { recursive: true });
}

/** Every file and folder with its kind, mode and text, without following a link. */
function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name);
    const { mode, mtimeMs } = fs.lstatSync(at);
    found[at.slice(folder.length)] =
      `${mode} ${mtimeMs} ${entry.isFile() ? fs.readFileSync(at, "latin1") : ""}`;
  }
  return found;
}

type Step = { surface: string; tool: string; input: object };
const STEPS: Partial<Record<Moment, Step>> = {
  read: { surface: "native", tool: "read_notes", input: { notes: ["Alpha.md"] } },
  write: { surface: "native", tool: "write_note", input: { path: "new.md", text: "newly written" } },
  move: { surface: "native", tool: "move_notes", input: { moves: [{ from: "Beta.md", to: "Omega.md" }] } },
  delete: { surface: "obsidian", tool: "delete_note", input: { name: "made" } },
  undo: { surface: "native", tool: "undo_changes", input: { last: 1 } },
  check: { surface: "native", tool: "check_vault", input: {} },
};

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end`)), HANG_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function play(it: Case, template: string, folder: string, afterwards: boolean): Promise<void> {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(template, folder, { recursive: true, preserveTimestamps: true });
  const stage = stageIn(folder);
  const where = `${it.place}: ${it.kind}, from ${it.moment} on`;
  const outside = treeOf(stage.outside);
  const bystander = fs.readFileSync(join(stage.vault, BYSTANDER), "latin1");
  let planted = "";
  let served: Served | null = null;
  for (const moment of MOMENTS) {
    if (moment === it.moment) KINDS[it.kind]!((planted = PLACES[it.place]!(stage)), stage);
    const what = `${where}: ${moment}`;
    if (moment === "start")
      served = await inTime(what, serve(stage)).catch((error: unknown) => refusedStart(what, error));
    else if (moment === "end") await inTime(what, served?.close() ?? Promise.resolve());
    else if (served) await step(stage, served, moment, what);
  }
  expect(served?.reported.filter((line) => !isAboutTheGround(line)) ?? [], where).toEqual([]);
  expect(treeOf(stage.outside), `outside changed: ${where}`).toEqual(outside);
  expect(fs.readFileSync(join(stage.vault, BYSTANDER), "latin1"), where).toBe(bystander);
  if (afterwards) await goesOn(stage, planted, where);
}

/** A vault or cache that cannot be used at all is refused in a sentence, not with a stack. */
function refusedStart(what: string, error: unknown): null {
  expect((error as { code?: string }).code, `${what}: ${String(error)}`).toMatch(/^(?:disk_|path_|input_)/);
  return null;
}

/** Sentences about the disk, the history or the index are what a person should hear; a defect is none of them. */
const isAboutTheGround = (line: string): boolean => /NoteError|E[A-Z]{3,}|SQLITE|could not|cannot/.test(line);

async function step(stage: Stage, served: Served, moment: Moment, what: string): Promise<void> {
  const { surface, tool, input } = STEPS[moment]!;
  const { refused, said } = await inTime(what, served.call(surface, tool, input));
  expect(said, what).not.toContain(SECRET);
  expect(said, what).not.toMatch(/internal error/i);
  if (moment === "read") {
    expect(refused, `${what}: ${said}`).toBe(false);
    expect(said, what).toContain("Monday");
  }
  if (moment === "write" && !refused)
    expect(fs.readFileSync(join(stage.vault, "new.md"), "utf8"), what).toBe("newly written");
}

/** Once it is taken away again, the vault is read and written as ever. */
async function goesOn(stage: Stage, planted: string, where: string): Promise<void> {
  fs.rmSync(planted, { recursive: true, force: true });
  const what = `${where}: afterwards`;
  const served = await inTime(what, serve(stage));
  const { said: text } = await inTime(what, served.call("native", "read_notes", { notes: ["Alpha.md"] }));
  expect(text, what).toContain("Monday");
  const write = await inTime(what, served.call("native", "write_note", { path: "later.md", text: "later" }));
  expect(write.refused, `${what}: ${write.said}`).toBe(false);
  const search = await inTime(what, served.call("native", "search_notes", { query: "later" }));
  expect(search.said, what).toContain("later.md");
  await inTime(what, served.close());
}
