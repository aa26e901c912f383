/** Recording: one note's commit beside `git add` and `git commit` on the same vault in the same run, the first recording, and lists of revisions. */

import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDisk } from "../src/disk/files.ts";
import { openGit, type GitHistory } from "../src/history/git.ts";
import type { Change } from "../src/notebook/change.ts";
import type { NotePath } from "../src/notebook/paths.ts";
import { noteOf } from "../src/notebook/suites/scribe.ts";
import { openLedger } from "../src/sqlite/ledger.ts";
import { lockOpener, openSql } from "../src/sqlite/node.ts";
import { openFolder } from "../src/stores/folder.ts";
import { makeVault, notePathOf, noteText } from "./vault.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "10000" } } });
const size = Number(values.size);
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const who = { client: "bench", surface: "native", tool: "edit", connection: "one" };
const COMMITS = 40;
const REVISIONS = 1000;

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
const least = (times: number[]): number => Math.min(...times);
const row = (name: string, times: number[], against?: number[]): string =>
  `| ${name} | ${least(times).toFixed(1)} | ${median(times).toFixed(1)} | ${against ? `1 / ${(median(against) / median(times)).toFixed(1)}` : ""} |`;

const edited = (path: NotePath, before: string, after: string): Change[] => [
  { path, before: noteOf(path, before), after: noteOf(path, after), why: "asked" },
];

async function open(durability: "full" | "fast", vault: string): Promise<GitHistory> {
  const ledger = openLedger(await openSql(join(home, `${durability}.db`)));
  return openGit(openDisk(vault), { ledger, durability, outsideAuthor: "someone", now: () => new Date() });
}

async function firstRecording(
  history: GitHistory,
  vault: string,
): Promise<{ whole: number; locked: number }> {
  const store = await openFolder(vault, {
    openLock: await lockOpener(),
    readOnly: false,
    durability: "fast",
  });
  const { alone } = store;
  let locked = 0;
  store.alone = (work) =>
    alone(async () => {
      const start = performance.now();
      const result = await work();
      locked = Math.max(locked, performance.now() - start);
      return result;
    });
  const whole = await timed(() => history.catchUp(store, new Date()));
  await store.close();
  return { whole, locked };
}

try {
  const vaults = { full: join(home, "full"), fast: join(home, "fast"), git: join(home, "git") };
  makeVault(vaults.full, size);
  cpSync(vaults.full, vaults.fast, { recursive: true });
  cpSync(vaults.full, vaults.git, { recursive: true });
  const settings = ["user.name=bench", "user.email=bench@localhost", "gc.auto=0"].flatMap((it) => ["-c", it]);
  const git = (...args: string[]) => execFileSync("git", ["-C", vaults.git, ...settings, ...args]);
  git("init", "-q");
  const added = await timed(() => (git("add", "-A"), git("commit", "-q", "-m", "all")));

  const [full, fast] = [await open("full", vaults.full), await open("fast", vaults.fast)];
  const first = await firstRecording(full, vaults.full);
  await firstRecording(fast, vaults.fast);

  const times = { full: [] as number[], fast: [] as number[], git: [] as number[] };
  for (let round = 0; round < COMMITS; round++) {
    const number = (round * 37) % size;
    const path = notePathOf(number) as NotePath;
    const text = noteText(number, size);
    const change = edited(path, text, `${text}more\n`);
    times.full.push(await timed(() => full.record(change, "Update", who, new Date())));
    times.fast.push(await timed(() => fast.record(change, "Update", who, new Date())));
    appendFileSync(join(vaults.git, path), "more\n");
    times.git.push(await timed(() => (git("add", "-A"), git("commit", "-q", "-m", "Update"))));
  }

  const path = notePathOf(size - 1) as NotePath;
  let text = noteText(size - 1, size);
  for (let round = 0; round < REVISIONS; round++) {
    await fast.record(edited(path, text, `revision ${round}`), "Update", who, new Date());
    text = `revision ${round}`;
  }
  const lists: number[] = [];
  for (let round = 0; round < 20; round++)
    lists.push(await timed(() => fast.log({ path, limit: REVISIONS })));

  console.log(
    `${size} notes in 100 folders; Node ${process.version}, ${execFileSync("git", ["--version"], { encoding: "utf8" })}`,
  );
  console.log("| what | least ms | median ms | of git's |\n| --- | ---: | ---: | ---: |");
  console.log(row("git add, git commit: one note", times.git));
  console.log(row("one note, durable", times.full, times.git));
  console.log(row("one note, not waiting for the disk", times.fast, times.git));
  console.log(row(`list ${REVISIONS} revisions of a note`, lists));
  console.log(row("git add, git commit: all notes", [added]));
  console.log(row("first recording", [first.whole], [added]));
  console.log(row("  of it holding the lock, at most", [first.locked]));
  await full.close();
  await fast.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
