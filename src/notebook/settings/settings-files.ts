/** The files in which Obsidian keeps its settings of a vault, as far as we read them. */

import type { FileStamp } from "../stamp.ts";

export const SETTINGS = [
  ".obsidian/app.json",
  ".obsidian/daily-notes.json",
  ".obsidian/templates.json",
  ".obsidian/community-plugins.json",
  ".obsidian/plugins/periodic-notes/data.json",
] as const;
export type SettingsPath = (typeof SETTINGS)[number];

/** `unread`: why it cannot be read, in words that follow its name. */
export type SettingsStat = {
  path: SettingsPath;
  stamp: FileStamp;
  changed: Date;
  size: number;
  unread?: string;
};
