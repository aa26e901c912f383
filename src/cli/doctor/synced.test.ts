/** Folders that sync tools carry to other computers are told by their place, or by the tool's mark. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { syncedBy } from "./synced.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-synced-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["/Users/me/Library/Mobile Documents/iCloud~md~obsidian/Documents/Notes", "iCloud Drive"],
  ["C:\\Users\\me\\iCloudDrive\\Notes", "iCloud Drive"],
  ["/home/me/Dropbox/Notes", "Dropbox"],
  ["/home/me/Dropbox (Work)/Notes", "Dropbox"],
  ["/Users/me/Library/CloudStorage/Dropbox/Notes", "Dropbox"],
  ["C:\\Users\\me\\OneDrive - Firm\\Notes", "OneDrive"],
  ["/Users/me/Library/CloudStorage/GoogleDrive-me@x.org/My Drive", "Google Drive"],
  ["/home/me/Nextcloud", "Nextcloud"],
  ["/home/me/Notes", null],
  ["/home/me/About Dropbox", null],
])("%s: %s", (place, tool) => {
  expect(syncedBy(place)).toBe(tool);
});

test("the mark of a tool may lie in a folder above", () => {
  const vault = join(folder, "a", "b");
  mkdirSync(vault, { recursive: true });
  expect(syncedBy(vault)).toBe(null);
  mkdirSync(join(vault, ".obsidian"));
  writeFileSync(join(vault, ".obsidian", "core-plugins.json"), '{"sync": true}');
  expect(syncedBy(vault)).toBe("Obsidian Sync");
  mkdirSync(join(folder, ".stfolder"));
  expect(syncedBy(vault)).toBe("Syncthing");
});
