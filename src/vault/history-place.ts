/** Where the history of a vault is kept: in the vault's folder `.notewright`, or in a place outside that the user named. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { attempt, codeOf } from "../notebook/system-errors.ts";
import { openDisk, type Disk } from "../disk/files.ts";
import { machineOf, makeHome } from "../disk/home.ts";
import { HOME } from "../notebook/vault-path.ts";
import { HISTORY } from "../history/git.ts";
import { NoteError } from "../markdown/errors.ts";

/** `vault` is left out where the history is in it. */
export type HistoryPlace = { disk: Disk; dir: string; vault?: string };

/**
 * A folder with a file for each copy of the vault whose history is kept outside: none begins a history inside while it is there. It is synced with the
 * vault, so a file says no more than a hash of the place.
 */
const MARKERS = `${HOME}/history-outside`;
const MARK_LIMIT = 1000;
const FOLDER = "history.git";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
const refused = (message: string): NoteError => new NoteError("path_refused", message);
const shellQuoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Gives null also where the vault, or our folder in it, cannot be looked into: whoever opens them reports it. */
const quietly = <T>(look: () => T): T | null => {
  let found: T | null = null;
  attempt(() => (found = look()));
  return found;
};

/** `outside` is what the user named. Null where nothing is there yet and nothing may be made. */
export function historyPlace(
  root: string,
  outside: string | undefined,
  { readOnly }: { readOnly: boolean },
): HistoryPlace | null {
  const vault = openDisk(root);
  return outside === undefined ? inside(vault) : outsideOf(vault, resolve(outside), readOnly);
}

function inside(vault: Disk): HistoryPlace {
  const marks = quietly(() => vault.names(MARKERS)?.file) ?? [];
  if (marks.length > 0)
    throw refused(
      `The history of this vault is kept outside it, as ${MARKERS} says. Give its place with --history-dir, as before. ` +
        `To keep it in the vault from now on, stop every server of the vault, move it to ${HISTORY} and delete ${MARKERS}.`,
    );
  return { disk: vault, dir: HISTORY };
}

function outsideOf(vault: Disk, place: string, readOnly: boolean): HistoryPlace | null {
  const own = join(place, hash(vault.root));
  if (quietly(() => vault.look(HISTORY)))
    throw refused(
      `The history of this vault is in it. To keep it in ${place}, stop every server of the vault and move it: ` +
        `mkdir -p ${shellQuoted(own)} && mv ${shellQuoted(join(vault.root, HISTORY))} ${shellQuoted(join(own, FOLDER))}`,
    );
  if (readOnly && !existsSync(own)) return null;
  if (!readOnly) makeOwn(own);
  const real = realpathSync(own);
  checkMark(vault, hash(real), { place, own, readOnly });
  return { disk: openDisk(real), dir: FOLDER, vault: vault.root };
}

function makeOwn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused(`--history-dir: the folder ${folder} cannot be made (${codeOf(error) ?? "unexpected"}).`);
  }
}

/** This copy of the vault may have a history in another place, or had one under another name of its own. */
function checkMark(
  vault: Disk,
  now: string,
  { place, own, readOnly }: { place: string; own: string; readOnly: boolean },
): void {
  if (!readOnly) attempt(() => makeHome(vault));
  const machine = quietly(() => machineOf(vault));
  if (machine === null) return;
  const mark = `${MARKERS}/${machine}`;
  const bytes = quietly(() => vault.read(mark, MARK_LIMIT)?.bytes);
  const before = bytes ? new TextDecoder().decode(bytes).trim() : "";
  if (before === now) return;
  if (before === "") {
    if (!readOnly) attempt(() => writeMark(vault, mark, now));
    return;
  }
  const moved = readdirSync(place)
    .map((name) => join(place, name))
    .find((folder) => folder !== own && existsSync(folder) && hash(realpathSync(folder)) === before);
  throw refused(
    moved === undefined
      ? `This vault has a history in another place than ${place}. Give that place with --history-dir, or move what is in it to ${own} and delete ${mark}.`
      : `This vault was moved, and its history lies under its old name. Stop every server of the vault and move it: ` +
          `rmdir ${shellQuoted(own)}; mv ${shellQuoted(moved)} ${shellQuoted(own)} && rm ${shellQuoted(join(vault.root, mark))}`,
  );
}

function writeMark(vault: Disk, mark: string, text: string): void {
  vault.makeFolder(MARKERS, { durable: false });
  vault.unlink(mark);
  vault.create(mark, Buffer.from(`${text}\n`), { mode: "own", durable: true });
}
