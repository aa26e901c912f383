/** Owed revisions: their objects in one file each, until somebody who holds the vault's lock puts many of them into the history at once. */

import { codeOf } from "../notebook/system-errors.ts";
import { attempt } from "../disk/files.ts";
import { walkBudget } from "./budget.ts";
import type { Head, Made } from "./commits.ts";
import { damage } from "./damage.ts";
import { ifOurs, readFile, readHead, type NewObject, type Repo } from "./loose.ts";
import { asBuffer, decodeCommit, type GitObject } from "./objects.ts";
import { decodeRecord, encodeRecord, unfolded, UNFOLDED_LIMIT } from "./revision-record.ts";
import { readCommit } from "./revision.ts";
import { stage, type Staged } from "./stage.ts";
import type { ReadObject } from "./trees.ts";
import { finishStaged, isStaged, OWED, stagedName } from "./unfinished.ts";

/** Larger revisions are put in at once: writing their text twice would take longer. */
const RECORD_LIMIT = 64 * 1024;
/** So many, or so many bytes of objects, are put in without waiting for a quiet moment. */
const COUNT_LIMIT = 32;
const BYTES_LIMIT = 8 * 1024 * 1024;
/** Above this another program has put them there. */
const NAMES_LIMIT = 1000;
/** What all of them may unfold to: one record more than is ever left to wait. */
const VIEW_LIMIT = 2 * UNFOLDED_LIMIT;
const TRIES = 10;
const NAME = /^(\d{8})-([0-9a-f]{40})$/;

/** What is owed on top of the ref, in order. */
type View = { base: string | null; names: readonly string[]; head: Head; objects: Map<string, NewObject> };

export type Owed = {
  /** The newest revision, owed or not. */
  head(): Promise<Head>;
  /** Objects that are owed, else those of the history. */
  read: ReadObject;
  /** A revision as one file, which counts once it is `set`; null where it is too large. Only inside the vault's lock, as what follows. */
  stage(made: Made): Promise<Staged | null>;
  /** Puts what is owed into the history; null where nothing was. */
  settle(): Promise<Staged | null>;
  /** Makes revisions count whose writer died when their notes were in place, and drops those whose notes never were. */
  finish(): Promise<void>;
  /** Whether so much is owed that it should not wait. */
  full(): boolean;
  any(): boolean;
  /** The ref was put elsewhere: what was read on top of it does not count any more. */
  forget(): void;
};

const nothing = (): View => ({
  base: null,
  names: [],
  head: { id: null, tree: null },
  objects: new Map(),
});

export function openOwed(repo: Repo, stored: ReadObject): Owed {
  const { disk, dir, durable } = repo;
  const folder = `${dir}/${OWED}`;
  let view = nothing();

  const listed = (): string[] => ifOurs(() => disk.names(folder)?.file.toSorted()) ?? [];
  const owed = (names: readonly string[]): string[] =>
    names.filter((name) => NAME.test(name)).slice(0, NAMES_LIMIT);

  async function headAt(id: string | null): Promise<Head> {
    return id === null ? { id, tree: null } : { id, tree: (await readCommit(stored, id)).tree };
  }

  // The names are looked at before the ref, and the ref is moved before names go: whatever happens in between, the chain of
  // parents tells what is owed still. A name says whose content it is, so equal names are the same view.
  async function look(): Promise<View> {
    for (let tries = 1; ; tries++) {
      const names = owed(listed());
      if (names.length > 0 && names.join() === view.names.join()) return view;
      const known = view;
      if (known.names.length > 0 && known.names.every((name, at) => names[at] === name)) {
        const longer = await load(known, names.slice(known.names.length));
        if (longer) return (view = longer);
      }
      const ref = readHead(repo);
      if (ref === "damaged") throw damage("the ref is damaged");
      if (names.length === 0 && view.names.length === 0 && view.head.id === ref) return view;
      const bare = { base: ref, names: [], head: await headAt(ref), objects: new Map() };
      const loaded = await load(bare, names);
      if (loaded !== null || tries === TRIES) return (view = loaded ?? bare);
    }
  }

  /** What comes on top of a view; null where a file has gone meanwhile. One that is damaged, or joins nothing, is passed over. */
  async function load(below: View, names: readonly string[]): Promise<View | null> {
    const objects = new Map(below.objects);
    const room = { left: VIEW_LIMIT - bytesIn(objects) };
    const budget = walkBudget();
    const read: ReadObject = async (id) => asRead(objects.get(id)) ?? (await stored(id));
    let { head } = below;
    for (const name of names) {
      await budget.turn();
      const bytes = readFile(repo, `${OWED}/${name}`, 2 * RECORD_LIMIT);
      if (bytes === null && disk.look(`${folder}/${name}`) === null) return null;
      const mine = { left: Math.min(UNFOLDED_LIMIT, room.left) };
      const given = mine.left;
      const found = bytes && (await decodeRecord(bytes, read, mine));
      room.left -= given - mine.left;
      const top = found && newest(found, head);
      if (!top || top.id !== NAME.exec(name)![2]) continue;
      for (const object of found) objects.set(object.id, object);
      head = top;
    }
    return { base: below.base, names: [...below.names, ...names], head, objects };
  }

  return {
    head: async () => (await look()).head,
    read: async (id) => asRead(view.objects.get(id)) ?? (await stored(id)),
    async stage(made) {
      const bytes = encodeRecord(made.objects);
      if (bytes === null || bytes.length > RECORD_LIMIT) return null;
      const before = view.head.id === made.parent ? view : await look();
      const last = NAME.exec(before.names.at(-1) ?? "")?.[1] ?? "0";
      const name = `${String(Number(last) + 1).padStart(8, "0")}-${made.head.id}`;
      const [temporary, place] = [`${folder}/${stagedName(name)}`, `${folder}/${name}`];
      let flushed: Promise<unknown> = Promise.resolve();
      try {
        disk.create(temporary, bytes, { mode: "own", durable: false });
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        disk.makeFolder(folder, { durable: false });
        disk.create(temporary, bytes, { mode: "own", durable: false });
      }
      if (durable) flushed = disk.flush([temporary]);
      flushed.catch(() => {});
      const drop = () => void attempt(() => disk.unlink(temporary));
      return {
        bytes: 0,
        packed: false,
        async set() {
          await flushed;
          disk.rename(temporary, place);
          for (const object of made.objects) before.objects.set(object.id, object);
          view = { ...before, names: [...before.names, name], head: made.head };
        },
        drop,
      };
    },
    async settle() {
      const { base, head, objects } = await look();
      const there = listed();
      if (there.length === 0) return null;
      let staged: Staged | null = null;
      if (head.id !== base) {
        staged = await stage(repo, head.id!, [...objects.values()]);
        try {
          await staged.set(base);
        } catch (error) {
          staged.drop();
          throw error;
        }
      }
      // Also what is damaged or joins nothing, and what a process that died was about to write.
      for (const name of there) attempt(() => disk.unlink(`${folder}/${name}`));
      view = { base: head.id, names: [], head, objects: new Map() };
      return staged;
    },
    async finish() {
      const left = listed().filter(isStaged).slice(0, NAMES_LIMIT);
      if (left.length === 0) return;
      const { head, objects } = await look();
      const read: ReadObject = async (id) => asRead(objects.get(id)) ?? (await stored(id));
      const decode = async (name: string) => {
        const bytes = readFile(repo, `${OWED}/${name}`, 2 * RECORD_LIMIT);
        return bytes && (await decodeRecord(bytes, read));
      };
      await finishStaged({ repo, head, read, decode }, left);
    },
    any: () => view.names.length > 0,
    forget: () => void (view = nothing()),
    full: () => view.names.length >= COUNT_LIMIT || bytesIn(view.objects) > BYTES_LIMIT,
  };
}

function bytesIn(objects: ReadonlyMap<string, NewObject>): number {
  let bytes = 0;
  for (const object of objects.values()) bytes += unfolded(object);
  return bytes;
}

const asRead = (object: NewObject | undefined): GitObject | null =>
  object ? { kind: object.kind, body: asBuffer(object.body) } : null;

/** The newest commit of a record, where its commits follow each other from `head` on. */
function newest(objects: readonly NewObject[], head: Head): Head | null {
  let top = head;
  for (const { id, kind, body } of objects) {
    if (kind !== "commit") continue;
    const commit = decodeCommit(asBuffer(body));
    if (!commit || commit.parent !== top.id) return null;
    top = { id, tree: commit.tree };
  }
  return top === head ? null : top;
}
