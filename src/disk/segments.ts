/** The segments of a path, on the way to a file: what could lead anywhere but down is refused before the first is walked. */

import { diskError } from "../notebook/system-errors.ts";
import { folderOf } from "../notebook/paths.ts";
import { DEPTH_LIMIT, nameIn } from "../notebook/vault-path.ts";

/** The names to walk, one by one. Refuses what could lead anywhere but down. */
export function segmentsOf(path: string): string[] {
  if (path === "") return [];
  const segments = path.split("/");
  if (segments.length > DEPTH_LIMIT) throw diskError("EPATH", "The path is too deep.");
  segments.forEach(checkSegment);
  return segments;
}

function checkSegment(segment: string): void {
  if (segment === "" || segment === "." || segment === ".." || segment.includes("\0"))
    throw diskError("EPATH", "The path has an empty, `.` or `..` segment.");
  if (process.platform === "win32" && /[\\:]/.test(segment))
    throw diskError("EPATH", "The path has a character that Windows reads as a separator.");
}

/** A path as the folder to walk to and a name in it. */
export function folderAndName(path: string): { folder: string; name: string } {
  const name = nameIn(path);
  checkSegment(name);
  return { folder: folderOf(path), name };
}
