/** Compacting: when loose objects have grown large, the git program packs them. It runs beside us, on a repository of our own making (decision 5). */

import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { delimiter, isAbsolute, join, relative } from "node:path";
import type { Repo } from "./loose.ts";
import { PACKS } from "./pack.ts";

/** Temporary packs are written outside the lock, so only their age tells that their writer is gone. */
const STALE_MS = 60 * 60 * 1000;
const TEMPORARY = /^(?:tmp_|\.tmp-)/;

/** The bytes that loose objects take. */
export async function looseBytes({ disk, dir }: Repo): Promise<number> {
  let bytes = 0;
  for (const folder of disk.names(`${dir}/objects`)?.folder ?? []) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const names = disk.names(`${dir}/objects/${folder}`)?.file ?? [];
    for (const entry of disk.lookAll(`${dir}/objects/${folder}`, names)) bytes += entry.size;
    await new Promise(setImmediate);
  }
  return bytes;
}

/** An entry that git would follow out of the vault, or wait for: no file and no folder. Git looks no deeper than this. */
export async function oddEntry({ disk, dir }: Repo): Promise<string | null> {
  const below = (folder: string) => disk.names(`${dir}/${folder}`);
  const odd = (folder: string): string | null => {
    const names = below(folder);
    const name = names?.link[0] ?? names?.other[0];
    return name === undefined ? null : `${folder}/${name}`;
  };
  const folders = ["objects", ...(below("objects")?.folder ?? []).map((name) => `objects/${name}`)];
  for (const folder of folders) {
    const found = odd(folder);
    if (found !== null) return found;
    await new Promise(setImmediate);
  }
  return null;
}

/** What a writer of packs left that was killed: ours, or git's. */
export function removeStalePacks({ disk, dir }: Repo, now: Date): void {
  const folder = `${dir}/${PACKS}`;
  const names = (disk.names(folder)?.file ?? []).filter((name) => TEMPORARY.test(name));
  for (const entry of disk.lookAll(folder, names))
    if (now.getTime() - entry.modified.getTime() > STALE_MS) disk.unlink(`${folder}/${entry.name}`);
}

/** The git program, from the places the user's system names; never a relative one, never one inside the vault. */
export function findGit(vault: string, path: string = process.env["PATH"] ?? ""): string | null {
  for (const folder of path.split(delimiter)) {
    const inside = relative(vault, folder);
    if (!isAbsolute(folder) || !(inside.startsWith("..") || isAbsolute(inside))) continue;
    const program = join(folder, process.platform === "win32" ? "git.exe" : "git");
    try {
      accessSync(program, constants.X_OK);
      return program;
    } catch {
      continue;
    }
  }
  return null;
}

/**
 * Packs everything that the head reaches, and writes no list of packs for servers (`-n`). Git sees a repository in a temporary folder, whose settings are ours and whose
 * objects are those of the history: it reads no setting, hook or ref from the vault. Objects that nothing reaches are kept.
 */
export async function repack(repo: Repo, git: string, head: string, signal: AbortSignal): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), "notewright-"));
  try {
    await mkdir(join(place, "refs", "heads"), { recursive: true });
    await mkdir(join(place, "objects"));
    await writeFile(join(place, "HEAD"), "ref: refs/heads/main\n");
    await writeFile(join(place, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
    await writeFile(join(place, "refs", "heads", "main"), `${head}\n`);
    return await run(git, place, join(repo.disk.root, repo.dir, "objects"), signal);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const SETTINGS = [
  "core.multiPackIndex=false",
  "core.commitGraph=false",
  "core.sharedRepository=0600",
  "repack.writeBitmaps=false",
  "pack.threads=1",
];

async function run(git: string, place: string, objects: string, signal: AbortSignal): Promise<boolean> {
  // Loaded here, because most sessions start no program, and every one would wait for it.
  const { spawn } = await import("node:child_process");
  return new Promise((done) => {
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const child = spawn(git, [...settings, "repack", "-a", "-d", "-k", "-n", "-q"], {
      cwd: place,
      stdio: "ignore",
      signal,
      env: {
        GIT_DIR: place,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_CONFIG_GLOBAL: devNull,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_NO_LAZY_FETCH: "1",
        GIT_NO_REPLACE_OBJECTS: "1",
        GIT_TERMINAL_PROMPT: "0",
        HOME: place,
        LC_ALL: "C",
        // The program finds its own parts by itself; Windows needs to know where the system is.
        ...(process.env["SystemRoot"] ? { SystemRoot: process.env["SystemRoot"] } : {}),
      },
    });
    child.once("error", () => done(false));
    child.once("close", (code) => done(code === 0));
  });
}
