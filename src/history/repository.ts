/** The folder of the history: beginning one, telling whether it is sound, and setting aside what is damaged or not ours. */

import { attempt, codeOf } from "../notebook/system-errors.ts";
import { makeHome } from "../disk/home.ts";
import { ifOurs, placeFile, readFile, readHead, REF, type Repo } from "./loose.ts";
import { PACKS } from "./pack.ts";
import { PENDING } from "./unfinished.ts";

const HEAD = `ref: ${REF}\n`;
const CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n[gc]\n\tauto = 0\n";
const FOLDERS = [PACKS, "refs/heads", "tmp", PENDING];
/** Larger than ours can be, small enough to compare. */
const SMALL = 64 * 1024;

// We read none of these. But people may look at the history with plain git, which would run or follow what they name.
const FOREIGN = [
  "commondir",
  "config.worktree",
  "gitdir",
  "hooks",
  "info/attributes",
  "info/grafts",
  "objects/info/alternates",
  "objects/info/http-alternates",
  "refs/replace",
  "shallow",
];

/** Looks at its outside alone; whether its newest commit can be read is for the caller to see. Headless: all but the ref is right. */
export function examine(repo: Repo): "absent" | "sound" | "headless" | "damaged" {
  const { disk, dir } = repo;
  const kind = (path: string) => disk.look(path === "" ? dir : `${dir}/${path}`)?.kind;
  try {
    if (kind("") === undefined) return "absent";
    if (kind("") !== "folder") return "damaged";
    for (const folder of ["objects", PACKS, "refs", "refs/heads", "tmp", PENDING])
      if ((kind(folder) ?? "folder") !== "folder") return "damaged";
    if (disk.names(`${dir}/objects`)?.link.length) return "damaged";
    const head = readHead(repo);
    if (head === "damaged") return "headless";
    // A beginning that was cut short has no HEAD and no commit: it is simply made whole.
    if (kind("HEAD") === undefined) return head === null ? "absent" : "damaged";
    return readFile(repo, "HEAD", SMALL)?.toString("latin1") === HEAD ? "sound" : "damaged";
  } catch (error) {
    // A link on the way is damage; a disk that does not answer is not.
    if (codeOf(error) !== "ELOOP") throw error;
    return "damaged";
  }
}

/** Makes whatever of it is missing, and empties `tmp`. Only inside the vault's lock. */
export function begin(repo: Repo): void {
  const { disk, dir } = repo;
  makeHome(disk);
  // What an earlier version left pending under another name counts all the same.
  const earlier = `${dir}/owed`;
  if (disk.look(earlier)?.kind === "folder" && disk.look(`${dir}/${PENDING}`) === null)
    disk.rename(earlier, `${dir}/${PENDING}`);
  for (const folder of FOLDERS) disk.makeFolder(`${dir}/${folder}`, { durable: false });
  const left = disk.names(`${dir}/tmp`);
  for (const name of left ? [...left.file, ...left.link, ...left.other] : [])
    attempt(() => disk.unlink(`${dir}/tmp/${name}`));
  if (disk.look(`${dir}/config`) === null)
    placeFile(disk, `${dir}/tmp`, Buffer.from(CONFIG), `${dir}/config`);
  if (disk.look(`${dir}/HEAD`) === null) placeFile(disk, `${dir}/tmp`, Buffer.from(HEAD), `${dir}/HEAD`);
}

/** Puts another program's settings out of the way; gives the names that were. */
export function setAsideForeign(repo: Repo): string[] {
  const { disk, dir } = repo;
  const there = FOREIGN.filter((name) => disk.look(`${dir}/${name}`) !== null);
  const config =
    disk.look(`${dir}/config`) !== null && readFile(repo, "config", SMALL)?.toString("latin1") !== CONFIG;
  const names = config ? ["config", ...there] : there;
  if (names.length > 0) disk.makeFolder(`${dir}/set-aside`, { durable: false });
  for (const name of names)
    disk.rename(`${dir}/${name}`, freeName(repo, `${dir}/set-aside/${name.replaceAll("/", "-")}`));
  return names;
}

/** The whole folder; gives the name it has now. */
export function setAside(repo: Repo): string {
  const name = freeName(repo, `${repo.dir}.damaged`);
  repo.disk.rename(repo.dir, name);
  return name;
}

/** After a power cut objects may be there in name only; git itself would stumble over them. */
export function removeEmptyObjects({ disk, dir }: Repo): void {
  for (const folder of disk.names(`${dir}/objects`)?.folder ?? []) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const place = `${dir}/objects/${folder}`;
    for (const { name, size } of disk.lookAll(place, disk.names(place)?.file ?? []))
      if (size === 0) disk.unlink(`${place}/${name}`);
  }
}

function freeName({ disk }: Repo, stem: string): string {
  for (let number = 1; ; number++) if (disk.look(`${stem}-${number}`) === null) return `${stem}-${number}`;
}

/** Histories that were set aside before now. */
export function setAsideBefore({ disk, dir }: Repo): string[] {
  const [home, name] = [dir.slice(0, dir.lastIndexOf("/")), dir.slice(dir.lastIndexOf("/") + 1)];
  const names = ifOurs(() => disk.names(home));
  return Object.values(names ?? {})
    .flat()
    .filter((other) => other.startsWith(`${name}.damaged-`))
    .toSorted()
    .map((other) => `${home}/${other}`);
}
