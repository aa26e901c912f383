/** Obsidian's settings files in a vault: which are there, and which stand there and cannot be read. Links are not followed. */

import type { Disk } from "../disk/files.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { type SettingsStat, SETTINGS, type SettingsPath } from "../notebook/settings/settings-files.ts";

const LINK = "is a symbolic link, or lies behind one, which is not followed";
const FORBIDDEN = "may not be read";
const WHY: Record<string, string> = { ELOOP: LINK, EACCES: FORBIDDEN, EPERM: FORBIDDEN };

export function listSettings(disk: Disk): SettingsStat[] | null {
  const home = disk.look(".obsidian");
  if (home === null || home.kind === "file" || home.kind === "other") return null;
  return SETTINGS.flatMap((path) => statOf(disk, path) ?? []);
}

function statOf(disk: Disk, path: SettingsPath): SettingsStat | null {
  const unread = (why: string): SettingsStat => ({
    path,
    stamp: why,
    changed: new Date(0),
    size: 0,
    unread: why,
  });
  try {
    const entry = disk.look(path);
    if (entry === null) return null;
    if (entry.kind !== "file") return unread(entry.kind === "link" ? LINK : "is no file");
    return { path, stamp: entry.stamp, changed: entry.changed, size: entry.size };
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "ENOTDIR") return null;
    if (!Object.hasOwn(WHY, code)) throw error;
    return unread(WHY[code]!);
  }
}
