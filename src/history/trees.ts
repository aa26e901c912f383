/** The folders of the newest commit, kept in memory, and new trees made from them: an edit reads nothing it has seen. */

import { newObject, type NewObject } from "./loose.ts";
import { entryAt, FILE, FOLDER, treeRow, type GitObject, type TreeEntry } from "./objects.ts";

type Row = TreeEntry & { bytes: Buffer };
/** `rows` in git's order, which is also that of `body`, the bytes of all of them. */
type Folder = { id: string; rows: Row[]; at: Map<string, Row>; body: Buffer };
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
    const loaded = folderOf(id, parseTree(object.body), object.body);
    folders.set(path, loaded);
    return loaded;
  }

  /** The entry of each segment, as far as they are there. */
  async function walk(root: string | null, path: string): Promise<Row[]> {
    const found: Row[] = [];
    let id = root;
    let at = "";
    for (const segment of path.split("/")) {
      const row = id === null ? undefined : (await folder(at, id)).at.get(segment);
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
      for (const row of (await folder(at, id)).rows) {
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
    const old = id === null ? folderOf("", [], NO_BYTES) : await folder(path, id);
    const fresh = new Map<string, Row | null>();
    for (const [name, child] of plan.folders) {
      const row = old.at.get(name);
      const inside = await apply(
        path === "" ? name : `${path}/${name}`,
        row?.mode === FOLDER ? row.id : null,
        child,
        objects,
      );
      if (inside !== null) fresh.set(name, makeRow(FOLDER, name, inside));
      else if (row?.mode === FOLDER) fresh.set(name, null);
    }
    for (const [name, version] of plan.files) {
      if (version !== null) fresh.set(name, makeRow(FILE, name, version));
      else if (!fresh.get(name) && old.at.get(name)?.mode !== FOLDER) fresh.set(name, null);
    }
    // From here on it is no longer right under its old id.
    folders.delete(path);
    const changed = withRows(old, fresh);
    if (changed.rows.length === 0 && path !== "") return null;
    const made = newObject("tree", changed.body);
    if (made.id !== id) objects.push(id === null ? made : { ...made, like: { id, body: old.body } });
    // Many folders are made one after another without waiting for anything: others get their turn.
    if (objects.length % 32 === 31) await new Promise(setImmediate);
    folders.set(path, { ...changed, id: made.id });
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

const makeRow = (mode: string, name: string, id: string): Row => ({
  mode,
  name,
  id,
  bytes: treeRow(mode, name, id),
});
const folderOf = (id: string, rows: Row[], body: Buffer): Folder => ({
  id,
  rows,
  at: new Map(rows.map((row) => [row.name, row])),
  body,
});

const NO_BYTES = Buffer.alloc(0);
/** From this share of the rows on it is quicker to put all of them in order again. */
const MANY = 1 / 8;

/**
 * The folder with rows set or (null) gone. What is new is put where it belongs, and only the bytes around it are copied: a folder
 * of ten thousand notes costs hardly more than one of ten. The list of rows is a new one, for somebody may be walking through the
 * old; the map is the same, for only who holds the lock looks names up, one after another.
 */
function withRows(old: Folder, fresh: ReadonlyMap<string, Row | null>): Omit<Folder, "id"> {
  if (fresh.size > old.rows.length * MANY) {
    const kept = old.rows.filter((row) => !fresh.has(row.name));
    const rows = kept.concat([...fresh.values()].filter((row) => row !== null)).toSorted(inTreeOrder);
    return folderOf("", rows, Buffer.concat(rows.map((row) => row.bytes)));
  }
  const { at } = old;
  let { body, rows } = old;
  const put = (row: Row | null, place: number, gone: 0 | 1): void => {
    // Sought by its bytes, of which twenty are an id: adding up the lengths of ten thousand rows takes longer than all the rest.
    const offset = place < rows.length ? body.indexOf(rows[place]!.bytes) : body.length;
    const end = offset + (gone === 0 ? 0 : rows[place]!.bytes.length);
    body = Buffer.concat([body.subarray(0, offset), row?.bytes ?? NO_BYTES, body.subarray(end)]);
    rows = rows.toSpliced(place, gone, ...(row ? [row] : []));
  };
  for (const [name, row] of fresh) {
    const there = at.get(name);
    // A file and a folder of one name stand in different places.
    const replaces = there !== undefined && row !== null && there.mode === row.mode;
    if (there && !replaces) put(null, placeIn(rows, there), 1);
    if (row) put(row, placeIn(rows, row), replaces ? 1 : 0);
    if (row) at.set(name, row);
    else at.delete(name);
  }
  return { rows, at, body };
}

/** Where a row stands, or would. */
function placeIn(rows: readonly Row[], row: Row): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (inTreeOrder(rows[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function parseTree(body: Buffer): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < body.length;) {
    const found = entryAt(body, at);
    if (!found) throw damage("a tree cannot be read");
    rows.push({ ...found.entry, bytes: body.subarray(at, found.next) });
    at = found.next;
  }
  return rows;
}

/** By the bytes of the names, a folder as if its name ended in a slash. */
function inTreeOrder(a: Row, b: Row): number {
  const [from, other] = [a.mode.length + 1, b.mode.length + 1];
  const [end, otherEnd] = [a.bytes.length - 21, b.bytes.length - 21];
  const shared = Math.min(end - from, otherEnd - other);
  const order = a.bytes.compare(b.bytes, other, other + shared, from, from + shared);
  if (order !== 0) return order;
  return nextByte(a, from + shared, end) - nextByte(b, other + shared, otherEnd);
}

const nextByte = (row: Row, at: number, end: number): number =>
  at < end ? row.bytes[at]! : row.mode === FOLDER ? 0x2f : 0;
