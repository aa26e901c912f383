/** How much of a disk a history takes, and what each of its objects takes. */

import type { Disk } from "../disk/files.ts";
import { placeOf, type Repo } from "./loose.ts";
import { packedSizes, PACKS } from "./pack.ts";
import { PENDING } from "./unfinished.ts";

/** Folders of ours are not nested deeper. */
const DEPTH = 8;

/** Every file below a folder; links are not followed. */
export function bytesBelow(disk: Disk, folder: string, depth = DEPTH): number {
  const names = disk.names(folder);
  if (!names || depth === 0) return 0;
  let bytes = 0;
  for (const { size } of disk.lookAll(folder, names.file)) bytes += size;
  for (const name of names.folder) bytes += bytesBelow(disk, `${folder}/${name}`, depth - 1);
  return bytes;
}

/** In bytes. `packed`, `loose` and `pending` are the three ways in which revisions are kept; the rest is small. */
export type Space = { total: number; packed: number; loose: number; pending: number };

export function spaceOf({ disk, dir }: Pick<Repo, "disk" | "dir">): Space {
  const [objects, packed] = [bytesBelow(disk, `${dir}/objects`), bytesBelow(disk, `${dir}/${PACKS}`)];
  return {
    total: bytesBelow(disk, dir),
    packed,
    loose: objects - packed,
    pending: bytesBelow(disk, `${dir}/${PENDING}`),
  };
}

/** What each object takes, by its id; pending ones are in no file of their own, and left out. */
export function objectSizes(repo: Repo): Map<string, number> {
  const { disk, dir } = repo;
  const sizes = packedSizes(repo);
  for (const folder of disk.names(`${dir}/objects`)?.folder ?? []) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const place = `${dir}/objects/${folder}`;
    for (const { name, size } of disk.lookAll(place, disk.names(place)?.file ?? [])) {
      const id = folder + name;
      if (placeOf(id) === `objects/${folder}/${name}`) sizes.set(id, size);
    }
  }
  return sizes;
}
