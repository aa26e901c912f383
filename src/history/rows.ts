/** A history kept in rows, where there are no files: git's objects and the one ref in the database of index and ledger (decision 23). */

import type { History, Ledger } from "../notebook/parts.ts";
import type { Sql } from "../sqlite/sql.ts";
import { bundleOf } from "./bundle.ts";
import type { Head, Made } from "./commits.ts";
import { damage, isDamage } from "./damage.ts";
import { openHistory, type HistoryOptions } from "./history.ts";
import { newObject } from "./hashing.ts";
import type { NewObject } from "./objects.ts";
import type { Gathering, Keeping, Staged } from "./keeping.ts";
import { openObjectRows, type ObjectRows } from "./object-rows.ts";
import { readCommit } from "./revision.ts";
import { isWhole } from "./whole.ts";

const REF =
  "CREATE TABLE IF NOT EXISTS git_ref (name TEXT PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID";
const MAIN = "main";
/** How far back an intact commit is sought where the newest cannot be read. */
const LOOK_BACK = 100;

export type RowsHistory = History & {
  /** Puts a text in before anything says that it matters: a first recording then finds it here. */
  hold(bytes: Uint8Array): Promise<void>;
  /** What is held is kept from here on. */
  holdAll(): Promise<void>;
  /** Whether a text of this version is kept. */
  keeps(version: string): boolean;
  /** All of it as a bundle that git can clone from, in pieces; null while there is nothing. */
  bundle(): Promise<AsyncIterable<Uint8Array> | null>;
};

export function openRowsHistory(sql: Sql, options: HistoryOptions): RowsHistory {
  const objects = openObjectRows(sql);
  const keeping = rowsKeeping(sql, objects, options.ledger);
  const { flush: _, ...history } = openHistory(keeping, options);
  let held = gathering(objects);
  return {
    ...history,
    hold: (bytes) => held.add("blob", bytes),
    async holdAll() {
      const last = held;
      held = gathering(objects);
      await last.end();
    },
    keeps: objects.has,
    async bundle() {
      const { id } = await keeping.head();
      return id === null ? null : bundleOf(id, keeping.read);
    },
  };
}

function rowsKeeping(sql: Sql, objects: ObjectRows, ledger: Ledger): Keeping {
  sql.exec(REF);
  const troubles = new Set<string>();
  let last: Head = { id: null, tree: null };
  const ref = (): string | null =>
    sql.get<{ id: string }>("SELECT id FROM git_ref WHERE name = ?", MAIN)?.id ?? null;
  const setRef = (id: string): void =>
    sql.run("INSERT INTO git_ref VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET id = excluded.id", MAIN, id);

  async function head(): Promise<Head> {
    const id = ref();
    if (id !== last.id)
      last = id === null ? { id, tree: null } : { id, tree: (await readCommit(objects.read, id)).tree };
    return last;
  }

  async function stage(made: Made): Promise<Staged> {
    const rows = await objects.prepare(made.objects);
    const set = (): void =>
      sql.transaction(() => {
        if (ref() !== made.parent) throw damage("the history was moved on by somebody else");
        objects.insert(rows);
        setRef(made.head.id!);
        last = made.head;
      });
    return { set: async () => set(), alongside: set, drop: () => undefined };
  }

  /** Goes back to the newest commit that is whole; where none is known, begins anew. The notes are not touched by either. */
  async function repair(): Promise<void> {
    last = { id: null, tree: null };
    for (const id of ledger.recent(LOOK_BACK)) {
      if (!(await isWhole(objects.read, id))) continue;
      setRef(id);
      troubles.add(`The newest revisions of the history were damaged; it goes on from ${id.slice(0, 10)}.`);
      return;
    }
    sql.run("DELETE FROM git_ref");
    ledger.clear();
    troubles.add("The history was damaged and is begun anew.");
  }

  return {
    head,
    read: objects.read,
    stage,
    gather: () => gathering(objects),
    flush: async () => false,
    async repairing(work) {
      try {
        return await work();
      } catch (error) {
        if (!isDamage(error)) throw error;
        await repair();
        return work();
      }
    },
    isAnother: () => false,
    isBegun: () => false,
    troubles: () => [...troubles],
  };
}

/** Texts of so many bytes make a pack, and longer ones none. */
const PACK = 64 * 1024;
const LONGEST_IN_PACK = 16 * 1024;

/** Objects go in as they come, texts a pack at a time. */
function gathering(objects: ObjectRows): Gathering {
  const known = new Set<string>();
  let waiting: NewObject[] = [];
  let bytes = 0;
  const end = async (): Promise<void> => {
    const pack = waiting;
    [waiting, bytes] = [[], 0];
    await objects.insertPack(pack);
  };
  return {
    has: (id) => known.has(id),
    async add(kind, body, like) {
      const object = { ...newObject(kind, body), ...(like ? { like } : {}) };
      if (known.has(object.id)) return;
      known.add(object.id);
      if (kind !== "blob" || body.length > LONGEST_IN_PACK)
        return objects.insert(await objects.prepare([object]));
      waiting.push(object);
      bytes += body.length;
      if (bytes >= PACK) await end();
    },
    end,
  };
}
