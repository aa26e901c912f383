/** Catching up: every note that the history does not hold as it is, gathered beside the lock, and then in one commit inside it. */

import { NoteError } from "../markdown/errors.ts";
import type { Content, NoteStore } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import type { States } from "./drafts.ts";
import type { Keeping } from "./keeping.ts";
import { recordable } from "./objects.ts";
import type { Trees } from "./trees.ts";

/** What was found, and the tree it makes. Contents and trees are gathered already. */
export type Found = States & { tree: string; inPack(id: string): boolean };

const NO_BYTES = new Uint8Array();

export async function findUnrecorded(
  keeping: Keeping,
  trees: Trees,
  root: string | null,
  store: NoteStore,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const recorded = await trees.files(root);
  const pack = keeping.gather();
  const after = new Map<string, Content | null>();
  const seen = new Set<string>();

  async function look(path: FilePath): Promise<void> {
    signal?.throwIfAborted();
    seen.add(path);
    const file = recordable(path) ? await readable(store, path) : null;
    if (!file || file.version === recorded.get(path)) return;
    const { version, modified, recorded: held } = file;
    if (!held) await pack.add("blob", file.bytes);
    after.set(path, { version, modified, bytes: NO_BYTES, ...(held ? { recorded: held } : {}) });
  }

  const closed: string[] = [];
  for (const path of await everyPath(store, closed)) await look(path);
  // What cannot be listed is not gone.
  for (const folder of closed)
    for (const below of recorded.keys()) if (below.startsWith(`${folder}/`)) seen.add(below);
  for (const { path, unread } of await store.rules())
    if (unread !== undefined)
      for (const below of recorded.keys()) if (`${below}/`.startsWith(`${path}/`)) seen.add(below);
  // Reading takes a while: what is gone by now was never there for the history.
  const still = new Set<string>(after.size > 0 ? await everyPath(store) : []);
  for (const path of after.keys()) if (!still.has(path)) after.delete(path);
  for (const path of recorded.keys()) if (!seen.has(path)) after.set(path, null);

  const versions = new Map([...after].map(([path, content]) => [path, content?.version ?? null] as const));
  const { root: tree, objects } = await trees.edit(root, versions);
  for (const { body } of objects) await pack.add("tree", body);
  signal?.throwIfAborted();
  await pack.end();
  const before = new Map([...after.keys()].map((path) => [path, recorded.get(path) ?? null] as const));
  return { before, after, tree, inPack: pack.has };
}

/** `closed` takes the folders that may not be listed. */
async function everyPath(store: NoteStore, closed: string[] = []): Promise<FilePath[]> {
  const paths: FilePath[] = [];
  for await (const listed of store.list()) {
    for (const { path } of listed.notes) paths.push(path);
    closed.push(...(listed.closed ?? []));
  }
  for (const { path, unread } of await store.rules()) if (unread === undefined) paths.push(path);
  return paths;
}

// Too large, not permitted, failing: the history holds what it held.
export async function readable(store: NoteStore, path: FilePath): Promise<Content | null> {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
