/** What may name by its path what is moved, and is left as it is: bases, and queries in notes. Their languages are not ours to rewrite. */

import { namesIn, queryBlocks } from "../markdown/queries.ts";
import type { Relinking } from "./backlinks.ts";
import type { Who } from "./change.ts";
import { load } from "./load.ts";
import { decodeText } from "./note.ts";
import type { Parts } from "./parts.ts";
import type { LinkedPath } from "./paths.ts";
import { fold, linkKey, meaningOf } from "./resolve.ts";
import { breather } from "./turns.ts";

/** The most files that one change looks into, and bytes of each; what is beyond is not looked at. */
const FILES = 2000;
const BYTES = 256 * 1024;

/** Gives the paths at which they will stand. `folders`: those that move as a whole. */
export async function mayRefer(
  parts: Parts,
  how: Relinking,
  folders: readonly string[],
  who: Who,
): Promise<string[]> {
  const { index, store } = parts;
  const breathe = breather();
  const found: string[] = [];
  const look = async (path: LinkedPath, queries: readonly string[]): Promise<void> => {
    who.signal?.throwIfAborted();
    await breathe();
    const names = queries.flatMap(namesIn);
    if (names.some((name) => isMoved(name, path, how, folders))) found.push(how.moves.get(path) ?? path);
  };
  for (const path of index.queryNotes().slice(0, FILES)) {
    const text = (await load(parts, path))?.text ?? "";
    await look(path, queryBlocks(text));
  }
  for (const path of index.attachments.bases().slice(0, FILES)) {
    const file = await store.bytes(path, BYTES);
    await look(path, [(file && decodeText(file.bytes)) ?? ""]);
  }
  return found.toSorted();
}

/** Whether a name leads to what moves, and will not lead there as it is written. */
function isMoved(name: string, source: LinkedPath, how: Relinking, folders: readonly string[]): boolean {
  const path = fold(name.replace(/^\/+|\/+$/g, ""));
  if (folders.some((folder) => path === fold(folder) || path.startsWith(`${fold(folder)}/`))) return true;
  if (!how.keys.has(linkKey(name))) return false;
  const link = { form: "wiki", target: name } as const;
  const meant = meaningOf(link, source, how.before);
  const next = meant === null ? undefined : how.moves.get(meant);
  return next !== undefined && meaningOf(link, how.moves.get(source) ?? source, how.after) !== next;
}
