/** Moves: a folder of thousands of notes that thousands link into, and a note that long notes link to, beside a script that rewrites the same files as durably. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { closeServers, startServer, type Served } from "./client.ts";
import { indexed } from "./dialect.ts";
import { median, pause, right, stopwatch, until } from "./measure.ts";
import { durableReplace, durableWrite } from "./raw.ts";
import { noteText } from "./vault.ts";

const { values } = parseArgs({
  options: { size: { type: "string", default: "6600" }, rounds: { type: "string", default: "3" } },
});
const size = Number(values.size);
const rounds = Number(values.rounds);
/** Of 6,600 notes 3,000 are in the folder that moves, and 2,000 of the others link into it. */
const inFolder = Math.round((size * 3000) / 6600);
const linking = Math.round((size * 2000) / 6600);
const SUBFOLDERS = 30;
const BACKLINKS = 40;
const INDEX_NOTES = 4;
const INDEX_LINES = 1400;
const RENAMES = 10;

const isIn = (number: number): boolean => number < inFolder;
const inside = (number: number): string => `part ${number % SUBFOLDERS}/Note ${number}.md`;
const pathOf = (number: number, folder: string): string =>
  isIn(number) ? `${folder}/${inside(number)}` : `other ${number % 50}/Note ${number}.md`;
const linksInto = (number: number): boolean => !isIn(number) && number < inFolder + linking;

/** Three links into the folder: by path, from the note's own folder, and by name, which stays. */
function textOf(number: number, folder: string): string {
  const text = noteText(number, size);
  if (isIn(number))
    return `${text}\n[next](Note%20${(number + SUBFOLDERS) % inFolder}.md), [out](../../other%200/x.md)\n`;
  if (!linksInto(number)) return text;
  const [first, second] = [number % inFolder, (number * 7) % inFolder];
  const relative = encodeURI(`../${folder}/${inside(second)}`);
  return `${text}\n[[${folder}/${inside(first).slice(0, -3)}]] [there](${relative}) [[Note ${first}]]\n`;
}

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** The hub is linked from forty notes, some of which are long lists of links. */
const linkers = Array.from(
  { length: BACKLINKS },
  (_, at) => `hubs/${at < INDEX_NOTES ? "Index" : "Linker"} ${at}.md`,
);
function linkerText(at: number, hub: string): string {
  const link = `- see [[${hub}]] for more\n`;
  if (at >= INDEX_NOTES) return `# Linker ${at}\n\n${link}`;
  const lines = Array.from(
    { length: INDEX_LINES },
    (_, line) => `- [[Note ${(line * 3 + at) % size}]] of list ${at}\n`,
  );
  return `# Index ${at}\n\n${lines.join("")}${link}`;
}

function makeVault(root: string): void {
  for (let number = 0; number < size; number++) put(root, pathOf(number, "Area0"), textOf(number, "Area0"));
  put(root, "other 0/x.md", "# x\n");
  put(root, "hubs/Hub 0.md", "# Hub\n");
  linkers.forEach((path, at) => put(root, path, linkerText(at, "Hub 0")));
}

/** What the move does to the files, done by a script that makes each of them as durable. */
function rawMove(root: string, from: string, to: string): void {
  for (let number = 0; number < inFolder; number++)
    mkdirSync(dirname(join(root, pathOf(number, to))), { recursive: true });
  for (let number = 0; number < inFolder + linking; number++) {
    const old = join(root, pathOf(number, from));
    const text = readFileSync(old, "utf8").replaceAll(`${from}/`, `${to}/`);
    durableWrite(join(root, pathOf(number, to)), text);
    if (isIn(number)) unlinkSync(old);
  }
}

async function moveFolder(server: Served, vault: string, copy: string): Promise<string[]> {
  const watch = stopwatch();
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [from, to] = [`Area${round}`, `Area${round + 1}`];
    await watch.time("raw", () => rawMove(copy, from, to));
    const moves = [{ from: `${from}/`, to: `${to}/` }];
    await watch.time("dry", () => server.ask("move_notes", { moves, dry_run: true }));
    const start = performance.now();
    let told = 0;
    await watch.time("move", () =>
      server.ask("move_notes", { moves }, () => void (told ||= performance.now() - start)),
    );
    first.push(told || Number.POSITIVE_INFINITY);
    for (let number = 0; number < inFolder + linking; number += 17)
      right(
        readFileSync(join(vault, pathOf(number, to)), "utf8") ===
          readFileSync(join(copy, pathOf(number, to)), "utf8"),
        `moved or rewritten ${pathOf(number, to)}`,
      );
  }
  const [raw, move, dry] = [median(watch.of("raw")), median(watch.of("move")), median(watch.of("dry"))];
  return [
    row(
      `move a folder of ${inFolder} notes, ${linking} link into it`,
      move,
      `${(move / raw).toFixed(2)} × raw (${raw.toFixed(0)} ms)`,
      move <= 4 * raw,
      "4 × raw",
    ),
    row(
      "the same, as a dry run",
      dry,
      `${(dry / move).toFixed(2)} × the move`,
      dry <= move / 2,
      "half the move",
    ),
    row("first progress", median(first), "", median(first) <= 1000, "1 s"),
  ];
}

async function renameHub(server: Served, vault: string, copy: string): Promise<string[]> {
  const watch = stopwatch();
  for (let round = 0; round < RENAMES; round++) {
    const [from, to] = [`Hub ${round}`, `Hub ${round + 1}`];
    await watch.time("raw", () => {
      durableReplace(
        linkers.map((path) => join(copy, path)),
        `[[${from}]]`,
        `[[${to}]]`,
      );
      durableWrite(join(copy, `hubs/${to}.md`), "# Hub\n");
      unlinkSync(join(copy, `hubs/${from}.md`));
    });
    await watch.time("rename", () =>
      server.ask("move_notes", { moves: [{ from: `hubs/${from}.md`, to: `hubs/${to}.md` }] }),
    );
    for (const path of linkers)
      right(
        readFileSync(join(vault, path), "utf8") === readFileSync(join(copy, path), "utf8"),
        `links of ${path}`,
      );
  }
  const [raw, rename] = [median(watch.of("raw")), median(watch.of("rename"))];
  const what = `rename a note with ${BACKLINKS} backlinks, ${INDEX_NOTES} from notes of ${INDEX_LINES} lines`;
  return [
    row(
      what,
      rename,
      `${(rename / raw).toFixed(2)} × raw (${raw.toFixed(1)} ms)`,
      rename <= 4 * raw,
      "4 × raw",
    ),
  ];
}

const row = (what: string, ms: number, ratio: string, held: boolean, bar: string): string =>
  `| ${what} | ${ms.toFixed(1)} | ${ratio} | ${bar}: ${held ? "held" : "missed"} |`;

const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
try {
  const [vault, copy] = [join(home, "vault"), join(home, "copy")];
  makeVault(vault);
  cpSync(vault, copy, { recursive: true });
  await pause(2500);
  const server = await startServer(vault, join(home, "cache"), "native");
  await until(async () => (await indexed(server)).whole, 50);
  await until(async () => existsSync(join(vault, ".notewright/history.git/refs/heads/main")), 50);
  const rows = [...(await renameHub(server, vault, copy)), ...(await moveFolder(server, vault, copy))];
  console.log(`${size} notes; Node ${process.version}\n`);
  console.log("| what | median ms | beside | bar |\n| --- | ---: | --- | --- |");
  console.log(rows.join("\n"));
} finally {
  await closeServers();
  rmSync(home, { recursive: true, force: true });
}
