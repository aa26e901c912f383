/** What a path inside a vault looks like, and which files we may put there. */

/** The folder of our own in a vault. */
export const HOME = ".notewright";

export function isOwn(path: string): boolean {
  return path === HOME || path.startsWith(`${HOME}/`);
}

/** Deeper folders are passed over: each step down is a call, and a hostile vault can be thousands of folders deep. */
export const DEPTH_LIMIT = 128;

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
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
