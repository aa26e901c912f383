/** Recording: one note's change beside `git add` and `git commit` on the same notes in the same run, lists of revisions, undo, and the first recording. */

import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openFolder, type Open } from "../src/vault/open.ts";
import { openDisk } from "../src/disk/files.ts";
import { openGit, type GitHistory } from "../src/history/git.ts";
import type { Change } from "../src/notebook/change.ts";
import type { NotePath } from "../src/notebook/paths.ts";
import { noteOf, record } from "../src/notebook/suites/scribe.ts";
import { openLedger } from "../src/index/ledger.ts";
import { lockOpener, openSql } from "../src/sqlite/node.ts";
import { openFolder as openStore } from "../src/stores/folder.ts";
import { median, right, stopwatch } from "./measure.ts";
import { makeVault, notePathOf, noteText } from "./vault.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "10000" } } });
const size = Number(values.size);
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const who = { client: "bench", surface: "native", tool: "edit", connection: "one" };
const COMMITS = 40;
const REVISIONS = 1000;
const LISTS = 20;

const watch = stopwatch();
const pathOf = (number: number): NotePath => notePathOf(number) as NotePath;
const edited = (path: NotePath, before: string, after: string): Change[] => [
  { path, before: noteOf(path, before), after: noteOf(path, after), why: "asked" },
];

/** `ofGit`: as one part of that many; `ms`: absolute. */
type Bar = { ofGit: number } | { ms: number };
function row(name: string, timed: string, against?: string, bar?: Bar): string {
  const times = watch.of(timed);
  const parts = against === undefined ? null : median(watch.of(against)) / median(times);
  const met = bar && ("ms" in bar ? median(times) < bar.ms : parts! >= bar.ofGit);
  const said = !bar
    ? ""
    : `${"ms" in bar ? `< ${bar.ms} ms` : `≤ 1/${bar.ofGit}`}: ${met ? "met" : "MISSED"}`;
  return `| ${name} | ${Math.min(...times).toFixed(1)} | ${median(times).toFixed(1)} | ${parts === null ? "" : `1/${parts.toFixed(1)}`} | ${said} |`;
}

async function openHistory(durability: "full" | "fast", vault: string): Promise<GitHistory> {
  const ledger = openLedger(await openSql(join(home, `${durability}.db`)));
  return openGit(openDisk(vault), { ledger, durability, outsideAuthor: "someone", now: () => new Date() });
}

const openNotebook = (vault: string): Promise<Open> =>
  openFolder(vault, {
    readOnly: false,
    index: join(home, "index.db"),
    durability: "full",
    history: true,
    timeZone: "UTC",
    environment: {},
    report(what, error) {
      throw new Error(what, { cause: error });
    },
    tell(sentence) {
      throw new Error(sentence);
    },
  });

/** Of the whole of it, how long the vault's lock was held at most is taken down too. */
async function firstRecording(history: GitHistory, vault: string, name: string): Promise<void> {
  const store = await openStore(vault, { openLock: await lockOpener(), readOnly: false, durability: "fast" });
  const { alone } = store;
  const locked = stopwatch();
  store.alone = (work) => alone(() => locked.time("lock", work));
  await watch.time(name, () => history.catchUp(store, new Date()));
  watch.of(`${name}, locked`).push(Math.max(...locked.of("lock")));
  await store.close();
}

try {
  const vaults = Object.fromEntries(["git", "notebook", "full", "fast"].map((it) => [it, join(home, it)]));
  const [git, notebook, full, fast] = [vaults.git!, vaults.notebook!, vaults.full!, vaults.fast!];
  makeVault(git, size);
  for (const copy of [notebook, full, fast]) cpSync(git, copy, { recursive: true });
  const settings = ["user.name=bench", "user.email=bench@localhost", "gc.auto=0"].flatMap((it) => ["-c", it]);
  const run = (...args: string[]) => execFileSync("git", ["-C", git, ...settings, ...args]);
  run("init", "-q");
  await watch.time("git, all", () => (run("add", "-A"), run("commit", "-q", "-m", "all")));

  const histories = { full: await openHistory("full", full), fast: await openHistory("fast", fast) };
  await firstRecording(histories.full, full, "first");
  await firstRecording(histories.fast, fast, "first, fast");
  const open = await openNotebook(notebook);
  await open.catchUp(() => undefined);
  const asking = open.notebook.as(who);

  for (let round = 0; round < COMMITS; round++) {
    const number = (round * 37) % size;
    const path = pathOf(number);
    const text = noteText(number, size);
    const change = edited(path, text, `${text}more\n`);
    const edits = [{ path, edits: [(old: string) => `${old}more\n`] }];
    await watch.time("notebook", () => asking.edit(edits));
    await watch.time("full", () => record(histories.full, change, "Update", who, new Date()));
    await watch.time("fast", () => record(histories.fast, change, "Update", who, new Date()));
    appendFileSync(join(git, path), "more\n");
    await watch.time("git", () => (run("add", "--", path), run("commit", "-q", "-m", "Update")));
    right(readFileSync(join(notebook, path), "utf8") === `${text}more\n`, "the edit is not on disk");
  }
  const bench = await open.history.log({ author: "bench", limit: size });
  right(bench.length === COMMITS, "each edit is one revision");
  await watch.time("undo", () => asking.undo(bench));
  right(readFileSync(join(notebook, pathOf(37 % size)), "utf8") === noteText(37 % size, size), "the undo");
  await open.close();
  execFileSync("git", ["--git-dir", join(notebook, ".notewright/history.git"), "fsck", "--full"], {
    stdio: "ignore",
  });

  const path = pathOf(size - 1);
  let text = noteText(size - 1, size);
  for (let round = 0; round < REVISIONS; round++) {
    await record(histories.fast, edited(path, text, `revision ${round}`), "Update", who, new Date());
    text = `revision ${round}`;
  }
  for (let round = 0; round < LISTS; round++) {
    const listed = await watch.time("list", () => histories.fast.log({ path, limit: REVISIONS }));
    right(listed.length === REVISIONS, "every revision is listed");
  }
  await histories.full.close();
  await histories.fast.close();

  const version = execFileSync("git", ["--version"], { encoding: "utf8" }).trim();
  console.log(`${size} notes in 100 folders; Node ${process.version}, ${version}\n`);
  console.log("| what | least ms | median ms | of git's | bar |\n| --- | ---: | ---: | ---: | --- |");
  console.log(row("git add, git commit: one note", "git"));
  console.log(row("recording one note, durable", "full", "git", { ofGit: 10 }));
  console.log(row("recording one note, not waiting for the disk", "fast", "git", { ofGit: 10 }));
  console.log(row("an edit through the notebook: written, recorded, indexed, durable", "notebook", "git"));
  console.log(row(`undo of ${COMMITS} edits of ${COMMITS} notes, as one`, "undo"));
  console.log(row(`list ${REVISIONS} revisions of a note`, "list", undefined, { ms: 20 }));
  console.log(row("git add, git commit: all notes", "git, all"));
  console.log(row("first recording", "first", "git, all"));
  console.log(row("of it holding the vault's lock, at most", "first, locked"));
} finally {
  rmSync(home, { recursive: true, force: true });
}
