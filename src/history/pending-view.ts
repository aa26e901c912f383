/** What is pending as a reader sees it: records on top of the ref, in their order, each as good as a commit in the history (decision 16). */

import { walkBudget } from "./budget.ts";
import type { Head } from "./commits.ts";
import { damage } from "./damage.ts";
import { ifOurs, readFile, readHead, type Repo } from "./loose.ts";
import { decodeCommit, type NewObject } from "./objects.ts";
import { decodeRecord, RECORD_LIMIT, unfolded, UNFOLDED_LIMIT } from "./revision-record.ts";
import { readCommit } from "./revision.ts";
import type { ReadObject } from "./trees.ts";
import { PENDING } from "./unfinished.ts";

/** More names than these were put there by another program. */
export const NAMES_LIMIT = 1000;
/** The bytes that all records may unfold to: one record more than is ever left to wait. */
const VIEW_LIMIT = 2 * UNFOLDED_LIMIT;
const TRIES = 10;
/** The number of a record among the pending ones, and its newest commit. */
export const RECORD_NAME = /^(\d{8})-([0-9a-f]{40})$/;

/** `base` is the commit that the ref stands at; the records named here come on top of it. */
export type View = {
  base: string | null;
  names: readonly string[];
  head: Head;
  objects: Map<string, NewObject>;
};

export type PendingView = {
  /** As it is now. */
  look(): Promise<View>;
  /** As it was last looked at. */
  last(): View;
  /** We have changed it ourselves. */
  set(view: View): void;
  /** The ref was put elsewhere: what was read on top of it does not count any more. */
  forget(): void;
  /** Every file in the folder of pending revisions, sorted. */
  files(): string[];
};

const nothing = (): View => ({ base: null, names: [], head: { id: null, tree: null }, objects: new Map() });

export function openPendingView(repo: Repo, stored: ReadObject): PendingView {
  let view = nothing();
  const files = (): string[] =>
    ifOurs(() => repo.disk.names(`${repo.dir}/${PENDING}`)?.file.toSorted()) ?? [];

  // The names are looked at before the ref, and the ref is moved before names go: whatever happens in between, the chain of
  // parents tells what is pending still. A name says whose content it is, so equal names are the same view.
  async function look(): Promise<View> {
    for (let tries = 1; ; tries++) {
      const names = files()
        .filter((name) => RECORD_NAME.test(name))
        .slice(0, NAMES_LIMIT);
      if (names.length > 0 && names.join() === view.names.join()) return view;
      const known = view;
      if (known.names.length > 0 && known.names.every((name, at) => names[at] === name)) {
        const longer = await withRecords(repo, stored, known, names.slice(known.names.length));
        if (longer) return (view = longer);
      }
      const ref = readHead(repo);
      if (ref === "damaged") throw damage("the ref is damaged");
      if (names.length === 0 && view.names.length === 0 && view.head.id === ref) return view;
      const tree = ref === null ? null : (await readCommit(stored, ref)).tree;
      const bare = { base: ref, names: [], head: { id: ref, tree }, objects: new Map() };
      const loaded = await withRecords(repo, stored, bare, names);
      if (loaded !== null || tries === TRIES) return (view = loaded ?? bare);
    }
  }

  return {
    look,
    last: () => view,
    set: (changed) => void (view = changed),
    forget: () => void (view = nothing()),
    files,
  };
}

/** A view with more records on top; null where a file has gone meanwhile. A record that is damaged, or joins nothing, is passed over. */
async function withRecords(
  repo: Repo,
  stored: ReadObject,
  below: View,
  names: readonly string[],
): Promise<View | null> {
  const objects = new Map(below.objects);
  const room = { left: VIEW_LIMIT - bytesIn(objects) };
  const budget = walkBudget();
  let { head } = below;
  for (const name of names) {
    await budget.turn();
    const bytes = readFile(repo, `${PENDING}/${name}`, 2 * RECORD_LIMIT);
    if (bytes === null && repo.disk.look(`${repo.dir}/${PENDING}/${name}`) === null) return null;
    const mine = { left: Math.min(UNFOLDED_LIMIT, room.left) };
    const given = mine.left;
    const found = bytes && (await decodeRecord(bytes, readingFirst(objects, stored), mine));
    room.left -= given - mine.left;
    const top = found && newest(found, head);
    if (!top || top.id !== RECORD_NAME.exec(name)![2]) continue;
    for (const object of found) objects.set(object.id, object);
    head = top;
  }
  return { base: below.base, names: [...below.names, ...names], head, objects };
}

/** Pending objects, else those of the history. */
export const readingFirst =
  (objects: ReadonlyMap<string, NewObject>, stored: ReadObject): ReadObject =>
  async (id) => {
    return objects.get(id) ?? stored(id);
  };

export function bytesIn(objects: ReadonlyMap<string, NewObject>): number {
  let bytes = 0;
  for (const object of objects.values()) bytes += unfolded(object);
  return bytes;
}

/** The newest commit of a record, where its commits follow each other from `head` on. */
function newest(objects: readonly NewObject[], head: Head): Head | null {
  let top = head;
  for (const { id, kind, body } of objects) {
    if (kind !== "commit") continue;
    const commit = decodeCommit(body);
    if (!commit || commit.parent !== top.id) return null;
    top = { id, tree: commit.tree };
  }
  return top === head ? null : top;
}
