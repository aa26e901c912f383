/** A commit's message: the sentence for people, then trailers that say who asked and what a diff of trees cannot show. */

import { decoded, encoded } from "./bytes.ts";

/** What the trailers hold. `kept` are notes that a revision is about although their content did not change; `saved` tells, in seconds since 1970, when files were saved that were not at the revision's own date. */
export type Trailers = {
  surface?: string;
  tool?: string;
  connection?: string;
  /** The name that a client gave itself, where the author is the identity it called with. */
  program?: string;
  /** Who accepted it, where it was proposed. */
  acceptedBy?: string;
  moved: [from: string, to: string][];
  kept: [path: string, version: string][];
  saved: [path: string, seconds: string][];
  /** Folders that hold nothing, which git does not keep: removed and made, "" for none. */
  folders: [removed: string, made: string][];
};

const MESSAGE_LIMIT = 8000;
const VALUE_LIMIT = 200;
/** What moves and kept notes may take, so that no commit of ours is larger than one may be. Moves beyond are a note gone and a new one. */
const LISTED_LIMIT = 900_000;
const TRAILER = /^(Surface|Tool|Connection|Program|Accepted-By|Moved|Kept|Saved|Folder): (.*)$/;

/** As it is recorded and shown. */
export function plainMessage(message: string): string {
  const plain = message
    .slice(0, MESSAGE_LIMIT)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, " ")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return plain === "" ? "Change notes" : plain;
}

// The trailers are always there, as the last paragraph, so that a message cannot bring its own.
export function withTrailers(message: string, trailers: Trailers): string {
  const { surface, tool, connection, program, acceptedBy, moved, kept, saved, folders } = trailers;
  const lines = [
    `Surface: ${plainValue(surface) || "unknown"}`,
    ...(plainValue(tool) ? [`Tool: ${plainValue(tool)}`] : []),
    ...(plainValue(connection) ? [`Connection: ${plainValue(connection)}`] : []),
    ...(plainValue(program) ? [`Program: ${plainValue(program)}`] : []),
    ...(plainValue(acceptedBy) ? [`Accepted-By: ${plainValue(acceptedBy)}`] : []),
    ...fitting([
      ...moved.map((names) => `Moved: ${JSON.stringify(names)}`),
      ...kept.map((note) => `Kept: ${JSON.stringify(note)}`),
      ...saved.map((note) => `Saved: ${JSON.stringify(note)}`),
      ...folders.map((pair) => `Folder: ${JSON.stringify(pair)}`),
    ]),
  ];
  return `${message}\n\n${lines.join("\n")}`;
}

function fitting(lines: readonly string[]): string[] {
  let left = LISTED_LIMIT;
  return lines.filter((line) => (left -= encoded(line).length + 1) >= 0);
}

/** The other way, and cut as when it is written; a commit of another program has a message and no trailers. */
export function readMessage(text: string): Trailers & { message: string } {
  const found: Trailers = { moved: [], kept: [], saved: [], folders: [] };
  const end = text.lastIndexOf("\n\n");
  const lines = end === -1 ? [] : text.slice(end + 2).split("\n");
  if (!lines[0]?.startsWith("Surface: ") || !lines.every((line) => TRAILER.test(line)))
    return { message: cut(text), ...found };
  for (const line of lines) {
    const [, key, value = ""] = TRAILER.exec(line)!;
    if (key === "Surface") found.surface = plainValue(value);
    else if (key === "Tool") found.tool = plainValue(value);
    else if (key === "Connection") found.connection = plainValue(value);
    else if (key === "Program") found.program = plainValue(value);
    else if (key === "Accepted-By") found.acceptedBy = plainValue(value);
    else readPair(key!, value, found);
  }
  return { message: cut(text.slice(0, end)), ...found };
}

/** Made anew: a piece of a string would keep the whole commit in memory. */
const cut = (text: string): string => decoded(encoded(text.slice(0, MESSAGE_LIMIT)));

const PAIRS = { Moved: "moved", Kept: "kept", Saved: "saved", Folder: "folders" } as const;

function readPair(key: string, value: string, found: Trailers): void {
  let pair: unknown;
  try {
    pair = JSON.parse(value);
  } catch {
    return;
  }
  if (!Array.isArray(pair) || pair.length !== 2 || !pair.every((it) => typeof it === "string")) return;
  found[PAIRS[key as keyof typeof PAIRS]].push(pair as [string, string]);
}

/** A trailer's value: one line, nothing invisible. */
const plainValue = (value: string | undefined): string =>
  (value ?? "")
    .slice(0, VALUE_LIMIT)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
