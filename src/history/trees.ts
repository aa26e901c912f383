/** The folders of the newest commit, kept in memory, and new trees made from them: an edit reads nothing it has seen. */

import { newObject, type NewObject } from "./loose.ts";
import { FILE, FOLDER, type GitObject, type TreeEntry } from "./objects.ts";
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
  files(root: string | null): Promise<Map<string, string>>;
  /** A root with these files set or gone, and the tree objects that are new in it. */
  edit(
    root: string | null,
    files: ReadonlyMap<string, string | null>,
  ): Promise<{ root: string; objects: NewObject[] }>;
};

/** More than any vault holds, and far less than what a few trees that name each other could unfold to. */
const ENTRY_LIMIT = 2_000_000;
const DEPTH_LIMIT = 600;

/** Keeps a walk through trees of unknown origin from going on without end. */
export function bounded(): (depth: number) => void {
  let entries = 0;
  return (depth) => {
    if (++entries > ENTRY_LIMIT || depth > DEPTH_LIMIT) throw damage("a tree unfolds without end");
  };
}

/** An object that must be there is not, or is not what it should be. */
export const damage = (what: string): Error => Object.assign(new Error(what), { damaged: true });
export const isDamage = (error: unknown): boolean => (error as { damaged?: boolean })?.damaged === true;

export function openTrees(read: ReadObject): Trees {
  // By path, and right only while the id is the one the parent names: another process may have moved the history on.
  const folders = new Map<string, Folder>();

  async function folder(path: string, id: string): Promise<Folder> {
    const known = folders.get(path);
    if (known?.id === id) return known;
    const object = await read(id);
    if (object?.kind !== "tree") throw damage("a tree is missing");
    const rows = rowsIn(object.body);
    if (!rows) throw damage("a tree cannot be read");
    const loaded = { id, rows };
    folders.set(path, loaded);
    return loaded;
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

  async function filesBelow(path: string, id: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const count = bounded();
    async function descend(at: string, id: string, depth: number): Promise<void> {
      for (const row of entriesOf((await folder(at, id)).rows)) {
        count(depth);
        const place = at === "" ? row.name : `${at}/${row.name}`;
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
      folders.delete(path);
      return null;
    }
    const made = newObject("tree", changed.body);
    if (made.id !== id) objects.push(id === null ? made : { ...made, like: { id, body: old.body } });
    // Many folders are made one after another without waiting for anything: others get their turn.
    if (objects.length % 32 === 31) await new Promise(setImmediate);
    folders.set(path, { id: made.id, rows: changed });
    return made.id;
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
    files: async (root) => (root === null ? new Map() : filesBelow("", root)),
    async edit(root, files) {
      const objects: NewObject[] = [];
      const made = await apply("", root, planOf(files), objects);
      return { root: made!, objects };
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
