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

/** What finds a folder, and what makes one. */
type Folders = {
  sha1: Sha1;
  read(path: string, id: string): Promise<Folder>;
  /** Folders that we made ourselves, by path. They stay: until their commit is written, nobody could read them again. */
  made: Map<string, Folder>;
};

export function openTrees(read: ReadObject, sha1: Sha1): Trees {
  const folders = openFolders(read, sha1);
  return {
    async version(root, path) {
      const rows = await walk(folders, root, path);
      const last = rows[path.split("/").length - 1];
      return last?.mode === FILE ? last.id : null;
    },
    async obstacles(root, path) {
      const rows = await walk(folders, root, path);
      const segments = path.split("/");
      const last = rows.at(-1);
      if (!last) return [];
      if (last.mode !== FOLDER)
        return rows.length < segments.length ? [segments.slice(0, rows.length).join("/")] : [];
      if (rows.length < segments.length) return [];
      return [...(await filesBelow(folders, path, last.id)).keys()];
    },
    async files(root, budget) {
      budget?.next();
      return root === null ? new Map() : filesBelow(folders, "", root, budget);
    },
    async edit(root, files) {
      const objects: NewObject[] = [];
      const edited = await apply(folders, "", root, planOf(files), objects);
      return { root: edited!, objects };
    },
  };
}

function openFolders(read: ReadObject, sha1: Sha1): Folders {
  const made = new Map<string, Folder>();
  // These are found by id: a forged history names one tree in a million places.
  const loaded = cacheOf<Folder>(CACHED_BYTES);
  return {
    sha1,
    made,
    async read(path, id) {
      // A folder found by path is right only while the id is the one the parent names: another process may have moved the history on.
      const known = [made.get(path), loaded.get(id)].find((one) => one?.id === id);
      if (known) return known;
      const object = await read(id);
      if (object?.kind !== "tree") throw damage("a tree is missing");
      const rows = rowsIn(object.body);
      if (!rows) throw damage("a tree cannot be read");
      const found = { id, rows };
      loaded.set(id, found, rows.body.length + rows.starts.byteLength);
      return found;
    },
  };
}

const below = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

/** The entry of each segment, as far as they are there. */
async function walk(folders: Folders, root: string | null, path: string): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  let id = root;
  let at = "";
  for (const segment of path.split("/")) {
    const row = id === null ? undefined : entryBy((await folders.read(at, id)).rows, segment);
    if (!row) break;
    found.push(row);
    at = below(at, segment);
    id = row.mode === FOLDER ? row.id : null;
  }
  return found;
}

async function filesBelow(
  folders: Folders,
  path: string,
  id: string,
  budget = walkBudget(),
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  async function descend(at: string, id: string, depth: number): Promise<void> {
    const count = budget.enter(id, depth);
    for (const row of entriesOf((await folders.read(at, id)).rows)) {
      count();
      await budget.turn();
      const place = below(at, row.name);
      if (place.length > PATH_LIMIT) continue;
      if (row.mode === FOLDER) await descend(place, row.id, depth + 1);
      else if (row.mode === FILE) found.set(place, row.id);
    }
  }
  await descend(path, id, 0);
  return found;
}

/** Makes the folder that the plan leads to, and those below it. Gives its id, or null where nothing is left in it. */
async function apply(
  folders: Folders,
  path: string,
  id: string | null,
  plan: Plan,
  objects: NewObject[],
): Promise<string | null> {
  const old = id === null ? NO_ROWS : (await folders.read(path, id)).rows;
  const changes = new Map<string, TreeEntry | null>();
  for (const [name, child] of plan.folders) {
    const row = entryBy(old, name);
    const inside = row?.mode === FOLDER ? row.id : null;
    const edited = await apply(folders, below(path, name), inside, child, objects);
    if (edited !== null) changes.set(name, { mode: FOLDER, name, id: edited });
    else if (inside !== null) changes.set(name, null);
  }
  for (const [name, version] of plan.files) {
    if (version !== null) changes.set(name, { mode: FILE, name, id: version });
    else if (!changes.get(name) && entryBy(old, name)?.mode !== FOLDER) changes.set(name, null);
  }
  const changed = withRows(old, changes);
  if (changed.starts.length === 0 && path !== "") {
    folders.made.delete(path);
    return null;
  }
  const tree = objectOf(folders.sha1, "tree", changed.body);
  if (tree.id !== id) objects.push(id === null ? tree : { ...tree, like: { id, body: old.body } });
  // Many folders are made one after another without waiting for anything: others get their turn.
  if (objects.length % 32 === 31) await turnOfOthers();
  folders.made.set(path, { id: tree.id, rows: changed });
  return tree.id;
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
