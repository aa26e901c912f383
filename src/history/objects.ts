/** Git's objects as bytes and back: blob, tree, commit. Pure; where they are kept is loose.ts and pack.ts. */

import { createHash } from "node:crypto";
import { NOTE_LIMIT } from "../notebook/parts.ts";

export type Kind = "blob" | "tree" | "commit" | "tag";
export type GitObject = { kind: Kind; body: Buffer };
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

/** The same bytes, with a buffer's ways to look at them. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

export const isId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** The header that is hashed, and stored in front of a loose object. */
export const headerOf = (kind: Kind, size: number): Buffer => Buffer.from(`${kind} ${size}\0`, "latin1");

export const idOf = (kind: Kind, body: Uint8Array): string =>
  createHash("sha1").update(headerOf(kind, body.length)).update(body).digest("hex");

/** One line of a tree, as it stands in it: mode, name, NUL, twenty bytes of id. */
export const treeRow = (mode: string, name: string, id: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, "utf8"), Buffer.from(id, "hex")]);

export type TreeEntry = { mode: string; name: string; id: string };

/** The entry that begins at an offset, and where the next one begins; null where the bytes are no tree. */
export function entryAt(body: Buffer, at: number): { entry: TreeEntry; next: number } | null {
  const space = body.indexOf(0x20, at);
  const end = body.indexOf(0, at);
  if (space === -1 || end === -1 || space > end || end + 21 > body.length) return null;
  const entry = {
    mode: body.toString("latin1", at, space),
    name: body.toString("utf8", space + 1, end),
    id: body.toString("hex", end + 1, end + 21),
  };
  return { entry, next: end + 21 };
}

export function encodeCommit(commit: Commit): Buffer {
  const parent = commit.parent === null ? "" : `parent ${commit.parent}\n`;
  return Buffer.from(
    `tree ${commit.tree}\n${parent}author ${identLine(commit.author)}\ncommitter ${identLine(commit.committer)}\n\n${commit.message}\n`,
  );
}

/** Null where the bytes are not a commit we could have written or that git would have. Of several parents the first counts. */
export function decodeCommit(body: Buffer): Commit | null {
  const text = body.toString("utf8");
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
