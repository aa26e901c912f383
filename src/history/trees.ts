/** The folders of the newest commit, kept in memory, and new trees made from them: an edit reads nothing it has seen (decision 9). */

import { turnOfOthers } from "../notebook/turns.ts";
import { walkBudget, type Budget } from "./budget.ts";
import { cacheOf } from "./cache.ts";
import { damage } from "./damage.ts";
import {
  FILE,
  FOLDER,
  objectOf,
  PATH_LIMIT,
  type GitObject,
  type NewObject,
  type Sha1,
  type TreeEntry,
} from "./objects.ts";
import { entriesOf, entryBy, NO_ROWS, rowsIn, withRows, type TreeRows } from "./tree-rows.ts";

type Folder = { id: string; rows: TreeRows };
/** What is to stand where below one folder; null takes a file away. */
type Plan = { files: Map<string, string | null>; folders: Map<string, Plan> };

export type ReadObject = (id: string) => Promise<GitObject | null>;
export type Trees = {
  /** The version of a file below a root; null where there is none. */
  version(root: string | null, path: string): Promise<string | null>;
  /** What would be in the way of a file there: files where its folders must be, or files below a folder of its name. */
  obstacles(root: string | null, path: string): Promise<string[]>;
  /** `budget`: of a walk that looks at several roots. */
  files(root: string | null, budget?: Budget): Promise<Map<string, string>>;
  /** A root with these files set or gone, and the tree objects that are new in it. */
  edit(
    root: string | null,
    files: ReadonlyMap<string, string | null>,
  ): Promise<{ root: string; objects: NewObject[] }>;
};

/** Folders that were read. Those of a hundred thousand notes take 8 MB. */
const CACHED_BYTES = 64 * 1024 * 1024;

export function openTrees(read: ReadObject, sha1: Sha1): Trees {
  // Folders are found by path, and right only while the id is the one the parent names: another process may have moved the history on.
  // Folders that we made ourselves stay: until their commit is written, nobody could read them again.
  const made = new Map<string, Folder>();
  // These are found by id: a forged history names one tree in a million places.
  const loaded = cacheOf<Folder>(CACHED_BYTES);

  async function folder(path: string, id: string): Promise<Folder> {
    const known = [made.get(path), loaded.get(id)].find((one) => one?.id === id);
    if (known) return known;
    const object = await read(id);
    if (object?.kind !== "tree") throw damage("a tree is missing");
    const rows = rowsIn(object.body);
    if (!rows) throw damage("a tree cannot be read");
    const found = { id, rows };
    loaded.set(id, found, rows.body.length + rows.starts.byteLength);
    return found;
  }

  /** The entry of each segment, as far as they are there. */
  async function walk(root: string | null, path: string): Promise<TreeEntry[]> {
    const found: TreeEntry[] = [];
    let id = root;
    let at = "";
    for (const segment of path.split("/")) {
      const row = id === null ? undefined : entryBy((await folder(at, id)).rows, segment);
      if (!row) break;
      found.push(row);
      at = at === "" ? segment : `${at}/${segment}`;
      id = row.mode === FOLDER ? row.id : null;
    }
    return found;
  }

  async function filesBelow(path: string, id: string, budget = walkBudget()): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    async function descend(at: string, id: string, depth: number): Promise<void> {
      const count = budget.enter(id, depth);
      for (const row of entriesOf((await folder(at, id)).rows)) {
        count();
        await budget.turn();
        const place = at === "" ? row.name : `${at}/${row.name}`;
        if (place.length > PATH_LIMIT) continue;
        if (row.mode === FOLDER) await descend(place, row.id, depth + 1);
        else if (row.mode === FILE) found.set(place, row.id);
      }
    }
    await descend(path, id, 0);
    return found;
  }

  async function apply(
    path: string,
    id: string | null,
    plan: Plan,
    objects: NewObject[],
  ): Promise<string | null> {
    const old = id === null ? NO_ROWS : (await folder(path, id)).rows;
    const fresh = new Map<string, TreeEntry | null>();
    for (const [name, child] of plan.folders) {
      const row = entryBy(old, name);
      const inside = await apply(
        path === "" ? name : `${path}/${name}`,
        row?.mode === FOLDER ? row.id : null,
        child,
        objects,
      );
      if (inside !== null) fresh.set(name, { mode: FOLDER, name, id: inside });
      else if (row?.mode === FOLDER) fresh.set(name, null);
    }
    for (const [name, version] of plan.files) {
      if (version !== null) fresh.set(name, { mode: FILE, name, id: version });
      else if (!fresh.get(name) && entryBy(old, name)?.mode !== FOLDER) fresh.set(name, null);
    }
    const changed = withRows(old, fresh);
    if (changed.starts.length === 0 && path !== "") {
      made.delete(path);
      return null;
    }
    const tree = objectOf(sha1, "tree", changed.body);
    if (tree.id !== id) objects.push(id === null ? tree : { ...tree, like: { id, body: old.body } });
    // Many folders are made one after another without waiting for anything: others get their turn.
    if (objects.length % 32 === 31) await turnOfOthers();
    made.set(path, { id: tree.id, rows: changed });
    return tree.id;
  }

  return {
    async version(root, path) {
      const rows = await walk(root, path);
      const last = rows[path.split("/").length - 1];
      return last?.mode === FILE ? last.id : null;
    },
    async obstacles(root, path) {
      const rows = await walk(root, path);
      const segments = path.split("/");
      const last = rows.at(-1);
      if (!last) return [];
      if (last.mode !== FOLDER)
        return rows.length < segments.length ? [segments.slice(0, rows.length).join("/")] : [];
      if (rows.length < segments.length) return [];
      return [...(await filesBelow(path, last.id)).keys()];
    },
    async files(root, budget) {
      budget?.next();
      return root === null ? new Map() : filesBelow("", root, budget);
    },
    async edit(root, files) {
      const objects: NewObject[] = [];
      const edited = await apply("", root, planOf(files), objects);
      return { root: edited!, objects };
    },
  };
}

function planOf(files: ReadonlyMap<string, string | null>): Plan {
  const whole: Plan = { files: new Map(), folders: new Map() };
  for (const [path, version] of files) {
    const segments = path.split("/");
    let plan = whole;
    for (const segment of segments.slice(0, -1)) {
      let next = plan.folders.get(segment);
      if (!next) plan.folders.set(segment, (next = { files: new Map(), folders: new Map() }));
      plan = next;
    }
    plan.files.set(segments.at(-1)!, version);
  }
  return whole;
}
