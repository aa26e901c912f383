/** The notes in memory: for trying things out, and the same contract without a disk. */

import { blobId } from "../disk/hash.ts";
import { recordedFor, versionFor } from "../disk/versions.ts";
import { HEALTHY, type Listed, type NoteStore, type Stat } from "../notebook/parts.ts";
import {
  isAttachment,
  isNote,
  RULES,
  type AttachmentPath,
  type LinkedPath,
  type NotePath,
  type RulePath,
  type TrashPath,
} from "../notebook/paths.ts";
import { factsNeeded, planPuts, type Facts, type FactsNeeded } from "../notebook/puts.ts";
import { fold } from "../notebook/resolve.ts";
import { findTrashed, freeInTrash, TRASH } from "../notebook/vault-path.ts";
import { folderAmong, foldersAmong, openWriters, partsOf, twinAmong } from "./flat-keys.ts";
import { SETTINGS } from "../notebook/settings/settings-files.ts";

type File = { bytes: Uint8Array; stamp: string; modified: Date };

const BATCH = 1000;

/** The files, and what is to be known of them. */
function openFiles(now: () => Date) {
  const files = new Map<string, File>();
  let count = 0;

  function stat(path: string): Stat | null {
    const file = files.get(path);
    if (!file) return null;
    const { stamp, modified, bytes } = file;
    return { path: path as NotePath, stamp, modified, changed: modified, size: bytes.length };
  }

  function facts({ files: paths, newNames }: FactsNeeded): Facts {
    const spellings = new Map<string, string>();
    if (newNames.size > 0)
      for (const path of files.keys()) for (const part of partsOf(path)) spellings.set(fold(part), part);
    const there = [...paths.keys()].map((path) => {
      const file = files.get(path);
      return [path, file ? { version: versionFor(path, file.bytes), inode: path } : null] as const;
    });
    const twins = [...newNames].flatMap((name) => {
      const twin = twinAmong(spellings, name);
      return twin === null ? [] : [[name, twin] as const];
    });
    return { files: new Map(there), twins: new Map(twins) };
  }

  return {
    files,
    stat,
    listed: (paths: readonly string[]): Listed => {
      const stats = paths.flatMap((path) => stat(path) ?? []);
      const attachments = stats.filter(({ path }) => !isNote(path)) as Stat<string>[];
      return {
        notes: stats.filter(({ path }) => isNote(path)),
        attachments: attachments as Stat<AttachmentPath>[],
      };
    },
    facts,
    visible: () => [...files.keys()].filter((path) => !path.startsWith(".")),
    put(path: string, bytes: Uint8Array): void {
      files.set(path, { bytes: bytes.slice(), stamp: String(++count), modified: now() });
    },
  };
}

export function openMemory(
  given: Record<string, string> = {},
  now: () => Date = () => new Date(),
): NoteStore {
  const { files, stat, listed, facts, visible, put } = openFiles(now);
  const writers = openWriters();
  for (const [path, text] of Object.entries(given)) put(path, new TextEncoder().encode(text));

  return {
    async *list() {
      const paths = visible();
      for (let from = 0; from < paths.length; from += BATCH) yield listed(paths.slice(from, from + BATCH));
    },
    async folder(folder) {
      const found = folderAmong(visible(), folder);
      return found && { ...listed(found.files), folders: found.folders };
    },
    stat: async <Path extends LinkedPath>(path: Path) => stat(path) as Stat<Path> | null,
    async read(path) {
      const file = files.get(path);
      if (!file) return null;
      const bytes = isAttachment(path) ? recordedFor(path, file.bytes) : file.bytes.slice();
      return { ...stat(path)!, bytes, version: blobId(bytes) };
    },
    async bytes(path, most) {
      const file = files.get(path);
      const found: Stat<string> | null = stat(path);
      return file ? { ...(found as Stat<AttachmentPath>), bytes: file.bytes.slice(0, most) } : null;
    },
    async rules() {
      const paths = [...files.keys()].filter((path) => path.startsWith(RULES)).toSorted();
      return paths.map((path) => ({ path: path as RulePath, stamp: files.get(path)!.stamp }));
    },
    async settings() {
      if (![...files.keys()].some((path) => path.startsWith(".obsidian/"))) return null;
      return SETTINGS.flatMap((path) => {
        const found = stat(path);
        return found ? [{ ...found, path }] : [];
      });
    },
    async apply(puts) {
      if (!writers.held()) throw new Error("apply is called only inside alone");
      const plan = planPuts(puts, facts(factsNeeded(puts)), blobId);
      const sources = plan.map((op) => files.get(op.do === "place" ? (op.like ?? "") : ""));
      plan.forEach((op, at) => {
        if (op.do !== "place") return;
        put(op.path, op.bytes ?? sources[at]!.bytes);
        // A note that only moves keeps its time, as a file does.
        if (op.bytes === null) files.get(op.path)!.modified = sources[at]!.modified;
      });
      for (const op of plan) {
        if (op.do === "respell") files.set(op.path, files.get(op.from)!);
        if (op.do !== "place") files.delete(op.do === "respell" ? op.from : op.path);
      }
      return puts.map((put) => (put.bytes === null ? null : stat(put.path)));
    },
    alone: writers.alone,
    background: writers.alone,
    present: () => "memory",
    hasFolder: async (folder) => visible().some((path) => path.startsWith(`${folder}/`)),
    async tree(folder) {
      const inside = visible().filter((path) => path.startsWith(`${folder}/`));
      if (inside.length === 0) return null;
      const { notes, attachments } = listed(inside);
      return {
        notes: notes.map(({ path }) => path),
        attachments: attachments.map(({ path }) => path),
        folders: foldersAmong(inside, folder),
        obstacles: [],
      };
    },
    async trashed(wanted) {
      const places = [...files.keys()].filter((it) => it.startsWith(`${TRASH}/`)) as TrashPath[];
      return findTrashed(wanted, places.toReversed(), (place) => versionFor(place, files.get(place)!.bytes));
    },
    trashPlaces: async (paths) => {
      const taken = new Set([...files.keys()].map(fold));
      return freeInTrash(paths, (place) => taken.has(fold(place)));
    },
    onLateEdit: () => undefined,
    health: HEALTHY,
    async close() {
      await writers.idle();
    },
  };
}
