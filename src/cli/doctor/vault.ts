/** The vault's folder: its disk and locks, whether it can be written, whether it is synced; and where its index and history are kept. */

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { realCalls } from "../../disk/calls.ts";
import { farDisk } from "../../disk/network.ts";
import { bytesText } from "../../markdown/bytes-text.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { FolderSettings } from "../../vault/open.ts";
import { indexFile, realFolder } from "../../vault/places.ts";
import { historyKept, indexKept } from "../../vault/sizes.ts";
import { wrong, type Finding } from "./finding.ts";
import { syncedBy } from "./synced.ts";

// The numbers are those of statfs(2).
const DISKS: Record<number, string> = {
  0xef53: "ext4",
  0x9123683e: "btrfs",
  0x58465342: "xfs",
  0x2fc12fc1: "zfs",
  0x01021994: "tmpfs",
  0x794c7630: "overlayfs",
  0xf2f52010: "f2fs",
  0x4d44: "FAT",
  0x2011bab0: "exFAT",
  0x5346544e: "NTFS",
};

const disk = (root: string): Finding => {
  const far = farDisk(root, realCalls);
  if (far?.certain)
    return wrong(
      "vault",
      "disk",
      `${far.name}, a network disk: locks cannot be relied on`,
      "Let one computer write to it at a time, and run one server.",
    );
  if (far)
    return {
      part: "vault",
      what: "disk",
      is: `${far.name}; locks work among programs of this computer`,
      next: "Let no other computer write to it at the same time.",
    };
  const type = realCalls.diskType(root);
  const name =
    type === null
      ? "the system does not say which"
      : (DISKS[type >>> 0] ?? `type 0x${(type >>> 0).toString(16)}`);
  return { part: "vault", what: "disk", is: `${name}; locks can be relied on` };
};

/** Also where it would have to be made first. */
const canBeWritten = (place: string): boolean => {
  let found = place;
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found);
  try {
    accessSync(found, constants.W_OK);
    return found === place || statSync(found).isDirectory();
  } catch {
    return false;
  }
};

const writable = (root: string): Finding =>
  canBeWritten(root)
    ? { part: "vault", what: "may be written", is: "yes" }
    : wrong(
        "vault",
        "may be written",
        "no",
        "Give yourself the right to write it, or serve it with --read-only.",
      );

const sync = (root: string, historyInside: boolean): Finding => {
  const tool = syncedBy(root);
  if (tool === null) return { part: "vault", what: "synced", is: "not by a tool that is known here" };
  const next =
    "Keep the history out of what is synced: --history-dir (docs/HISTORY.md). Several computers may then write.";
  return { part: "vault", what: "synced", is: `by ${tool}`, ...(historyInside ? { next } : {}) };
};

const index = (root: string, settings: FolderSettings): Finding => {
  const { path: place } = indexFile(root, settings);
  if (!canBeWritten(place))
    return wrong(
      "places",
      "index",
      `${place} cannot be written`,
      "It is kept in memory until the server ends, and made anew at each start. Name a folder of yours with --index.",
    );
  const { bytes } = indexKept(root, settings);
  return {
    part: "places",
    what: "index",
    is: `${place} (${bytes === 0 ? "not made yet" : bytesText(bytes)})`,
  };
};

const history = (root: string, settings: FolderSettings): Finding => {
  const kept = historyKept(root, settings);
  return {
    part: "places",
    what: "history",
    is: kept ? `${kept.place} (${bytesText(kept.bytes)})` : "none yet",
  };
};

/** A refusal over one part is a finding of that part. */
const guarded = (part: Finding["part"], what: string, look: () => Finding): Finding => {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return wrong(part, what, "cannot be used", error.message);
  }
};

/** The vault with links resolved, or null where there is none; and what was found about it. */
export const vaultFindings = (
  folder: string | null,
  why: string,
  settings: FolderSettings,
): { root: string | null; findings: Finding[] } => {
  if (folder === null)
    return {
      root: null,
      findings: [
        { part: "vault", what: "folder", is: "none is named", next: "Name it: notewright doctor FOLDER." },
      ],
    };
  let root: string;
  try {
    root = realFolder(folder);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { root: null, findings: [wrong("vault", "folder", `${folder}, ${why}`, error.message)] };
  }
  const findings = [
    { part: "vault", what: "folder", is: `${root}, ${why}` } as const,
    disk(root),
    writable(root),
    sync(root, settings.historyDir === undefined),
    guarded("places", "index", () => index(root, settings)),
    guarded("places", "history", () => history(root, settings)),
  ];
  return { root, findings };
};
