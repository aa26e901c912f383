/** The notes in memory: for trying things out, and the same contract without a disk. */

import { blobId } from "../disk/hash.ts";
import type { NoteStore, Stat } from "../notebook/parts.ts";
import { folderOf, type NotePath, type RulePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { firstFree } from "./listing.ts";
import { planPuts, type Vault } from "../notebook/puts.ts";

type File = { bytes: Uint8Array; stamp: string; modified: Date };

const RULES = ".llm_bridges/knowledge_base/";
const BATCH = 1000;

export function openMemory(
  notes: Record<string, string> = {},
  now: () => Date = () => new Date(),
): NoteStore {
  const files = new Map<string, File>();
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  let held = false;
  for (const [path, text] of Object.entries(notes)) put(path, new TextEncoder().encode(text));

  function put(path: string, bytes: Uint8Array): void {
    files.set(path, { bytes: bytes.slice(), stamp: String(++count), modified: now() });
  }

  function stat(path: string): Stat | null {
    const file = files.get(path);
    return file
      ? {
          path: path as NotePath,
          stamp: file.stamp,
          modified: file.modified,
          changed: file.modified,
          size: file.bytes.length,
        }
      : null;
  }

  function visible(): NotePath[] {
    return [...files.keys()].filter((path) => !path.startsWith(".")) as NotePath[];
  }

  /** Spellings in use, of notes and of folders, by their folded form. */
  function spellingsInUse(): Map<string, string> {
    const spellings = new Map<string, string>();
    for (const path of files.keys())
      for (let part = path; part !== ""; part = folderOf(part)) spellings.set(fold(part), part);
    return spellings;
  }

  function vault(): Vault {
    let spellings: Map<string, string> | null = null;
    return {
      at(path) {
        const file = files.get(path);
        return file ? { version: blobId(file.bytes), inode: path } : null;
      },
      twin(path) {
        spellings ??= spellingsInUse();
        for (let part = path; part !== ""; part = folderOf(part)) {
          const spelling = spellings.get(fold(part));
          if (spelling !== undefined) return spelling === part ? null : spelling;
        }
        return null;
      },
    };
  }

  const alone: NoteStore["alone"] = (work) => {
    const turn = last.then(async () => {
      held = true;
      try {
        return await work();
      } finally {
        held = false;
      }
    });
    last = turn.catch(() => {});
    return turn;
  };

  return {
    async *list() {
      const paths = visible();
      for (let from = 0; from < paths.length; from += BATCH)
        yield paths.slice(from, from + BATCH).flatMap((path) => stat(path) ?? []);
    },
    async folder(folder) {
      const inside = visible().filter((path) => folder === "" || path.startsWith(`${folder}/`));
      if (inside.length === 0 && folder !== "") return null;
      const depth = folder === "" ? 1 : folder.split("/").length + 1;
      const deeper = inside.filter((path) => path.split("/").length > depth);
      return {
        notes: inside.filter((path) => folderOf(path) === folder).flatMap((path) => stat(path) ?? []),
        folders: [...new Set(deeper.map((path) => path.split("/").slice(0, depth).join("/")))],
      };
    },
    stat: async (path) => stat(path),
    async read(path) {
      const file = files.get(path);
      return file ? { ...stat(path)!, bytes: file.bytes.slice(), version: blobId(file.bytes) } : null;
    },
    async rules() {
      const paths = [...files.keys()].filter((path) => path.startsWith(RULES)).toSorted();
      return paths.map((path) => ({ path: path as RulePath, stamp: files.get(path)!.stamp }));
    },
    async apply(puts) {
      if (!held) throw new Error("apply is called only inside alone");
      const plan = planPuts(puts, vault(), blobId);
      const sources = plan.map((step) => files.get(step.do === "place" ? (step.like ?? "") : ""));
      plan.forEach((step, at) => {
        if (step.do !== "place") return;
        put(step.path, step.bytes ?? sources[at]!.bytes);
        // A note that only moves keeps its time, as a file does.
        if (step.bytes === null) files.get(step.path)!.modified = sources[at]!.modified;
      });
      for (const step of plan) {
        if (step.do === "respell") files.set(step.path, files.get(step.from)!);
        if (step.do !== "place") files.delete(step.do === "respell" ? step.from : step.path);
      }
      return puts.map((put) => (put.bytes === null ? null : stat(put.path)));
    },
    alone,
    background: alone,
    present: () => "memory",
    trashPlace: async (path) => {
      const taken = new Set([...files.keys()].map(fold));
      return firstFree(path, (name) => taken.has(fold(`.trash/${name}`)));
    },
    async close() {
      await last;
    },
  };
}
