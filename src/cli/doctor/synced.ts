/** Whether a folder is one that a sync tool carries to other computers, as far as its place and the tool's own marks tell. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const BY_PLACE: readonly (readonly [string, RegExp])[] = [
  ["iCloud Drive", /\/Library\/Mobile Documents\/|[\\/]iCloudDrive[\\/]/i],
  ["Dropbox", /[\\/]Dropbox(?: \([^\\/]+\))?[\\/]|\/CloudStorage\/Dropbox/i],
  ["OneDrive", /[\\/]OneDrive(?: - [^\\/]+)?[\\/]|\/CloudStorage\/OneDrive/i],
  ["Google Drive", /[\\/](?:Google ?Drive|My Drive)[\\/]|\/CloudStorage\/GoogleDrive/i],
  ["Nextcloud", /[\\/](?:Nextcloud|ownCloud)[\\/]/i],
];
const BY_MARK: readonly (readonly [string, string])[] = [
  ["Syncthing", ".stfolder"],
  ["Resilio Sync", ".sync"],
  ["Dropbox", ".dropbox"],
];
/** A list of Obsidian's own plugins is a few lines. */
const LIST_LIMIT = 100_000;

const obsidianSync = (vault: string): boolean => {
  try {
    const text = readFileSync(join(vault, ".obsidian", "core-plugins.json"), "utf8");
    const plugins: unknown = text.length > LIST_LIMIT ? null : JSON.parse(text);
    return Array.isArray(plugins)
      ? plugins.includes("sync")
      : (plugins as { sync?: unknown } | null)?.sync === true;
  } catch {
    return false;
  }
};

/** The tool's name, or null. `vault` is the folder itself, with links resolved. */
export const syncedBy = (vault: string): string | null => {
  const place = BY_PLACE.find(([, pattern]) => pattern.test(`${vault}/`));
  if (place) return place[0];
  for (let folder = vault; ; folder = dirname(folder)) {
    const mark = BY_MARK.find(([, name]) => existsSync(join(folder, name)));
    if (mark) return mark[0];
    if (dirname(folder) === folder) return obsidianSync(vault) ? "Obsidian Sync" : null;
  }
};
