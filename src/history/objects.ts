/** Git's objects as bytes and back: blob, tree, commit. Pure; where they are kept is loose.ts and pack.ts. */

import { decoded, encoded, idBytes, joined } from "./bytes.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";

export type Kind = "blob" | "tree" | "commit" | "tag";
export type GitObject = { kind: Kind; body: Uint8Array };
/** `like`: the object in whose place it comes, which holds mostly the same. */
export type NewObject = {
  id: string;
  kind: Kind;
  body: Uint8Array;
  like?: { id: string; body: Uint8Array };
};
/** The hash of two pieces, one after the other, in hex. */
export type Sha1 = (head: Uint8Array, body: Uint8Array) => string;
export type Ident = { name: string; email: string; date: Date };
export type Commit = {
  tree: string;
  parent: string | null;
  author: Ident;
  committer: Ident;
  message: string;
};

const MB = 1024 * 1024;
/** What is larger counts as damaged: a small file may unfold to anything. A hundred thousand notes in one folder are a tree of 8 MB. */
export const LIMITS: Record<Kind, number> = { blob: NOTE_LIMIT, tree: 64 * MB, commit: MB, tag: MB };
/** The most that any object takes. */
export const OBJECT_LIMIT = LIMITS.tree;
export const PATH_LIMIT = 4096;

export const FILE = "100644";
export const FOLDER = "40000";

export const isId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** The header that is hashed, and stored in front of a loose object. */
export const headerOf = (kind: Kind, size: number): Uint8Array => encoded(`${kind} ${size}\0`);

export const objectOf = (sha1: Sha1, kind: Kind, body: Uint8Array): NewObject => ({
  id: sha1(headerOf(kind, body.length), body),
  kind,
  body,
});

export type TreeEntry = { mode: string; name: string; id: string };

/** One line of a tree, as it stands in it: mode, name, NUL, twenty bytes of id. */
export const treeRow = (mode: string, name: string, id: string): Uint8Array =>
  joined([encoded(`${mode} ${name}\0`), idBytes(id)]);

export function encodeCommit(commit: Commit): Uint8Array {
  const parent = commit.parent === null ? "" : `parent ${commit.parent}\n`;
  return encoded(
    `tree ${commit.tree}\n${parent}author ${identLine(commit.author)}\ncommitter ${identLine(commit.committer)}\n\n${commit.message}\n`,
  );
}

/** Null where the bytes are not a commit we could have written or that git would have. Of several parents the first counts. */
export function decodeCommit(body: Uint8Array): Commit | null {
  const text = decoded(body);
  const end = text.indexOf("\n\n");
  const head = end === -1 ? text : text.slice(0, end);
  const tree = /^tree ([0-9a-f]{40})(?:\n|$)/.exec(head)?.[1];
  const parent = /^parent ([0-9a-f]{40})$/m.exec(head)?.[1] ?? null;
  const author = readIdent(/^author (.*)$/m.exec(head)?.[1]);
  const committer = readIdent(/^committer (.*)$/m.exec(head)?.[1]);
  if (!tree || !author || !committer) return null;
  return {
    tree,
    parent,
    author,
    committer,
    message: end === -1 ? "" : text.slice(end + 2).replace(/\n$/, ""),
  };
}

const identLine = ({ name, email, date }: Ident): string => `${name} <${email}> ${secondsOf(date)} +0000`;

function readIdent(line: string | undefined): Ident | null {
  const found = /^(.*?) ?<([^<>\n]*)> (\d{1,12}) [+-]\d{4}$/.exec(line ?? "");
  return found && { name: found[1]!, email: found[2]!, date: new Date(Number(found[3]) * 1000) };
}

// Git knows no time before 1970, and none that is not a number.
const secondsOf = (date: Date): number => Math.max(0, Math.floor(date.getTime() / 1000)) || 0;

/** A name as git takes it: one line, no angle brackets or invisible characters, not empty. */
export function identName(name: string): string {
  const plain = name
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, "");
  return plain === "" ? "unknown" : plain;
}

/** Whether a path may stand in a tree. Git refuses `.git` under every name that some file system would take for it. */
export function recordable(path: string): boolean {
  return path.length <= PATH_LIMIT && !/\p{Cs}/u.test(path) && path.split("/").every(recordableSegment);
}

function recordableSegment(segment: string): boolean {
  if (segment === "" || segment.includes("\0")) return false;
  return segment.split("\\").every((part) => {
    const plain = part.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/:.*$/s, "");
    return !/^\.{1,2}$|^\.git[ .]*$|^git~1[ .]*$/i.test(plain);
  });
}
