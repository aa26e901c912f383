/** A history as a git bundle: one file that `git clone` takes, with every object that the newest revision leads to (decision 23). */

import { createHash } from "node:crypto";
import { turnOfOthers } from "../notebook/turns.ts";
import { encoded } from "./bytes.ts";
import { damage } from "./damage.ts";
import { deflated } from "./deflate.ts";
import { FOLDER } from "./objects.ts";
import { entryHead, KINDS } from "./pack-entry.ts";
import { readCommit } from "./revision.ts";
import { entriesOf, rowsIn } from "./tree-rows.ts";
import type { ReadObject } from "./trees.ts";

/** Objects that are looked at before others have their turn. */
const TURN = 64;

/** In pieces, so that no more than one object is in memory. */
export async function* bundleOf(head: string, read: ReadObject): AsyncGenerator<Uint8Array> {
  const ids = await reachable(head, read);
  yield encoded(`# v2 git bundle\n${head} HEAD\n${head} refs/heads/main\n\n`);
  const hash = createHash("sha1");
  const hashed = (bytes: Uint8Array): Uint8Array => {
    hash.update(bytes);
    return bytes;
  };
  const header = new DataView(new ArrayBuffer(12));
  [0x5041434b, 2, ids.length].forEach((value, at) => header.setUint32(4 * at, value));
  yield hashed(new Uint8Array(header.buffer));
  for (const id of ids) {
    const object = await read(id);
    if (!object) throw damage("an object is missing");
    yield hashed(entryHead(KINDS[object.kind], object.body.length));
    yield hashed(await deflated(object.body));
  }
  yield new Uint8Array(hash.digest());
}

/** Every object, each once: commits with their trees, and what those hold. */
async function reachable(head: string, read: ReadObject): Promise<string[]> {
  const found = new Set<string>();
  async function descend(tree: string): Promise<void> {
    if (found.has(tree)) return;
    found.add(tree);
    if (found.size % TURN === 0) await turnOfOthers();
    const rows = rowsIn((await read(tree))?.body ?? new Uint8Array());
    if (!rows) throw damage("a tree cannot be read");
    for (const { mode, id } of entriesOf(rows)) {
      if (mode === FOLDER) await descend(id);
      else found.add(id);
    }
  }
  for (let id: string | null = head; id !== null;) {
    const commit: { tree: string; parent: string | null } = await readCommit(read, id);
    found.add(id);
    await descend(commit.tree);
    id = commit.parent;
  }
  return [...found];
}
