/** Catching up: every note that the history does not hold as it is, gathered beside the lock, and then in one commit inside it. */

import { NoteError } from "../markdown/errors.ts";
import type { Content, NoteStore } from "../notebook/parts.ts";
import { liesIn, type AttachmentPath, type FilePath } from "../notebook/paths.ts";
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

  const { read, attached, closed } = await everyPath(store);
  for (const path of read) await look(path);
  for (const path of attached) seen.add(path);
  // Reading takes a while: what is gone by now was never there for the history.
  const still = new Set<string>(after.size > 0 ? (await everyPath(store)).read : []);
  for (const path of after.keys()) if (!still.has(path)) after.delete(path);
  // What cannot be listed is not gone.
  for (const path of recorded.keys()) if (!seen.has(path) && !liesIn(path, closed)) after.set(path, null);

  const versions = new Map([...after].map(([path, content]) => [path, content?.version ?? null] as const));
  const { root: tree, objects } = await trees.edit(root, versions);
  for (const { body } of objects) await pack.add("tree", body);
  signal?.throwIfAborted();
  await pack.end();
  const before = new Map([...after.keys()].map((path) => [path, recorded.get(path) ?? null] as const));
  return { before, after, tree, inPack: pack.has };
}

type Paths = { read: FilePath[]; attached: AttachmentPath[]; closed: Set<string> };

/** What the history reads, the attachments that it only knows of, and what stands there and cannot be listed. */
async function everyPath(store: NoteStore): Promise<Paths> {
  const paths: Paths = { read: [], attached: [], closed: new Set() };
  for await (const { notes, attachments, closed = [] } of store.list()) {
    for (const { path } of notes) paths.read.push(path);
    for (const { path } of attachments) paths.attached.push(path);
    for (const folder of closed) paths.closed.add(folder);
  }
  for (const { path, unread } of await store.rules())
    if (unread === undefined) paths.read.push(path);
    else paths.closed.add(path);
  return paths;
}

/** Undefined where it is too large, not permitted, or failing: the history holds what it held. */
export async function readable(store: NoteStore, path: FilePath): Promise<Content | null | undefined> {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
