/** Where what Notewright keeps of a vault lies, and how much of the disk it takes. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { spaceOf } from "../history/space.ts";
import type { FolderSettings } from "./open.ts";
import { historyAt, indexFile, realFolder } from "./places.ts";

export type Kept = { place: string; bytes: number };

const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The index with what SQLite keeps beside it. */
export const indexKept = (root: string, settings: FolderSettings): Kept => {
  const { path } = indexFile(realFolder(root), settings);
  return { place: path, bytes: fileBytes(path) + fileBytes(`${path}-wal`) };
};

/** Null where there is none. */
export const historyKept = (root: string, settings: FolderSettings): Kept | null => {
  const place = historyAt(realFolder(root), { ...settings, readOnly: true });
  if (!place || place.disk.look(place.dir)?.kind !== "folder") return null;
  return { place: join(place.disk.root, place.dir), bytes: spaceOf(place).total };
};
