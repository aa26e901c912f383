/** What the disk says, as refusals that a caller can act on. The system's own messages name places on the machine and go no further. */

import { codeOf } from "../notebook/system-errors.ts";
import { NoteError, type Code } from "../markdown/errors.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import { stale } from "../notebook/puts.ts";

const REFUSALS: Record<string, [Code, string]> = {
  ENOSPC: ["disk_full", "The disk is full. Nothing was changed; make room and try again."],
  EDQUOT: ["disk_full", "The disk quota is used up. Nothing was changed; make room and try again."],
  EACCES: [
    "disk_refused",
    "The system does not permit this. Check the permissions of the note and its folder.",
  ],
  EPERM: [
    "disk_refused",
    "The system does not permit this. Check the permissions of the note and its folder.",
  ],
  EROFS: ["disk_refused", "The vault is on a disk that cannot be written."],
  EHOME: [
    "disk_refused",
    'What is called ".notewright" in this vault is no folder, and stands where the lock and the history have to be. Notes can be read; to change any, move it out of the vault.',
  ],
  EHOMEACCESS: [
    "disk_refused",
    'The system does not permit writing in the folder ".notewright" of this vault, which holds the lock and the history. Notes can be read; to change any, check who owns that folder and its permissions.',
  ],
  ELOOP: ["path_refused", "The path is a symbolic link or leads through one; links are not followed."],
  ENOTDIR: ["path_refused", "A file stands where the path needs a folder."],
  EPATH: ["path_refused", "The path does not name a place in this vault."],
  ENAMETOOLONG: ["path_refused", "The path is too long for this disk."],
  EISDIR: ["path_refused", "The path names a folder, not a note."],
  EFBIG: ["too_large", `The note is larger than ${NOTE_LIMIT / 1024 / 1024} MiB.`],
  EBUSY: ["busy", "The vault is being written by others. Try again in a moment."],
  EMFILE: ["disk_failed", "Too many files are open. Try again in a moment."],
};

/** Whatever is no word of the disk is a defect, and stays as it is. */
export function refusal(error: unknown, path?: string): unknown {
  const code = codeOf(error);
  if (error instanceof NoteError || code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  if (code === "ESTALE") return gone(nameOfVault(error));
  if (code === "EUNREADABLE") return unreadable(nameOfVault(error));
  const about = (error as { vaultPath?: string }).vaultPath ?? path;
  if ((code === "ECHANGED" || code === "ETAKEN") && about !== undefined) return stale(about, null, null);
  const [kind, message] = REFUSALS[code] ?? [
    "disk_failed",
    `The disk failed (${code}). Try again; if it stays, check the disk.`,
  ];
  return new NoteError(kind, message, {
    reason: code,
    ...(about === undefined ? {} : { path: about }),
    ...(kind === "too_large" ? { limit: NOTE_LIMIT } : {}),
  });
}

const nameOfVault = (error: unknown): string => (error as { vault?: string }).vault ?? "";

/** Only its name: where it lies on the machine is nobody's business. */
function gone(vault: string): NoteError {
  return new NoteError(
    "disk_failed",
    `The vault folder ${JSON.stringify(vault)} is gone, or its disk is not mounted. Nothing was done. Put it back, and calls are answered again by themselves.`,
    { reason: "ESTALE", vault },
  );
}

function unreadable(vault: string): NoteError {
  return new NoteError(
    "disk_refused",
    `The vault folder ${JSON.stringify(vault)} may not be read. Nothing was done. Check its owner and permissions; once it can be read, calls are answered by themselves.`,
    { reason: "EUNREADABLE", vault },
  );
}

export function refusing<T>(path: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusal(error, path);
  }
}
