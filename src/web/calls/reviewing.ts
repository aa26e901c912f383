/** Calls over proposals: what waits for the owner, what each would do, and the owner's word on it, note by note. Also which calls were made. */

import { z } from "zod";
import { bytesText } from "../../markdown/bytes-text.ts";
import type { Activities } from "../../protocol/activity.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { linkedPath, notePath, type NotePath } from "../../notebook/paths.ts";
import type { Edited } from "../../notebook/proposals/accepting.ts";
import type { ProposalInfo } from "../../notebook/proposals/proposals.ts";
import { EDITS, READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Call, Calls, Decided, Proposal, Proposals, ProposedNote, ShownProposal } from "../wire.ts";
import type { WhoParts } from "./who.ts";

const NOTES = 1000;
/** How many proposals, notes of one, and calls one answer gives; how many notes of one are named in a list. */
const LISTED = 40;
const SHOWN = 20;
const CALLS = 100;
const NAMED = 3;
/** No list is longer. */
const MOST = 100_000;
const place = z.int().min(0).max(MOST).optional();

/** A note, or another file that goes the way of one. */
const placeOf = (path: string): NotePath => linkedPath(path) as NotePath;

export type ReviewParts = Pick<WhoParts, "identities"> & { activity: Activities | undefined };

const noteOf = ({ path, origin, kind, file }: ProposalInfo["notes"][number]): ProposedNote => ({
  path,
  origin,
  kind,
  file: file === null ? null : bytesText(file),
});

const infoOf = ({ id, by, message, last, notes, linking }: ProposalInfo): Proposal => ({
  id,
  by: by.client,
  tool: by.tool,
  message: message.split("\n", 1)[0] ?? "",
  last: last.toISOString(),
  notes: notes.slice(0, NAMED).map(noteOf),
  touched: notes.length,
  linking: linking.length,
});

/** The folders that the proposer may use by now; undefined where it may use all. */
const foldersNow = async (
  notebook: Notebook,
  { identities }: ReviewParts,
  id: string,
): Promise<readonly string[] | undefined> => {
  const { by } = await notebook.proposals.one(id);
  if (!by.named) return undefined;
  const identity = (await identities.list()).find(({ name }) => name === by.client);
  return identity === undefined || identity.folders === "all" ? undefined : identity.folders;
};

export const reviewCalls = (parts: ReviewParts): Tool[] => [
  tool({
    name: "proposals",
    description: "Changes that wait for the owner.",
    annotations: READS,
    input: z.object({ offset: place }),
    async run(notebook, { offset = 0 }): Promise<Proposals> {
      if (notebook.who.rights === "read") return { proposals: [], total: 0, more: false };
      const all = await notebook.proposals.list();
      const end = offset + LISTED;
      return {
        proposals: all.slice(offset, end).map(infoOf),
        total: all.length,
        more: end < all.length,
      };
    },
  }),
  tool({
    name: "proposal",
    description: "One of them, with what it would do to each note as it is now, some notes at a time.",
    annotations: READS,
    wholeNote: true,
    input: z.object({ id: z.string(), offset: place }),
    async run(notebook, { id, offset = 0 }): Promise<ShownProposal> {
      const shown = await notebook.proposals.one(id);
      const end = offset + SHOWN;
      return {
        ...infoOf(shown),
        more: end < shown.shown.length,
        blocked: shown.shown.flatMap(({ path, conflict }) => (conflict ? [path] : [])),
        removes: shown.shown.some(({ kind }) => kind === "removed"),
        shown: shown.shown
          .slice(offset, end)
          .map(({ path, origin, kind, file, seen, result, diff, conflict }) => ({
            ...noteOf({ path, origin, kind, file }),
            seen,
            diff,
            text: conflict ? conflict.proposed : result,
            conflict: conflict && { reason: conflict.reason, now: conflict.now },
          })),
      };
    },
  }),
  tool({
    name: "accept",
    description: "Accepts a proposal as it was shown, or some notes of it, or what the person made of them.",
    annotations: EDITS,
    input: z.object({
      id: z.string(),
      notes: z.array(z.string()).max(NOTES).optional(),
      texts: z
        .array(z.object({ path: z.string(), text: z.string().nullable(), seen: z.string().nullable() }))
        .max(NOTES)
        .optional(),
    }),
    async run(notebook, { id, notes, texts = [] }): Promise<Decided> {
      const edited = new Map<NotePath, Edited>(
        texts.map(({ path, text, seen }) => [notePath(path), { text, seen }]),
      );
      const folders = await foldersNow(notebook, parts, id);
      const { changes, revision, left } = await notebook.proposals.accept(id, {
        ...(notes === undefined ? {} : { notes: notes.map(placeOf) }),
        ...(folders === undefined ? {} : { folders }),
        texts: edited,
      });
      return { notes: changes.length, revision, left };
    },
  }),
  tool({
    name: "decline",
    description: "Declines a proposal, or some notes of it; the text is not kept.",
    annotations: EDITS,
    input: z.object({ id: z.string(), notes: z.array(z.string()).max(NOTES).optional() }),
    async run(notebook, { id, notes }): Promise<Decided> {
      const some = notes === undefined ? {} : { notes: notes.map(placeOf) };
      const { left } = await notebook.proposals.decline(id, some);
      return { notes: 0, revision: null, left };
    },
  }),
  activityCall(parts),
];

const activityCall = ({ activity }: ReviewParts): Tool =>
  tool({
    name: "activity",
    description: "The last calls of clients of this server, newest first; no text.",
    annotations: READS,
    input: z.object({ offset: place }),
    async run(_, { offset = 0 }): Promise<Calls> {
      const calls = activity?.since(0).toReversed() ?? [];
      const end = offset + CALLS;
      return { calls: calls.slice(offset, end).map(callOf), more: end < calls.length };
    },
  });

export const callOf = (call: ReturnType<Activities["since"]>[number]): Call => ({
  id: call.id,
  at: call.at.toISOString(),
  who: call.identity ?? call.client,
  program: call.client,
  surface: call.surface,
  tool: call.tool,
  paths: [...call.paths],
  outcome: call.outcome,
  milliseconds: call.milliseconds,
});
