/** Reading the past: what the ledger knows, once it has followed the head, and the texts of old versions. */

import { NoteError } from "../markdown/errors.ts";
import type { History, Ledger } from "../notebook/parts.ts";
import type { Head } from "./commits.ts";
import { nullIfDamaged } from "./damage.ts";
import { followHead } from "./follow.ts";
import { isId } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

export type Past = Pick<History, "log" | "revision" | "read" | "nameAt" | "movedTo" | "blob"> & {
  /** The ledger, at the head. */
  known(): Promise<Ledger>;
};

export function openPast(ledger: Ledger, head: () => Promise<Head>, readObject: ReadObject): Past {
  let following: Promise<void> | undefined;

  async function known(): Promise<Ledger> {
    // One after another: a walk that began before the newest commit does not know it.
    const earlier = following;
    following = (async () => {
      await earlier?.catch(() => {});
      // What cannot be read is repaired by whoever next records; until then the ledger is what there is.
      const newest = await head().catch(nullIfDamaged);
      if (newest) await followHead(newest.id, readObject, ledger);
    })();
    await following;
    return ledger;
  }

  /** The whole id of a revision, for the first digits of one. */
  async function resolved(id: string): Promise<string> {
    const prefix = id.toLowerCase();
    const found = /^[0-9a-f]{4,40}$/.test(prefix) ? (await known()).find(prefix) : [];
    if (found.length === 1) return found[0]!;
    throw new NoteError(
      "revision_missing",
      found.length > 1
        ? `More than one revision begins with ${prefix}. Give more of its digits.`
        : `There is no revision ${JSON.stringify(id.slice(0, 60))}. Give at least four hex digits of one that the history lists.`,
      { revision: id.slice(0, 60) },
    );
  }

  async function blob(version: string): Promise<Uint8Array | null> {
    const object = isId(version) ? await readObject(version) : null;
    return object?.kind === "blob" ? object.body : null;
  }

  return {
    known,
    log: async (query) => (await known()).log(query),
    revision: async (id) => ledger.revision(await resolved(id)),
    async read(path, id) {
      const version = ledger.versionAt(path, await resolved(id));
      return version === null ? null : blob(version);
    },
    nameAt: async (path, id) => ledger.nameAt(path, await resolved(id)),
    movedTo: async (path) => (await known()).movedTo(path),
    blob,
  };
}
