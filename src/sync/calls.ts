/** The calls with which another copy of a vault is compared and brought together with this one: a table of tools, answered at `POST /sync/NAME`, never offered over MCP (decision 34). */

import { z } from "zod";
import { base64, fromBase64 } from "../markdown/base64.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Brought } from "../notebook/copies.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import { notePath, type NotePath } from "../notebook/paths.ts";
import { READS, REPLACES, tool, type Surface } from "../surfaces/surface.ts";
import { bytesOf, MOST, PAGE } from "./side.ts";

/** Bytes of notes in one answer: a longer note is given in pieces. */
const PIECES = 2 * 1024 * 1024;

const path = z.string().max(1024);
const version = z.string().regex(/^[0-9a-f]{40}$/);

const list = tool({
  name: "list",
  description: "Notes after a path, each with its version and size.",
  annotations: READS,
  // A thousand paths may be long.
  wholeNote: true,
  input: z.object({
    after: path.default(""),
    limit: z.number().int().min(1).max(PAGE).default(PAGE),
  }),
  run: async (notebook, { after, limit }) => JSON.stringify(await notebook.held(after, limit)),
});

const read = tool({
  name: "read",
  description: "Notes as they are or were, by version, from a byte on; as much of them as one answer holds.",
  annotations: READS,
  wholeNote: true,
  input: z.object({
    files: z
      .array(z.object({ path, version, from: z.number().int().min(0).default(0) }))
      .min(1)
      .max(MOST),
  }),
  async run(notebook, { files }) {
    const pieces: { size: number | null; bytes: string }[] = [];
    let room = PIECES;
    for (const file of files) {
      if (room === 0) break;
      const bytes = await bytesOf(notebook, { path: notePath(file.path), version: file.version });
      const piece = bytes?.subarray(file.from, file.from + room) ?? new Uint8Array();
      room -= piece.length;
      pieces.push({ size: bytes?.length ?? null, bytes: base64(piece) });
    }
    return JSON.stringify({ pieces });
  },
});

const change = z.object({
  path,
  from: path.optional(),
  expect: version.nullable(),
  bytes: z
    .string()
    .max(Math.ceil(NOTE_LIMIT / 3) * 4)
    .nullable(),
});

const push = tool({
  name: "push",
  description: "Changes notes, all of them or none, each only where it is what it was taken for.",
  annotations: REPLACES,
  input: z.object({ changes: z.array(change).min(1).max(MOST), message: z.string().max(200) }),
  async run(notebook, { changes, message }) {
    const { revision, broken } = await notebook.put(changes.map(broughtBy), { message });
    return JSON.stringify({ revision, broken: broken.map((one) => one.path) });
  },
});

const broughtBy = (given: z.infer<typeof change>): Brought => {
  const bytes = given.bytes === null ? null : fromBase64(given.bytes);
  if (bytes === null && (given.bytes !== null || given.from !== undefined))
    throw new NoteError("input_refused", `What comes for "${given.path}" is not base64.`, {
      path: given.path,
    });
  return {
    path: given.path as NotePath,
    ...(given.from === undefined ? {} : { from: given.from as NotePath }),
    expect: given.expect,
    bytes,
  };
};

export const syncSurface: Surface = {
  name: "sync",
  instructions: "",
  tools: [list, read, push],
  explain: ({ code, message, details: { path, done, total } }) => ({
    code,
    message,
    path: path ?? null,
    soFar: code === "indexing" && total !== undefined ? { done, total } : null,
  }),
};
