/** The sweep of the guard: replaced files are looked at once they have been kept long enough, and what other programs wrote to them meanwhile is merged or copied. */

import type { Disk } from "../disk/files.ts";
import { moveIn } from "../disk/file-operations.ts";
import { isGuarding, markOf, sweepGuard, type LateFile } from "../disk/guard.ts";
import { blobId } from "../disk/hash.ts";
import { copyName } from "../disk/journal.ts";
import type { LateEdit } from "../notebook/late-edit.ts";
import type { NoteStore } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { nameIn } from "../notebook/vault-path.ts";
import { listNotes } from "./listing.ts";

type Merge = Parameters<NoteStore["onLateEdit"]>[0];
export type GuardSweep = {
  /** Takes note of paths that were written just now. */
  wrote(paths: readonly string[]): void;
  onLateEdit(merge: Merge): void;
  close(): Promise<void>;
};

/** How long a replaced file is kept. */
const KEPT_MS = 2000;
/** As many paths are remembered as files are kept. */
const PATHS = 1000;
/** What a text is called whose note is not there any more, nor known to this process. */
const NAMELESS = "Recovered text.md";

export function openGuardSweep(
  disk: Disk,
  vault: {
    background: (work: () => Promise<void>) => Promise<unknown>;
    machine(): string;
    report(sentence: string): void;
  },
): GuardSweep {
  const paths = new Map<string, string>();
  let merge: Merge | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  function schedule(delay: number): void {
    timer ??= setTimeout(sweepNow, delay);
    timer.unref();
  }

  function sweepNow(): void {
    timer = undefined;
    // Where others hold the lock or the disk fails, nothing is lost by waiting.
    sweeping = vault.background(sweep).then(
      () => undefined,
      () => schedule(KEPT_MS),
    );
  }

  async function sweep(): Promise<void> {
    const { late, young } = sweepGuard(disk, vault.machine(), KEPT_MS);
    let left = young;
    for (const each of late) if (!(await isSaved(each))) left++;
    if (left > 0) schedule(KEPT_MS);
  }

  /** Whether a late edit is in a note now, so that the file is guarded no longer. */
  async function isSaved(late: LateFile): Promise<boolean> {
    try {
      const path = paths.get(late.mark) ?? (await pathMarked(disk, late.mark));
      const saved = await savedBeside(disk, late, path, merge);
      if (saved === null) return false;
      disk.unlink(late.file);
      if (saved !== "merged")
        vault.report(
          `${path ?? "A note"} was changed by another program in the moment we wrote it; its text is kept as ${saved.copy}.`,
        );
      return true;
    } catch {
      return false;
    }
  }

  return {
    wrote(written) {
      for (const path of written) {
        const mark = markOf(path);
        paths.delete(mark);
        paths.set(mark, path);
        if (paths.size > PATHS) paths.delete(paths.keys().next().value!);
      }
      schedule(KEPT_MS);
    },
    onLateEdit(given) {
      merge = given;
      if (isGuarding(disk)) schedule(0);
    },
    async close() {
      clearTimeout(timer);
      await sweeping;
      // A sweep that found some too young has asked for another.
      clearTimeout(timer);
    },
  };
}

/** Where the text of a late edit is now; null while nobody is there who could merge it. */
async function savedBeside(
  disk: Disk,
  { file, base, bytes, doubtful }: LateFile,
  path: string | null,
  merge: Merge | null,
): Promise<"merged" | { copy: NotePath } | null> {
  const beside = path?.startsWith(".") ? nameIn(path) : (path ?? NAMELESS);
  const copy = copyName(disk, beside, bytes === null ? base : blobId(bytes)) as NotePath;
  if (bytes === null) {
    moveIn(disk, file, copy, { durable: true, over: false });
    return { copy };
  }
  if (merge === null) return null;
  const done = await merge({ path: doubtful ? null : (path as LateEdit["path"]), base, bytes, copy });
  return done === "merged" ? done : { copy };
}

async function pathMarked(disk: Disk, mark: string): Promise<string | null> {
  for await (const { notes } of listNotes(disk, () => {}))
    for (const { path } of notes) if (markOf(path) === mark) return path;
  return null;
}
