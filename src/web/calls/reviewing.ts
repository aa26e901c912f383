/** Calls over proposals: what waits for the owner, what each would do, and the owner's word on it, note by note. Also which calls were made. */

import { z } from "zod";
import type { Activities } from "../../protocol/activity.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { notePath, type NotePath } from "../../notebook/paths.ts";
import type { Edited } from "../../notebook/proposals/accepting.ts";
import type { ProposalInfo } from "../../notebook/proposals/proposals.ts";
import { EDITS, READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Call, Proposal, ShownProposal } from "../wire.ts";
import type { WhoParts } from "./who.ts";

const CALLS_SHOWN = 200;
const NOTES = 1000;

export type ReviewParts = Pick<WhoParts, "identities"> & { activity: Activities | undefined };

const infoOf = ({ id, by, message, last, notes, linking }: ProposalInfo): Proposal => ({
  id,
  by: by.client,
  tool: by.tool,
  message: message.split("\n", 1)[0] ?? "",
  last: last.toISOString(),
  notes: notes.map(({ path, origin, kind }) => ({ path, origin, kind })),
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
  const identity = identities.list().find(({ name }) => name === by.client);
  return identity === undefined || identity.folders === "all" ? undefined : identity.folders;
};

export const reviewCalls = (parts: ReviewParts): Tool[] => [
  tool({
    name: "proposals",
    description: "Changes that wait for the owner.",
    annotations: READS,
    input: z.object({}),
    async run(notebook): Promise<{ proposals: Proposal[] }> {
      if (notebook.who.rights === "read") return { proposals: [] };
      return { proposals: (await notebook.proposals.list()).map(infoOf) };
    },
  }),
  tool({
    name: "proposal",
    description: "One of them, with what it would do to each note as it is now.",
    annotations: READS,
    wholeNote: true,
    input: z.object({ id: z.string() }),
    async run(notebook, { id }): Promise<ShownProposal> {
      const shown = await notebook.proposals.one(id);
      return {
        ...infoOf(shown),
        shown: shown.shown.map(({ path, origin, kind, seen, result, diff, conflict }) => ({
          path,
          origin,
          kind,
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
    async run(notebook, { id, notes, texts = [] }) {
      const edited = new Map<NotePath, Edited>(
        texts.map(({ path, text, seen }) => [notePath(path), { text, seen }]),
      );
      const folders = await foldersNow(notebook, parts, id);
      const { changes, revision } = await notebook.proposals.accept(id, {
        ...(notes === undefined ? {} : { notes: notes.map(notePath) }),
        ...(folders === undefined ? {} : { folders }),
        texts: edited,
      });
      return { notes: changes.length, revision };
    },
  }),
  tool({
    name: "decline",
    description: "Declines a proposal, or some notes of it; the text is not kept.",
    annotations: EDITS,
    input: z.object({ id: z.string(), notes: z.array(z.string()).max(NOTES).optional() }),
    async run(notebook, { id, notes }) {
      await notebook.proposals.decline(id, notes === undefined ? {} : { notes: notes.map(notePath) });
      return { declined: id };
    },
  }),
  tool({
    name: "activity",
    description: "The last calls of clients of this server, newest first; no text.",
    annotations: READS,
    input: z.object({}),
    async run(): Promise<{ calls: Call[] }> {
      const calls = parts.activity?.since(0) ?? [];
      return { calls: calls.slice(-CALLS_SHOWN).toReversed().map(callOf) };
    },
  }),
];

export const callOf = (call: ReturnType<Activities["since"]>[number]): Call => ({
  id: call.id,
  at: call.at.toISOString(),
  who: call.identity ?? call.client,
  program: call.client,
  surface: call.surface,
  tool: call.tool,
  paths: [...call.paths],
  outcome: call.outcome,
});
