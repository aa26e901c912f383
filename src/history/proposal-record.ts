/** One proposal as bytes: a record like that of a pending revision. Its first object tells what is proposed; the others are texts before and after (decision 24). */

import type { ProposedNote, Proposal, SettledLine } from "../notebook/proposals/proposal.ts";
import { isVaultFile } from "../notebook/vault-path.ts";
import { isNote, RULES, type NotePath } from "../notebook/paths.ts";
import { isCanvas, pointsTo } from "../notebook/pointer.ts";
import { decoded, encoded } from "./bytes.ts";
import { newObject } from "./hashing.ts";
import type { NewObject } from "./objects.ts";
import { decodeWhole, encodeRecord } from "./revision-record.ts";

/** The line at the beginning of a record names each text: 10,000 notes of two fit. */
const LINE_LIMIT = 8 * 1024 * 1024;
/** What one file may take: all texts of a proposal, and the line. */
export const FILE_LIMIT = 48 * 1024 * 1024;

/** Its limits are such that a reader takes it. */
export function encodeProposal(proposal: Proposal): Uint8Array {
  const texts = new Map<string, NewObject>();
  const keep = (bytes: Uint8Array | null, like?: NewObject): NewObject | null => {
    if (bytes === null) return null;
    const object = newObject("blob", bytes);
    if (!texts.has(object.id))
      texts.set(object.id, like && like.id !== object.id ? { ...object, like } : object);
    return object;
  };
  const notes = proposal.notes.map(({ original, base, after, ...note }) => {
    const was = keep(original);
    const like = was ?? undefined;
    return {
      ...note,
      original: was?.id ?? null,
      base: keep(base, like)?.id ?? null,
      after: keep(after, like)?.id ?? null,
    };
  });
  const told = newObject("blob", encoded(JSON.stringify({ ...proposal, notes })));
  const bytes = encodeRecord([told, ...texts.values()], LINE_LIMIT);
  if (bytes === null) throw new Error("a proposal within its limits can be encoded");
  return bytes;
}

/** Null where they are no proposal of that id and state: anybody may have put the file there. */
export function decodeProposal(bytes: Uint8Array, id: string, state: string): Proposal | null {
  const [told, ...texts] = decodeWhole(bytes, LINE_LIMIT) ?? [];
  if (!told) return null;
  try {
    const value = JSON.parse(decoded(told.body)) as Record<string, unknown>;
    const bodies = new Map(texts.map((object) => [object.id, object.body]));
    const notes = listOf(value["notes"]).map((note) => noteFrom(note, bodies));
    if (value["id"] !== id || value["state"] !== state || notes.length === 0 || !notes.every(Boolean))
      return null;
    return { ...wholeFrom(value), id, state, notes: notes as ProposedNote[] };
  } catch {
    return null;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError("no text");
  return value;
};

function wholeFrom(value: Record<string, unknown>): Omit<Proposal, "id" | "state" | "notes"> {
  const by = (value["by"] ?? {}) as Record<string, unknown>;
  const date = (of: unknown): Date => {
    const found = new Date(textOf(of));
    if (Number.isNaN(found.getTime())) throw new TypeError("no date");
    return found;
  };
  return {
    by: {
      client: textOf(by["client"]),
      surface: textOf(by["surface"]),
      tool: textOf(by["tool"]),
      connection: textOf(by["connection"]),
      ...(by["program"] === undefined ? {} : { program: textOf(by["program"]) }),
      named: by["named"] === true,
    },
    message: textOf(value["message"]),
    first: date(value["first"]),
    last: date(value["last"]),
    rules: value["rules"] === "report" ? "report" : "bind",
    always: value["always"] === true,
    folders: listOf(value["folders"]).map(folderPair),
    replaces: listOf(value["replaces"]).map(textOf),
  };
}

const folderPair = (value: unknown): readonly [string, string] => {
  const [removed, made] = listOf(value).map(textOf);
  if (![removed, made].every((path) => path === "" || (path !== undefined && isNotePath(path))))
    throw new TypeError("no folders");
  return [removed!, made!];
};

/** A path of a note or an attachment, and no other file of the vault: rules are never proposed. */
const isNotePath = (path: unknown): path is NotePath =>
  typeof path === "string" && isVaultFile(path) && !path.startsWith(".trash/") && !path.startsWith(RULES);

/** An attachment is moved, removed or brought back with the bytes that it has. A canvas is text. */
const isWhole = (path: NotePath, had: Uint8Array | null, is: Uint8Array | null): boolean =>
  isCanvas(path) ||
  ([had, is].every((bytes) => bytes === null || pointsTo(path, bytes)) &&
    (had === null || is === null || had === is));

function noteFrom(value: unknown, bodies: ReadonlyMap<string, Uint8Array>): ProposedNote | null {
  const { path, origin, original, base, after, why, links, trash, folder } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const bodyOf = (id: unknown): Uint8Array | null | undefined =>
    id === null ? null : bodies.get(String(id));
  const [had, was, is] = [bodyOf(original), bodyOf(base), bodyOf(after)];
  if (!isNotePath(path) || (origin !== null && !isNotePath(origin))) return null;
  if (had === undefined || was === undefined || is === undefined) return null;
  // A note that is there has a text that it is merged with; a new one has a text, and is no removal.
  if (
    (origin === null) !== (had === null) ||
    (had === null) !== (was === null) ||
    (origin === null && is === null)
  )
    return null;
  if (origin !== null && isNote(origin) !== isNote(path)) return null;
  if (!isNote(path) && !isWhole(path, had, is)) return null;
  return {
    path,
    origin,
    original: had,
    base: was,
    after: is,
    why: why === "backlink" ? "backlink" : "asked",
    links: links === "follow" ? "follow" : "leave",
    trash: trash === true,
    folder: typeof folder === "string" && path.startsWith(`${folder}/`) ? folder : null,
  };
}

export const encodeLine = (line: SettledLine): string => JSON.stringify(line);

/** Null where it is no line of ours. */
export function decodeLine(text: string): SettledLine | null {
  try {
    return lineFrom(JSON.parse(text));
  } catch {
    return null;
  }
}

function lineFrom(value: Record<string, unknown>): SettledLine | null {
  const { id, at, outcome, by, client, tool, notes, path } = value;
  const texts = [id, at, by, client, tool, path];
  if (!texts.every((each) => typeof each === "string" && each.length <= 4096) || typeof notes !== "number")
    return null;
  if (outcome !== "declined" && outcome !== "expired" && outcome !== "withdrawn") return null;
  const date = new Date(at as string);
  if (Number.isNaN(date.getTime())) return null;
  const words = { id, by, client, tool, path } as Record<"id" | "by" | "client" | "tool" | "path", string>;
  return { ...words, at: date, outcome, notes };
}
