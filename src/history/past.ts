/** Reading the past: what the ledger knows, once it has followed the head, and the texts of old versions. */

import { NoteError } from "../markdown/errors.ts";
import type { History, Ledger, Past } from "../notebook/parts.ts";
import type { Head } from "./commits.ts";
import { nullIfDamaged } from "./damage.ts";
import { followHead } from "./follow.ts";
import { isId } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

export type OpenPast = Past &
  Pick<History, "within"> & {
    /** The ledger, at the head. */
    known(): Promise<Ledger>;
  };

export function openPast(ledger: Ledger, head: () => Promise<Head>, readObject: ReadObject): OpenPast {
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

  const blob: Past["blob"] = async (version) => {
    const object = isId(version) ? await readObject(version) : null;
    return object?.kind === "blob" ? object.body : null;
  };
  const follow = async (): Promise<void> => void (await known());
  return {
    known,
    ...pastIn(ledger, follow, blob),
    within(folders) {
      const some = ledger.within(folders);
      return pastIn(some, follow, async (version) => (some.holds(version) ? blob(version) : null));
    },
  };
}

/** The past that a ledger tells of, once it has followed the head. */
function pastIn(ledger: Ledger, follow: () => Promise<void>, blob: Past["blob"]): Past {
  /** The whole id of a revision, for the first digits of one. */
  async function resolved(id: string): Promise<string> {
    const prefix = id.toLowerCase();
    await follow();
    const found = /^[0-9a-f]{4,40}$/.test(prefix) ? ledger.find(prefix) : [];
    if (found.length === 1) return found[0]!;
    throw new NoteError(
      "revision_missing",
      found.length > 1
        ? `More than one revision begins with ${prefix}. Give more of its digits.`
        : `There is no revision ${JSON.stringify(id.slice(0, 60))}. Give at least four hex digits of one that the history lists.`,
      { revision: id.slice(0, 60) },
    );
  }

  return {
    async log(query) {
      await follow();
      return ledger.log(query);
    },
    revision: async (id) => ledger.revision(await resolved(id)),
    async read(path, id) {
      const version = ledger.versionAt(path, await resolved(id));
      return version === null ? null : blob(version);
    },
    nameAt: async (path, id) => ledger.nameAt(path, await resolved(id)),
    async movedTo(path) {
      await follow();
      return ledger.movedTo(path);
    },
    blob,
  };
}
