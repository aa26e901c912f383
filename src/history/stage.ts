/** Staging: the objects of a commit written, one by one or as a pack, and the ref that will stand for them beside its place (decision 9). */

import { attempt, codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import { guarded, placeFile, placeOf, readHead, REF, type Repo } from "./loose.ts";
import type { Staged } from "./keeping.ts";
import { headerOf, type NewObject } from "./objects.ts";
import { packNames } from "./pack.ts";
import { beginPack } from "./pack-write.ts";
import { deflated } from "./deflate.ts";
import { PENDING, stagedName } from "./unfinished.ts";

/** What was written: the bytes of loose objects, and the number of packs. */
export type Written = { bytes: number; packs: number };

/** From this many objects on one file for all is sooner written and flushed than a file for each. */
const MANY = 24;
/** Git puts packs together before there are so many; where there is none they stay, and each is held open. */
const PACK_LIMIT = 100;

/** Writes objects and begins to flush them; the ref is moved if it still stands at `from`. Temporary files lie in folders that belong to whoever holds the vault's lock. */
export async function stageObjects(
  repo: Repo,
  from: string | null,
  to: string,
  objects: readonly NewObject[],
): Promise<Staged & { written: Written }> {
  const { disk, dir, durable } = repo;
  const each = [...new Map(objects.map((object) => [object.id, object])).values()];
  const packed = each.length >= MANY && packNames(repo).length < PACK_LIMIT;
  const ref = `${dir}/${PENDING}/${stagedName(to)}`;
  let bytes = 0;
  let flushed: Promise<unknown> = Promise.resolve();
  if (packed) {
    disk.create(ref, refText(to), { mode: "own", durable: false });
    flushed = Promise.all([writePack(repo, each), durable && disk.flush([ref])]);
  } else {
    // Most of a tree is ids, which do not get shorter; but one of ten thousand notes is written anew for each of them that changes.
    const files = await Promise.all(
      each.map(({ kind, body }) =>
        deflated(Buffer.concat([headerOf(kind, body.length), body]), kind === "tree" ? "stored" : undefined),
      ),
    );
    bytes = files.reduce((sum, file) => sum + file.length, 0);
    const place = async (on: Disk): Promise<void> => {
      each.forEach(({ id }, at) => placeFile(on, `${dir}/tmp`, files[at]!, `${dir}/${placeOf(id)}`));
      on.create(ref, refText(to), { mode: "own", durable: false });
      // All at a time take hardly longer than one. One that is gone was packed by git just now, which flushes it itself.
      if (durable) flushed = on.flush([ref, ...each.map(({ id }) => `${dir}/${placeOf(id)}`)]);
    };
    try {
      await disk.keepingFoldersOpen(place);
    } catch (error) {
      // Git, packing beside us, took away a folder that we hold open: its name then means another, or none yet.
      if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
      await place(disk);
    }
  }
  // A failure shows in `set`; a change that is given up meanwhile does not care.
  flushed.catch(() => {});
  return {
    written: { bytes, packs: Number(packed) },
    async set() {
      await flushed;
      await guarded(repo, () => {
        if (readHead(repo) !== from) throw new Error("the history was moved on by another program");
        disk.rename(ref, `${dir}/${REF}`);
      });
    },
    drop: () => void attempt(() => disk.unlink(ref)),
  };
}

const refText = (id: string): Buffer => Buffer.from(`${id}\n`);

async function writePack(repo: Repo, objects: readonly NewObject[]): Promise<void> {
  const pack = beginPack(repo, `${repo.dir}/tmp`);
  const [alike, others] = [objects.filter(({ like }) => like), objects.filter(({ like }) => !like)];
  await Promise.all(others.map(({ kind, body }) => pack.add(kind, body)));
  // One after another, each on top of the one before.
  for (const { kind, body, like } of alike) await pack.add(kind, body, like);
  await pack.end();
}
