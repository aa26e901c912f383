/** Calls over the history: what changed, one change, and what it would be to take changes back. */

import { z } from "zod";
import type { Notebook } from "../../notebook/notebook.ts";
import { NoteError } from "../../markdown/errors.ts";
import { requiredMoment } from "../../notebook/moments.ts";
import type { Revision as Recorded } from "../../notebook/parts.ts";
import { notePath, type NotePath } from "../../notebook/paths.ts";
import { lastRevisions, namedRevisions, RANGE_LIMIT } from "../../notebook/revisions.ts";
import { EDITS, READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Change, Changes, Revision, Touched } from "../wire.ts";
import { deedOf, doneTo, followed, isFirst, meantFirst } from "./deeds.ts";
import { undoing } from "./undoing.ts";
import { diffRoom, type WordCounts } from "./diffs.ts";

const LISTED = 40;
const MOST = 200;
/** How many notes of one change are named in a list, and shown with what differs. */
const NAMED = 8;
const SHOWN = 20;
/** How far back the list reaches. */
const FARTHEST = 100_000;

/** The text of a version; null where it is no text, or is kept no more. */
export const textAt = async (notebook: Notebook, path: NotePath, version: string): Promise<string | null> => {
  try {
    return (await notebook.read(path, { version })).text;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
};

type RecordedChange = Recorded["changes"][number];

const touchedOf = async (notebook: Notebook, count: WordCounts, change: RecordedChange): Promise<Touched> => {
  const { path, from, version, before } = change;
  const words = await count({ before, after: version }, (which) => textAt(notebook, path, which));
  return { path, ...(from === undefined ? {} : { from }), done: doneTo(change), ...words };
};

/** What somebody said about a change; "" where it only says again which notes it changed. */
const ownMessage = (message: string): string => {
  const [first = ""] = message.split("\n", 1);
  return /^(?:(?:Create|Update|Move|Delete|Undo|Restore)\b|\w+ in another program: )/.test(first)
    ? ""
    : first.slice(0, 200);
};

/** A revision as a list shows it. */
export const revisionOf = async (notebook: Notebook, count: WordCounts, it: Recorded): Promise<Revision> => {
  const notes: Touched[] = [];
  for (const change of isFirst(it) ? [] : meantFirst(it.changes).slice(0, NAMED)) {
    notebook.who.signal?.throwIfAborted();
    notes.push(await touchedOf(notebook, count, change));
  }
  return {
    id: it.id,
    date: it.date.toISOString(),
    author: it.author,
    outside: it.surface === "outside",
    tool: it.tool ?? null,
    acceptedBy: it.acceptedBy ?? null,
    message: ownMessage(it.message),
    deed: deedOf(it),
    notes,
    touched: it.touched,
    followed: followed(it),
  };
};

export const historyCalls = (count: WordCounts): Tool[] => [
  tool({
    name: "changes",
    description: "What changed, newest first: everywhere, or in one note.",
    annotations: READS,
    input: z.object({
      path: z.string().optional(),
      author: z.string().optional(),
      offset: z.int().min(0).max(FARTHEST).optional(),
      limit: z.int().min(1).max(MOST).optional(),
      /** Whoever only looks again leaves edits of other programs pending: an hour of autosaves stays a few revisions. */
      again: z.boolean().optional(),
    }),
    async run(notebook, { path, author, offset = 0, limit = LISTED, again = false }): Promise<Changes> {
      const asked = {
        ...(path === undefined ? {} : { path: notePath(path) }),
        ...(author === undefined ? {} : { author }),
        skip: offset,
        limit: limit + 1,
      };
      const log = await notebook.log(asked, { pending: again ? "leave" : "record" });
      const revisions: Revision[] = [];
      for (const one of log.slice(0, limit)) revisions.push(await revisionOf(notebook, count, one));
      return { revisions, more: log.length > limit };
    },
  }),
  tool({
    name: "change",
    description: "One change, with what differs in each note, some notes at a time.",
    annotations: READS,
    input: z.object({ id: z.string(), path: z.string().optional(), offset: z.int().min(0).optional() }),
    async run(notebook, { id, path, offset = 0 }): Promise<Change> {
      const whole = await notebook.revision(id);
      const changes = meantFirst(whole.changes).filter(
        (one) => path === undefined || one.path === path || one.from === path,
      );
      const changed: Change["changed"] = [];
      const diffOf = diffRoom();
      const end = isFirst(whole) && path === undefined ? 0 : offset + SHOWN;
      for (const change of changes.slice(offset, end)) {
        notebook.who.signal?.throwIfAborted();
        const texts = await Promise.all(
          [change.before, change.version].map((one) => one && textAt(notebook, change.path, one)),
        );
        const diff = diffOf(texts[0] ?? "", texts[1] ?? "");
        changed.push({ ...(await touchedOf(notebook, count, change)), diff });
      }
      return {
        ...(await revisionOf(notebook, count, whole)),
        changed,
        more: end > 0 && end < changes.length,
      };
    },
  }),
  tool({
    name: "undo",
    description:
      "Takes changes back, named one by one or all of an author since a time; or shows what that would be.",
    annotations: EDITS,
    readsToo: true,
    input: z.object({
      revisions: z.array(z.string()).max(1000).optional(),
      author: z.string().optional(),
      since: z.string().optional(),
      skip: z.array(z.string()).max(1000).optional(),
      preview: z.boolean().optional(),
    }),
    async run(notebook, { revisions, author, since, skip = [], preview = false }) {
      const chosen =
        revisions !== undefined
          ? await namedRevisions(notebook, revisions)
          : await allOf(notebook, author, since);
      return undoing(notebook, count, chosen, { skip: skip.map(notePath), preview });
    },
  }),
  tool({
    name: "restore",
    description: "Sets a note back to what it was at a revision; or shows what that would be.",
    annotations: EDITS,
    readsToo: true,
    input: z.object({ path: z.string(), revision: z.string(), preview: z.boolean().optional() }),
    async run(notebook, { path, revision, preview = false }) {
      return undoing(notebook, count, [], { skip: [], preview, restore: { path: notePath(path), revision } });
    },
  }),
];

const allOf = async (
  notebook: Notebook,
  author: string | undefined,
  since: string | undefined,
): Promise<Recorded[]> => {
  if (author === undefined || since === undefined)
    throw new NoteError("input_refused", "Say what to undo: revisions, or author and since.");
  return lastRevisions(notebook, { author }, { since: requiredMoment(since, notebook), limit: RANGE_LIMIT });
};
