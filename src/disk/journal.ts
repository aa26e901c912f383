/** The journal: a change of several notes, written down before the first is touched, and finished by whoever holds the lock next (decision 7). */

import { attempt } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { clearTemps, isTempName, JOURNALS, machineOf, makeOwnFolder, newName, TEMPS } from "./home.ts";
import { keptName } from "./guard.ts";
import { dropMoved, keep, moveIn, type StagedOperation } from "./file-operations.ts";
import { folderOf, isNote } from "../notebook/paths.ts";
import { conflictName, isVaultFile, nameIn } from "../notebook/vault-path.ts";
import { versionAt } from "./versions.ts";

type How = { durable: boolean; machine: string };
type Place = Extract<StagedOperation, { do: "place" }>;

const FORMAT = 1;
const SIZE_LIMIT = 64 * 1024 * 1024;
export const SET_ASIDE = `${JOURNALS}/set-aside`;

/** From here on the change is going to be, whatever happens. */
export function writeJournal(disk: Disk, ops: readonly StagedOperation[], how: How): string {
  const id = newName(disk, how.machine);
  const folder = `${JOURNALS}/${how.machine}`;
  const temp = `${TEMPS}/${id}.tmp`;
  const text = JSON.stringify({ format: FORMAT, steps: ops });
  makeOwnFolder(disk, folder, how);
  disk.create(temp, Buffer.from(text), { mode: "own", durable: how.durable });
  try {
    if (how.durable) disk.sync(TEMPS);
    disk.rename(temp, `${folder}/${id}.json`);
  } catch (error) {
    attempt(() => disk.unlink(temp));
    throw error;
  }
  try {
    if (how.durable) disk.sync(folder);
  } catch (error) {
    dropJournal(disk, `${folder}/${id}.json`, how);
    throw error;
  }
  return `${folder}/${id}.json`;
}

/** Durably too: a journal that came back after a power cut would be about notes that have moved on. */
export function dropJournal(disk: Disk, journal: string, how: { durable: boolean }): boolean {
  return attempt(() => {
    disk.unlink(journal);
    if (how.durable) disk.sync(folderOf(journal));
  });
}

/** Finishes what a writer that died had begun, and clears its temps. Never throws; says in plain sentences what a person should know. */
export function recover(disk: Disk, machine: string): string[] {
  const reports: string[] = [];
  const spare = new Set<string>();
  const folder = `${JOURNALS}/${machine}`;
  const looked = attempt(() => {
    const names = disk.names(folder);
    for (const name of names ? Object.values(names).flat().toSorted() : []) {
      const journal = `${folder}/${name}`;
      const ops = readOperations(disk, journal, machine);
      if (ops === null) {
        setAside(disk, journal, machine);
        reports.push(
          `A journal that is damaged or not ours was set aside in ${SET_ASIDE}; nothing was done.`,
        );
      } else if (!attempt(() => void reports.push(...finish(disk, journal, ops, machine)))) {
        for (const op of ops) if (op.do !== "respell") spare.add(nameIn(op.temp));
        reports.push(`A change of ${ops.length} notes could not be finished yet; it will be tried again.`);
      }
    }
  });
  // Temps may belong to a journal, so they go only when every journal was read.
  if (looked) attempt(() => clearTemps(disk, machine, spare));
  else reports.push("The journal could not be read; it will be tried again.");
  return reports;
}

/** Unfinished changes: ours, which the next writer finishes, and those of other places, which only they can. */
export function pendingJournals(disk: Disk, machine: string): { ours: number; others: string[] } {
  const count = (folder: string) => disk.names(`${JOURNALS}/${folder}`)?.file.length ?? 0;
  const others = (disk.names(JOURNALS)?.folder ?? []).filter(
    (name) => name !== machine && name !== "set-aside",
  );
  return { ours: count(machine), others: others.filter((name) => count(name) > 0) };
}

/** A file's time is that of a tick of the kernel: what was listed this shortly after may have changed in the same tick. */
const RACY_MS = 2000;

/** Says, for the price of one call, whether a change of several notes is under way here. */
export function pendingLook(disk: Disk): () => boolean {
  let folder = "";
  let seen: { stamp: string; any: boolean } | null = null;

  function lookAgain(): boolean {
    seen = null;
    folder = `${JOURNALS}/${machineOf(disk)}`;
    const entry = disk.look(folder);
    if (entry?.kind !== "folder") return false;
    const any = (disk.names(folder)?.file.length ?? 0) > 0;
    if (Math.abs(Date.now() - entry.changed.getTime()) >= RACY_MS) seen = { stamp: entry.stamp, any };
    return any;
  }

  return () => {
    // Before the first change of several notes there is no folder for journals at all.
    if (seen === null && disk.stamp(JOURNALS) === null) return false;
    if (seen !== null && disk.stamp(folder) === seen.stamp) return seen.any;
    let pending = false;
    // A note is read whatever stands where journals should be.
    attempt(() => (pending = lookAgain()));
    return pending;
  };
}

/** The operations of a journal that we could have written, else null. Anybody can put a file into a vault. */
function readOperations(disk: Disk, journal: string, machine: string): StagedOperation[] | null {
  const entry = disk.look(journal);
  const file = entry?.kind === "file" && entry.size <= SIZE_LIMIT ? disk.read(journal, SIZE_LIMIT) : null;
  if (file === null || !isTempName(nameIn(journal).replace(/json$/, "tmp"), machine)) return null;
  const content = parsed(file.bytes);
  const sound =
    content?.format === FORMAT &&
    Array.isArray(content.steps) &&
    content.steps.every((op: any) => isStaged(op, machine));
  return sound ? content.steps : null;
}

function parsed(bytes: Uint8Array): any {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}

function isStaged(op: any, machine: string): boolean {
  const temp = () => isText(op.temp) && folderOf(op.temp) === TEMPS && isTempName(nameIn(op.temp), machine);
  if (!isFile(op?.path)) return false;
  if (op.do === "place") return (op.old === null || isVersion(op.old)) && isVersion(op.new) && temp();
  if (op.do === "respell") return isFile(op.from) && isNote(op.from) === isNote(op.path) && isVersion(op.new);
  return op.do === "remove" && isVersion(op.old) && temp();
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFile = (value: unknown): boolean => isText(value) && isVaultFile(value);
const isVersion = (value: unknown): boolean => isText(value) && /^[0-9a-f]{40}$/.test(value);

function setAside(disk: Disk, journal: string, machine: string): void {
  makeOwnFolder(disk, SET_ASIDE, { durable: false });
  disk.rename(journal, `${SET_ASIDE}/${newName(disk, machine)}.json`);
}

/** What is to be done for an operation: nothing more, or its temp put in place or beside, or nothing because the file has moved on. */
type State = "done" | "ready" | "conflict" | "superseded" | "impossible";

function finish(disk: Disk, journal: string, ops: readonly StagedOperation[], machine: string): string[] {
  const places = ops.filter((op) => op.do === "place");
  const respelled = new Map(ops.flatMap((op) => (op.do === "respell" ? [[op.from, op.path]] : [])));
  const states = places.map((place) => stateOf(disk, place, respelled.get(place.path)));
  if (states.includes("impossible")) {
    setAside(disk, journal, machine);
    return [`A change of ${ops.length} notes lacks some of its text and was set aside in ${SET_ASIDE}.`];
  }
  const reports = places.flatMap((place, index) => putOrSpare(disk, place, states[index]!));
  for (const op of ops)
    if (op.do === "respell" && versionAt(disk, op.from) === op.new) disk.rename(op.from, op.path);
  // Where a note has moved on, this change was through before; a file that is there again is somebody's.
  if (!states.includes("superseded"))
    for (const op of ops) if (op.do === "remove") reports.push(...removeOrSpare(disk, op));
  for (const folder of new Set(ops.map((op) => folderOf(op.path))))
    if (folder === "" || disk.look(folder)?.kind === "folder") disk.sync(folder);
  dropJournal(disk, journal, { durable: true });
  dropMoved(disk, ops);
  return reports;
}

function stateOf(disk: Disk, place: Place, respelled: string | undefined): State {
  const now = versionAt(disk, place.path) ?? (respelled === undefined ? null : versionAt(disk, respelled));
  if (now === place.new) return "done";
  const staged = versionAt(disk, place.temp, place.path) === place.new;
  if (now === place.old) return staged ? "ready" : "impossible";
  return staged ? "conflict" : "superseded";
}

function putOrSpare(disk: Disk, place: Place, state: State): string[] {
  if (state !== "ready" && state !== "conflict") return [];
  disk.makeFolder(folderOf(place.path), { durable: true });
  if (state === "ready") {
    // It may be kept already, by the writer that died.
    if (place.old !== null) attempt(() => keep(disk, place.path, keptName(disk, place), { durable: false }));
    moveIn(disk, place.temp, place.path, { durable: true, over: place.old !== null });
    return [];
  }
  const copy = copyName(disk, place.path, place.new);
  if (versionAt(disk, copy) !== place.new) moveIn(disk, place.temp, copy, { durable: true, over: false });
  return [`${place.path} was changed by another program during a change of ours; ours is kept as ${copy}.`];
}

/** Where a text is put beside a note that went another way: free, or holding that very text. */
export function copyName(disk: Disk, path: string, version: string): string {
  return conflictName(path, version, (copy) => versionAt(disk, copy));
}

function removeOrSpare(disk: Disk, op: Extract<StagedOperation, { do: "remove" }>): string[] {
  const now = versionAt(disk, op.path);
  if (now === op.old) {
    attempt(() => keep(disk, op.path, keptName(disk, op), { durable: false }));
    disk.unlink(op.path);
  }
  if (now === null || now === op.old) return [];
  return [`${op.path} was to go, but another program changed it meanwhile; it is left as it is.`];
}
