/** Walking a vault folder by folder, without following a link: what keeps every other call inside the vault. */

import { TO_ENTER, type Calls } from "./calls.ts";
import { codeOf, diskError } from "../notebook/system-errors.ts";
import { segmentsOf } from "./segments.ts";
import { HOME, isOwn } from "../notebook/vault-path.ts";

/** A folder that was walked to: names in it are reached below `at`; the handle keeps it from being swapped meanwhile. */
export type Place = { at: string; handle: number | null };

type Down = (place: Place, name: string) => Place | null;

export type Walk = {
  /** Null where a folder on the way is missing, or is a file. */
  within<T>(folder: string, work: (place: Place) => T): T | null;
  inExisting<T>(folder: string, work: (place: Place) => T): T;
  make(folder: string, how: { durable: boolean }): void;
  sync(place: Place): void;
  /** Flushes a folder beside other work. */
  syncAside(place: Place): Promise<void>;
  /** Lets go of the folders that were kept open. */
  release(): void;
};

// Few enough never to be missed elsewhere.
const KEPT_OPEN = 32;

export function linkRefused(): Error {
  return diskError("ELOOP", "The path leads through a symbolic link.");
}

/** With `keeping`, folders stay open once walked to, until `release`: a change comes back to the same few again and again. */
export function walkFrom(root: string, calls: Calls, how: { keeping: boolean }): Walk {
  const kept = new Map<string, Place>();

  /** Leaves a folder open where there is room, and says whether. What is reached by a path, not by a handle, has to be looked at each time. */
  function keepOpen(folder: string, place: Place): boolean {
    if (!how.keeping || place.handle === null || kept.size >= KEPT_OPEN) return false;
    kept.set(folder, place);
    return true;
  }

  /** The deepest folder on the way that is open, and how many segments lead there. */
  function deepestOpen(segments: readonly string[]): { place: Place; depth: number } {
    for (let depth = segments.length - 1; depth > 0 && kept.size > 0; depth--) {
      const place = kept.get(segments.slice(0, depth).join("/"));
      if (place) return { place, depth };
    }
    // The root is a real path that the user chose, and so the only one trusted as a whole.
    return { place: { at: root, handle: null }, depth: 0 };
  }

  function enter(folder: string, next: Down): Place | null {
    const segments = segmentsOf(folder);
    const start = deepestOpen(segments);
    let { place } = start;
    let passing = false;
    for (let depth = start.depth; depth < segments.length; depth++) {
      let below: Place | null;
      try {
        below = next(place, segments[depth]!);
      } finally {
        if (passing && !keepOpen(segments.slice(0, depth).join("/"), place)) leave(calls, place);
      }
      if (below === null) return null;
      place = below;
      passing = true;
    }
    return place;
  }

  function release(): void {
    for (const place of kept.values()) leave(calls, place);
    kept.clear();
  }

  function within<T>(folder: string, work: (place: Place) => T): T | null {
    const open = kept.get(folder);
    if (open !== undefined) return work(open);
    const place = enter(folder, (place, name) => down(calls, place, name));
    if (place === null) return null;
    const keeps = keepOpen(folder, place);
    try {
      return work(place);
    } finally {
      if (!keeps) leave(calls, place);
    }
  }

  return {
    within,
    inExisting(folder, work) {
      const done = within(folder, (place) => ({ result: work(place) }));
      if (done === null) throw diskError("ENOENT", "The folder is gone.");
      return done.result;
    },
    release,
    make(folder, { durable }) {
      if (kept.has(folder)) return;
      // Only `makeHome` makes our own folder: where it was deleted, nothing in the background brings it back.
      if (isOwn(folder) && folder !== HOME && within(HOME, () => true) === null)
        throw diskError("ENOENT", "Our folder is gone.");
      // What is in ours is in notes too, which others may not be permitted to read.
      const place = enter(folder, downMaking(calls, durable, isOwn(folder) ? 0o700 : undefined));
      if (place !== null) leave(calls, place);
    },
    sync: (place) => sync(calls, place),
    syncAside: (place) => syncAside(calls, place),
  };
}

/** One folder further down; null where there is none of that name. */
function down(calls: Calls, place: Place, name: string): Place | null {
  const path = `${place.at}/${name}`;
  if (!calls.handles) {
    const found = calls.lstat(path);
    if (found?.isSymbolicLink()) throw linkRefused();
    return found?.isDirectory() ? { at: path, handle: null } : null;
  }
  try {
    const handle = calls.open(path, TO_ENTER);
    return { at: `/proc/self/fd/${handle}`, handle };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return null;
    if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
    if (calls.lstat(path)?.isSymbolicLink()) throw linkRefused();
    return null;
  }
}

function leave(calls: Calls, place: Place): void {
  if (place.handle !== null) calls.close(place.handle);
}

// Windows cannot flush a folder, and some network disks refuse to: the names are then as durable as they get.
const cannotSync = (error: unknown): boolean => ["EINVAL", "ENOTSUP"].includes(codeOf(error) ?? "");

function sync(calls: Calls, place: Place): void {
  if (process.platform === "win32") return;
  const handle = place.handle ?? calls.open(place.at, TO_ENTER);
  try {
    calls.fsync(handle);
  } catch (error) {
    if (!cannotSync(error)) throw error;
  } finally {
    if (place.handle === null) calls.close(handle);
  }
}

async function syncAside(calls: Calls, place: Place): Promise<void> {
  if (process.platform === "win32") return;
  // The handle is its own, because the place may be left before the flush ends.
  const handle = calls.open(place.handle === null ? place.at : `${place.at}/.`, TO_ENTER);
  try {
    await calls.fsyncAside(handle);
  } catch (error) {
    if (!cannotSync(error)) throw error;
  } finally {
    calls.close(handle);
  }
}

function downMaking(calls: Calls, durable: boolean, mode?: number): Down {
  return (place, name) => {
    const there = down(calls, place, name);
    if (there !== null) return there;
    try {
      calls.mkdir(`${place.at}/${name}`, mode);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    if (durable) sync(calls, place);
    const made = down(calls, place, name);
    if (made === null) throw diskError("ENOTDIR", "A file stands where a folder is needed.");
    return made;
  };
}
