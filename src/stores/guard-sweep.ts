/** Late edits: looks at replaced files once they have been kept long enough, and hands on what other programs wrote to them meanwhile. */

import type { Disk } from "../disk/files.ts";
import { isGuarding, markOf, sweepGuard, type Late } from "../disk/guard.ts";
import { blobId } from "../disk/hash.ts";
import { copyName } from "../disk/journal.ts";
import { moveIn } from "../disk/file-operations.ts";
import { nameIn } from "../notebook/vault-path.ts";
import type { LateEdit, NoteStore } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { listNotes } from "./listing.ts";

type Heed = Parameters<NonNullable<NoteStore["heed"]>>[0];
export type LateEdits = {
  /** These paths were written just now. */
  wrote(paths: readonly string[]): void;
  heed(late: Heed): void;
  close(): Promise<void>;
};

/** How long a replaced file is kept. */
const KEPT_MS = 2000;
/** As many as files are kept. */
const PATHS = 1000;
/** Of a note that is not there any more, nor known to this process. */
const NAMELESS = "Recovered text.md";

export function lateEdits(
  disk: Disk,
  vault: {
    background: (work: () => Promise<void>) => Promise<unknown>;
    machine(): string;
    say(sentence: string): void;
  },
): LateEdits {
  const paths = new Map<string, string>();
  let heeded: Heed | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  function soon(delay: number): void {
    timer ??= setTimeout(sweepNow, delay);
    timer.unref();
  }

  function sweepNow(): void {
    timer = undefined;
    // Where others hold the lock or the disk fails, nothing is lost by waiting.
    sweeping = vault.background(sweep).then(
      () => undefined,
      () => soon(KEPT_MS),
    );
  }

  async function sweep(): Promise<void> {
    const { late, young } = sweepGuard(disk, vault.machine(), KEPT_MS);
    let left = young;
    for (const each of late) if (!(await settled(each))) left++;
    if (left > 0) soon(KEPT_MS);
  }

  async function settled({ file, base, mark, bytes, doubtful }: Late): Promise<boolean> {
    try {
      const path = paths.get(mark) ?? (await findPath(mark));
      const beside = path?.startsWith(".") ? nameIn(path) : (path ?? NAMELESS);
      const copy = copyName(disk, beside, bytes === null ? base : blobId(bytes)) as NotePath;
      if (bytes !== null && heeded === null) return false;
      const what = path ?? "A note";
      if (bytes === null) moveIn(disk, file, copy, { durable: true, over: false });
      else if (
        (await heeded!({ path: doubtful ? null : (path as LateEdit["path"]), base, bytes, copy })) ===
        "merged"
      )
        return disk.unlink(file);
      disk.unlink(file);
      vault.say(
        `${what} was changed by another program in the moment we wrote it; its text is kept as ${copy}.`,
      );
      return true;
    } catch {
      return false;
    }
  }

  async function findPath(mark: string): Promise<string | null> {
    for await (const stats of listNotes(disk, () => {}))
      for (const { path } of stats) if (markOf(path) === mark) return path;
    return null;
  }

  return {
    wrote(written) {
      for (const path of written) {
        const mark = markOf(path);
        paths.delete(mark);
        paths.set(mark, path);
        if (paths.size > PATHS) paths.delete(paths.keys().next().value!);
      }
      soon(KEPT_MS);
    },
    heed(late) {
      heeded = late;
      if (isGuarding(disk)) soon(0);
    },
    async close() {
      clearTimeout(timer);
      await sweeping;
      // A sweep that found some too young has asked for another.
      clearTimeout(timer);
    },
  };
}
