/** What lies in a vault's folders and is no note, although it may look like one: links, special files, twins, names that are no text; and journals that were set aside. */

import { codeOf } from "../notebook/system-errors.ts";
import type { Disk, Names } from "../disk/files.ts";
import { SET_ASIDE } from "../disk/journal.ts";
import { joined } from "../notebook/vault-path.ts";
import type { Oddity } from "../notebook/parts.ts";
import { fold } from "../notebook/resolve.ts";
import { refusing } from "./refusals.ts";

export async function* listOddities(disk: Disk): AsyncGenerator<Oddity[]> {
  refusing(undefined, () => disk.present());
  const aside = namesIn(disk, SET_ASIDE)?.file ?? [];
  yield aside.map((name) => oddity(SET_ASIDE, name, "set_aside", "a journal that could not be used"));
  const folders = [""];
  // The list grows while it is walked.
  for (const folder of folders) {
    const names = namesIn(disk, folder);
    if (names === null) continue;
    const found = oddNames(disk, folder, names);
    if (found.length > 0) yield found;
    await new Promise((resolve) => setImmediate(resolve));
    for (const name of names.folder) if (!isHidden(name)) folders.push(joined(folder, name));
  }
}

/** Null for a folder that cannot be listed: the listing of notes reports it already. */
function namesIn(disk: Disk, folder: string): Names | null {
  try {
    return disk.names(folder);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return null;
  }
}

const isHidden = (name: string): boolean => name.startsWith(".");

function oddity(folder: string, name: string, kind: Oddity["kind"], detail: string): Oddity {
  return { path: joined(folder, name), kind, detail };
}

function oddNames(disk: Disk, folder: string, names: Names): Oddity[] {
  const visible = (kind: keyof Names) => names[kind].filter((name) => !isHidden(name));
  return [
    ...visible("link").map((name) => oddity(folder, name, "link", "a symbolic link; it is not followed")),
    ...visible("other").map((name) => oddity(folder, name, "special", "a pipe, socket or device")),
    ...unreadableNames(disk, folder, [...visible("file"), ...visible("folder")]),
    ...twins(folder, Object.values(names).flat()),
  ];
}

// Bytes that are not UTF-8 are shown as U+FFFD, and under that name there is nothing.
function unreadableNames(disk: Disk, folder: string, names: readonly string[]): Oddity[] {
  const doubtful = names.filter((name) => name.includes("\ufffd"));
  const there = new Set(disk.lookAll(folder, doubtful).map((entry) => entry.name));
  return doubtful
    .filter((name) => !there.has(name))
    .map((name) => oddity(folder, name, "unreadable_name", "a name that is not UTF-8"));
}

/** Every one of a set of twins is listed, with one of the others: a folder may hold thousands of spellings of one name. */
function twins(folder: string, names: readonly string[]): Oddity[] {
  const spellings = new Map<string, string[]>();
  for (const name of names) {
    if (isHidden(name)) continue;
    const key = fold(name);
    const same = spellings.get(key);
    if (same) same.push(name);
    else spellings.set(key, [name]);
  }
  return [...spellings.values()]
    .filter((same) => same.length > 1)
    .flatMap((same) =>
      same.map((name) => {
        const other = JSON.stringify(same.find((one) => one !== name));
        return oddity(folder, name, "twin", `differs from ${other} only by case or Unicode form`);
      }),
    );
}
