/**
 * Every hot path, asked of a real server by a real client, interleaved with the raw limits of the same moment; every answer is checked.
 * `npm run bench -- [--size N]… [--vault DIR] [--json FILE] [--peers]`
 */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdown, rowOf, type Figure, type Row } from "./bars.ts";
import { closeServers, start, startServer, type Served } from "./client.ts";
import { indexed, native, type Dialect } from "./dialect.ts";
import { median, pause, right, stopwatch, timed, until, type Watch } from "./measure.ts";
import { comparePeers } from "./peers.ts";
import { durableReplace, durableWrite, plainGit, plainIndex, plainSearch, type Plain } from "./raw.ts";
import {
  addHubs,
  HUBS,
  hubPath,
  LINKERS,
  linkerPath,
  sampleVault,
  type Query,
  type Sample,
} from "./sample.ts";
import { makeFlatVault, makeVault } from "./vault.ts";
import { openSql } from "../src/sqlite/node.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1000", "10000", "100000"] },
    vault: { type: "string" },
    json: { type: "string" },
    peers: { type: "boolean", default: false },
  },
});

const STARTS = 7;
const ROUNDS = 300;
/** Rounds before those that count: a session is longer than its first calls. */
const WARMING = 30;
/** Runs of anything that writes, and writes in each. */
const RUNS = 5;
const WRITES = 30;
/** Above this the raw index is made of as many notes, and its time taken to grow with their number. */
const RAW_NOTES = 200_000;
/** Above this a copy under plain git, or with all notes in one folder, takes longer than it tells. */
const COPIED_NOTES = 20_000;

type Place = { home: string; vault: string; cache: string; generated: boolean };
type Figures = Map<string, Figure>;

const floorCommand = (vault: string) => ({
  args: [join(process.cwd(), "bench/floor-server.mjs"), vault],
});
const figure = (times: readonly number[], raw?: readonly number[], of?: string): Figure => ({
  ours: median(times),
  runs: times.length,
  ...(raw === undefined ? {} : { raw: median(raw), ...(of === undefined ? {} : { of }) }),
});

const pick = <T>(all: readonly T[], round: number): T => all[round % all.length]!;

const rawFile = ({ home }: Place): string => join(home, "raw.db");

/** What the raw inserts take, and from the same pass what is to be asked. */
async function rawIndex(place: Place): Promise<{ sample: Sample; ms: number }> {
  let notes: Plain[] = [];
  const sample = sampleVault(place.vault, (note) => notes.length < RAW_NOTES && notes.push(note));
  const share = sample.paths.length / notes.length;
  const { ms } = await timed(() => plainIndex(rawFile(place), notes));
  notes = [];
  return { sample, ms: ms * share };
}

async function coldIndex(place: Place, notes: number, raw: number, figures: Figures): Promise<void> {
  let server!: Served;
  const { ms } = await timed(async () => {
    server = await startServer(place.vault, place.cache, "native");
    await until(async () => {
      const { total, whole } = await indexed(server);
      return whole && total === notes;
    }, 20);
  });
  const peak = server.memory().most;
  const recorded = await timed(() =>
    until(async () => existsSync(join(place.vault, ".notewright/history.git/refs/heads/main")), 50),
  );
  await quiet(server);
  figures.set("cold", { ours: ms, raw, of: "FTS5, links, tags", runs: 1 });
  if (notes > 50_000) figures.set("cold-large", { ours: ms / 1000, unit: "s", runs: 1 });
  figures.set("recorded", { ours: ms + recorded.ms, runs: 1 });
  figures.set("memory-peak", { ours: Math.max(peak, server.memory().most), unit: "MB", runs: 1 });
  await server.close();
}

/** Until it has had nothing to do for a while. */
async function quiet(server: Served): Promise<void> {
  let before = -1;
  await until(async () => {
    const now = server.cpu();
    const still = now - before < 0.02;
    before = now;
    return still;
  }, 500);
}

async function starts(place: Place, sample: Sample, figures: Figures): Promise<void> {
  const watch = stopwatch();
  const memory: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const path = sample.reads[round % sample.reads.length]!;
    const text = readFileSync(join(place.vault, path), "utf8");
    const floor = await watch.time("floor", async () => {
      const server = await start(floorCommand(place.vault));
      right((await server.call("read", { path })) === text, "the floor's first answer");
      return server;
    });
    await floor.close();
    const ours = await watch.time("start", async () => {
      const server = await startServer(place.vault, place.cache, "native");
      right((await native(server).read(path)).includes(text), "the first answer");
      return server;
    });
    await quiet(ours);
    memory.push(ours.memory().now);
    await ours.close();
    const edited = sample.paths.at(-1 - round)!;
    const mark = `absence${round}mark`;
    writeFileSync(join(place.vault, edited), `${readFileSync(join(place.vault, edited), "utf8")}\n${mark}\n`);
    const server = await watch.time("sweep", async () => {
      const started = await startServer(place.vault, place.cache, "native");
      await until(async () => (await native(started).search([mark])).paths[0] === edited, 5);
      return started;
    });
    await quiet(server);
    await server.close();
  }
  figures.set("start", figure(watch.of("start"), watch.of("floor"), "floor"));
  figures.set("sweep", figure(watch.of("sweep")));
  figures.set("memory-idle", { ours: median(memory), unit: "MB", runs: STARTS });
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Every hit holds one of the words, and a word of a single note finds that note. */
function checkFound(place: Place, { words, from }: Query, found: { paths: string[]; total: number }): void {
  const what = `search for ${words.join(" ")}`;
  right(found.paths.length === Math.min(10, found.total) && found.paths.length > 0, `${what}: how many`);
  for (const path of found.paths) {
    const text = folded(`${path} ${readFileSync(join(place.vault, path), "utf8")}`);
    right(
      words.some((word) => text.includes(folded(word))),
      `${what}: ${path}`,
    );
  }
  if (found.total <= 10) right(found.paths.includes(from), `${what}: not ${from}`);
}

async function reads(
  place: Place,
  sample: Sample,
  ours: Required<Dialect>,
  floor: Served,
  figures: Figures,
): Promise<void> {
  const watch = stopwatch();
  const sql = await openSql(rawFile(place));
  for (let round = -WARMING; round < ROUNDS; round++) {
    const w: Watch = round < 0 ? stopwatch() : watch;
    const at = Math.abs(round);
    const path = pick(sample.reads, at);
    const text = readFileSync(join(place.vault, path), "utf8");
    await w.time("nothing", () => floor.call("nothing", {}));
    await w.time("raw-read", () => readFileSync(join(place.vault, path), "utf8"));
    right((await w.time("floor-read", () => floor.call("read", { path }))) === text, "the floor's read");
    right((await w.time("read", () => ours.read(path))).includes(text), `read ${path}`);
    for (const kind of ["rare", "mid", "two", "common"] as const) {
      const query = pick(sample[kind], at);
      const raw = await w.time(`raw-${kind}`, () => plainSearch(sql, query.words));
      right(raw.length > 0, `plain search for ${query.words.join(" ")}`);
      checkFound(place, query, await w.time(kind, () => ours.search(query.words)));
    }
    if (sample.tags.length > 0) {
      const { tag, notes } = pick(sample.tags, at);
      const { total } = await w.time("tag", () => ours.tag(tag));
      right(place.generated ? total === notes : total >= notes, `tag ${tag}: ${total} of ${notes}`);
    }
    const { folder, notes } = pick(sample.folders, at);
    const listed = await w.time("list", () => ours.list(folder));
    right(listed.total === notes, `list ${folder}: ${listed.total} of ${notes}`);
    const target = pick(sample.targets, at);
    const linking = await w.time("backlinks", () => ours.backlinks(target.path));
    right(
      place.generated ? linking.total === target.sources : linking.total > 0,
      `links to ${target.path}: ${linking.total} of ${target.sources}`,
    );
  }
  sql.close();
  const floorRead = watch.of("floor-read");
  const trip = median(watch.of("nothing"));
  figures.set("read", {
    ...figure(watch.of("read"), floorRead, "floor"),
    alone: median(watch.of("raw-read")),
  });
  for (const kind of ["rare", "mid", "two", "common"]) {
    const raw = median(watch.of(`raw-${kind}`));
    figures.set(`search-${kind}`, {
      ...figure(watch.of(kind)),
      raw: raw + trip,
      of: "SQL + trip",
      alone: raw,
    });
  }
  for (const kind of ["tag", "list", "backlinks"])
    if (watch.of(kind).length > 0) figures.set(kind, figure(watch.of(kind), floorRead, "floor read"));
}

const indexFile = ({ cache }: Place): string => {
  const found = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) =>
    /index-[^/]*\.db$/.test(name),
  );
  return join(cache, found.at(-1)!);
};

/** Folders with as many files as those of these notes, beside the vault: raw writes in it would be another program's changes, which are looked at. */
function foldersLike(vault: string, paths: readonly string[], copy: string): string {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    mkdirSync(join(copy, folder), { recursive: true });
    for (const name of readdirSync(join(vault, folder))) writeFileSync(join(copy, folder, name), "");
  }
  return copy;
}

/** Median of the medians of several runs: what writes varies more between runs than within one. */
async function writes(
  place: Place,
  sample: Sample,
  ours: Required<Dialect>,
  floor: Served,
  figures: Figures,
  suffix = "",
): Promise<void> {
  const medians: Record<string, number[]> = { create: [], append: [], raw: [], git: [], trip: [] };
  const git =
    suffix === "" && sample.paths.length <= COPIED_NOTES
      ? plainGit(place.vault, join(place.home, "git"))
      : null;
  const written = sample.reads.slice(0, WARMING + RUNS * WRITES);
  const beside = foldersLike(place.vault, written, join(place.home, `raw${suffix}`));
  for (let run = -WARMING / WRITES; run < RUNS; run++) {
    const watch = stopwatch();
    for (let count = 0; count < WRITES; count++) {
      const at = run * WRITES + count + WARMING;
      const path = written[at % written.length]!;
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      const text = readFileSync(join(place.vault, path), "utf8");
      const line = `appended line ${at}`;
      const created = `${folder}Made ${at}.md`;
      await watch.time("trip", () => floor.call("nothing", {}));
      await watch.time("raw", () => durableWrite(join(beside, folder, `raw ${at}.md`), text));
      const body = `# Made ${at}\n\n${text.slice(text.indexOf("\n\n"))}`;
      await watch.time("create", () => ours.create(created, body));
      right(readFileSync(join(place.vault, created), "utf8") === body, `created ${created}`);
      await watch.time("append", () => ours.append(path, line));
      const now = readFileSync(join(place.vault, path), "utf8");
      right(now.startsWith(text) && now.trimEnd().endsWith(line), `appended to ${path}`);
      if (git && count < 3) await watch.time("git", () => git(path, `${text}\n${line}\n`));
    }
    if (run < 0) continue;
    for (const [name, all] of Object.entries(medians))
      if (watch.of(name).length > 0) all.push(median(watch.of(name)));
  }
  const raw = median(medians["raw"]!) + median(medians["trip"]!);
  const known = { raw, of: "durable write + trip", alone: median(medians["raw"]!), runs: RUNS };
  figures.set(`create${suffix}`, { ours: median(medians["create"]!), ...known });
  figures.set(`append${suffix}`, { ours: median(medians["append"]!), ...known });
  if (git) figures.set("git", { ours: median(medians["git"]!), ...known });
}

async function renames(place: Place, ours: Required<Dialect>, figures: Figures): Promise<void> {
  const watch = stopwatch();
  const copy = join(place.home, "rename");
  cpSync(join(place.vault, "hubs"), copy, { recursive: true });
  const copies = Array.from({ length: LINKERS }, (_, at) => join(copy, linkerPath(at).slice("hubs/".length)));
  for (let hub = 0; hub < HUBS; hub++) {
    await watch.time("raw", () => {
      durableReplace(copies, `[[Hub ${hub}]]`, `[[Renamed ${hub}]]`);
      durableWrite(join(copy, `Renamed ${hub}.md`), `# Hub ${hub}\n`);
    });
    await watch.time("rename", () => ours.rename(hubPath(hub), `hubs/Renamed ${hub}.md`));
    for (let linker = 0; linker < LINKERS; linker++) {
      const text = readFileSync(join(place.vault, linkerPath(linker)), "utf8");
      right(
        text.includes(`[[Renamed ${hub}]]`) && !text.includes(`[[Hub ${hub}]]`),
        `links of ${linkerPath(linker)}`,
      );
    }
    const { total } = await ours.backlinks(`hubs/Renamed ${hub}.md`);
    right(total === LINKERS, `links to Renamed ${hub}: ${total} of ${LINKERS}`);
  }
  figures.set("rename", figure(watch.of("rename"), watch.of("raw"), "one by one"));
}

async function outsideEdits(
  place: Place,
  sample: Sample,
  ours: Required<Dialect>,
  figures: Figures,
): Promise<void> {
  const watch = stopwatch();
  for (let round = 0; round < 2 * RUNS; round++) {
    const path = sample.reads[round]!;
    const text = readFileSync(join(place.vault, path), "utf8");
    await pause(200);
    await watch.time("outside", async () => {
      writeFileSync(join(place.vault, path), `${text}\noutside${round}edit\n`);
      await until(async () => (await ours.search([`outside${round}edit`])).paths[0] === path, 1);
    });
  }
  figures.set("outside", figure(watch.of("outside")));
}

/** The same number of notes, all in one folder: what writes costs there. */
async function flatFolder(place: Place, size: number, figures: Figures): Promise<void> {
  const flat = { ...place, vault: join(place.home, "flat"), cache: join(place.home, "flat-cache") };
  makeFlatVault(flat.vault, size);
  const sample = sampleVault(flat.vault, () => {});
  await coldIndex(flat, sample.paths.length, 1, new Map());
  const [server, floor] = [
    await startServer(flat.vault, flat.cache, "native"),
    await start(floorCommand(flat.vault)),
  ];
  await quiet(server);
  await writes(flat, sample, native(server), floor, figures, "-flat");
  await Promise.all([server.close(), floor.close()]);
}

async function measure(size: number, home: string): Promise<{ notes: number; figures: Figures }> {
  const place: Place = {
    home,
    vault: join(home, "vault"),
    cache: join(home, "cache"),
    generated: values.vault === undefined,
  };
  if (values.vault === undefined) makeVault(place.vault, size);
  else
    cpSync(resolve(values.vault), place.vault, {
      recursive: true,
      filter: (path) => !path.includes(".notewright"),
    });
  addHubs(place.vault);
  // What was saved just now is read again at the next start; nobody's vault is that young.
  await pause(2500);
  const figures: Figures = new Map();
  const { sample, ms: raw } = await rawIndex(place);
  const notes = sample.paths.length;
  await coldIndex(place, notes, raw, figures);
  const database = statSync(indexFile(place)).size / 1024 / 1024;
  figures.set("database", { ours: database, unit: "MB", raw: sample.bytes / 1024 / 1024, of: "MB", runs: 1 });
  await starts(place, sample, figures);
  const server = await startServer(place.vault, place.cache, "native");
  const floor = await start(floorCommand(place.vault));
  await quiet(server);
  const ours = native(server);
  await reads(place, sample, ours, floor, figures);
  await writes(place, sample, ours, floor, figures);
  await renames(place, ours, figures);
  await outsideEdits(place, sample, ours, figures);
  await Promise.all([server.close(), floor.close()]);
  if (place.generated && size >= 10_000 && size <= COPIED_NOTES) await flatFolder(place, size, figures);
  if (values.peers) await comparePeers(place.vault, home, sample, figures);
  return { notes, figures };
}

const rows: Row[] = [];
const sizes = values.vault === undefined ? values.size.map(Number) : [0];
for (const size of sizes) {
  const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
  try {
    const { notes, figures } = await measure(size, home);
    const first = figures.get("start")!;
    const least = rows.find((row) => row.id === "start");
    if (least)
      figures.set("start-growth", { ours: first.ours, raw: least.figure.ours, of: "1,000", runs: STARTS });
    if (notes > 50_000) figures.set("start-large", { ours: first.ours, runs: STARTS });
    const made = [...figures].map(([id, figure]) => rowOf(id, size || notes, figure));
    rows.push(...made);
    // A long run that is cut short has told what it found.
    console.error(`${size || notes} notes: done, load ${loadavg()[0]!.toFixed(1)}\n${markdown(made)}`);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await closeServers();
    rmSync(home, { recursive: true, force: true });
  }
}
const about = `Node ${process.version}, ${new Date().toISOString().slice(0, 16)}Z, load ${loadavg()
  .map((load) => load.toFixed(1))
  .join(" ")}`;
console.log(`${about}\n\n${markdown(rows)}`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ about, rows }, null, 1)}\n`);
