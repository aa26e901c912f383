/** NotePath: one spelling for each note, no way out of the folder, no hidden folder, portable where it is new. */

declare const kind: unique symbol;
/** Vault-relative, `/` between segments, ends in `.md`, NFC or as it is on disk. */
export type NotePath = string & { readonly [kind]: "note" };
/** A Markdown file below `.llm_bridges/knowledge_base/`. */
export type RulePath = string & { readonly [kind]: "rule" };
export type FilePath = NotePath | RulePath;
/** A place below `.trash/`. */
export type TrashPath = string & { readonly [kind]: "trash" };

export const nameOf = (path: NotePath): string => path.slice(path.lastIndexOf("/") + 1, -3);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
