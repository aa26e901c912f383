/** Places where a vault from a stranger, or a cache that others can reach, may hold anything: every file of ours, and what can be put there. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";

/** Where a case is played: the vault, the folder of its index, and what lies outside and must stay as it is. */
export type Stage = { vault: string; cache: string; outside: string };

const HISTORY = ".notewright/history.git";
const ID = "0123456789abcdef0123456789abcdef01234567";

/** The name that this copy of the vault gives to its own files. */
const machine = ({ vault }: Stage): string => {
  const home = fs.lstatSync(join(vault, ".notewright"), { bigint: true, throwIfNoEntry: false });
  return `m${home?.ino.toString(36) ?? "0"}`;
};
/** The first that is there of some kind, else a name that could be. */
const first = (folder: string, kind: RegExp, otherwise: string) => (stage: Stage) => {
  const at = join(stage.vault, HISTORY, folder);
  const names = fs.existsSync(at) ? fs.readdirSync(at).toSorted() : [];
  return join(at, names.find((name) => kind.test(name)) ?? otherwise);
};
const inVault = (path: string) => (stage: Stage) => join(stage.vault, path);
const inCache = (path: string) => (stage: Stage) => join(stage.cache, path);
const looseFolder = first("objects", /^[0-9a-f]{2}$/, "ab");

export const PLACES: Record<string, (stage: Stage) => string> = {
  ...Object.fromEntries(
    [
      ".notewright",
      ".notewright/.gitignore",
      ".notewright/lock",
      ".notewright/lock-journal",
      ".notewright/lock-wal",
      ".notewright/lock-shm",
      ".notewright/tmp",
      ".notewright/guard",
      ".notewright/journal",
      HISTORY,
      `${HISTORY}/HEAD`,
      `${HISTORY}/config`,
      `${HISTORY}/hooks`,
      `${HISTORY}/packed-refs`,
      `${HISTORY}/objects`,
      `${HISTORY}/objects/pack`,
      `${HISTORY}/objects/info`,
      `${HISTORY}/objects/info/alternates`,
      `${HISTORY}/refs`,
      `${HISTORY}/refs/heads`,
      `${HISTORY}/refs/heads/main`,
      `${HISTORY}/refs/heads/main.lock`,
      `${HISTORY}/tmp`,
      `${HISTORY}/pending`,
      ".trash",
      ".trash/Gamma.md",
      ".llm_bridges",
      ".llm_bridges/knowledge_base",
      ".llm_bridges/knowledge_base/kb",
      ".llm_bridges/knowledge_base/kb/meta.md",
    ].map((path) => [path, inVault(path)]),
  ),
  "a temporary file": (stage) => join(stage.vault, `.notewright/tmp/${machine(stage)}-0123456789ab.tmp`),
  "a mark of a temporary file": (stage) =>
    join(stage.vault, `.notewright/tmp/${machine(stage)}-0123456789ab.beside`),
  "a guarded file": (stage) =>
    join(stage.vault, `.notewright/guard/${machine(stage)}-0123456789ab.${ID}.0123456789abcdef.01234567`),
  "the folder of journals": (stage) => join(stage.vault, `.notewright/journal/${machine(stage)}`),
  "a journal": (stage) =>
    join(stage.vault, `.notewright/journal/${machine(stage)}/${machine(stage)}-0123456789ab.json`),
  "a folder of objects": looseFolder,
  "an object": (stage) => {
    const folder = looseFolder(stage);
    const [name = ID.slice(2)] = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return join(folder, name);
  },
  "a pack": first("objects/pack", /\.pack$/, `pack-${ID}.pack`),
  "an index of a pack": first("objects/pack", /\.idx$/, `pack-${ID}.idx`),
  "a pending revision": inVault(`${HISTORY}/pending/00000001-${ID}`),
  "a staged revision": inVault(`${HISTORY}/pending/00000001-${ID}.tmp`),
  "a staged ref": inVault(`${HISTORY}/pending/${ID}.tmp`),
  "the cache": inCache("."),
  "the index": inCache("index.db"),
  "the index's log": inCache("index.db-wal"),
  "the index's shared memory": inCache("index.db-shm"),
  "the index's journal": inCache("index.db-journal"),
};

const HUGE = 66 * 1024 * 1024;
const SPARSE = 64 * 1024 ** 3;
const NOBODY = 65_534;

type Plant = (at: string, stage: Stage) => void;

/** What was there before is gone; the folder above is there, unless it is something odd itself. */
const file =
  (write: Plant): Plant =>
  (at, stage) => {
    fs.rmSync(at, { recursive: true, force: true });
    fs.mkdirSync(dirname(at), { recursive: true });
    write(at, stage);
  };
const sized = (size: number): Plant =>
  file((at) => {
    const handle = fs.openSync(at, "w");
    fs.ftruncateSync(handle, size);
    fs.closeSync(handle);
  });
const isFolder = (at: string): boolean => fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

export const KINDS: Record<string, Plant> = {
  missing: (at) => fs.rmSync(at, { recursive: true, force: true }),
  empty: (at, stage) => {
    const folder = isFolder(at);
    file((place) => (folder ? fs.mkdirSync(place) : fs.writeFileSync(place, "")))(at, stage);
  },
  garbage: file((at) =>
    fs.writeFileSync(at, Buffer.from(`\0\xff{"format":1,"steps":[{}]}\n${ID}\n`, "latin1")),
  ),
  huge: file((at) => fs.writeFileSync(at, Buffer.alloc(HUGE, "x"))),
  folder: file((at) => {
    fs.mkdirSync(join(at, "inner"), { recursive: true });
    fs.writeFileSync(join(at, "inner/note.md"), "a note in an odd folder");
    fs.symlinkSync("..", join(at, "up"));
  }),
  "link out": file((at, { outside }) =>
    fs.symlinkSync(join(outside, /\.\w+$/.test(basename(at)) ? "secret.md" : "folder"), at),
  ),
  "link to itself": file((at) => fs.symlinkSync(basename(at), at)),
  pipe: file((at) => void execFileSync("mkfifo", [at])),
  device: file((at) => void execFileSync("mknod", [at, "c", "1", "5"])),
  "other owner": (at, stage) => {
    if (!fs.existsSync(at)) file((place) => fs.writeFileSync(place, "somebody else's"))(at, stage);
    fs.lchownSync(at, NOBODY, NOBODY);
  },
  sparse: sized(SPARSE),
};

/** Only root can make devices and give files away, and only where the system allows it. */
export function possibleKinds(folder: string): string[] {
  const trial = join(folder, "trial");
  return Object.keys(KINDS).filter((kind) => {
    if (kind !== "device" && kind !== "other owner") return true;
    try {
      KINDS[kind]!(trial, { vault: folder, cache: folder, outside: folder });
      return true;
    } catch {
      return false;
    } finally {
      fs.rmSync(trial, { recursive: true, force: true });
    }
  });
}
