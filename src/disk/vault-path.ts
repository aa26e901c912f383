/** What a path inside a vault looks like, and which files we may put there. */

import { diskError } from "./calls.ts";

/** The folder of our own in a vault. */
export const HOME = ".notewright";

export function isOwn(path: string): boolean {
  return path === HOME || path.startsWith(`${HOME}/`);
}

// Deeper folders are passed over: each step down is a system call, and a hostile vault can be thousands of folders deep.
const DEPTH_LIMIT = 128;

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

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

const HIDDEN_ROOTS = [".trash/", ".llm_bridges/knowledge_base/"];

/** A note, a removed note or a rule file: a Markdown file outside every other hidden folder. */
export function isVaultFile(path: string): boolean {
  const root = HIDDEN_ROOTS.find((root) => path.startsWith(root)) ?? "";
  const segments = path.slice(root.length).split("/");
  return (
    path.endsWith(".md") &&
    segments.length < DEPTH_LIMIT - 2 &&
    segments.every((segment) => segment !== "" && !segment.startsWith(".") && !segment.includes("\0"))
  );
}
