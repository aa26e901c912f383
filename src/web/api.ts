/** The page's calls: one table, answered at `POST /api/NAME` under the name of the person who signed in. */

import { z } from "zod";
import { READS, tool, type Tool } from "../surfaces/surface.ts";
import { saySoFar } from "../notebook/waiting.ts";
import { checkCalls } from "./calls/checking.ts";
import { search } from "./calls/finding.ts";
import { historyCalls } from "./calls/history.ts";
import { preview } from "./calls/previewing.ts";
import { readingCalls } from "./calls/reading.ts";
import { writingCalls } from "./calls/writing.ts";
import { reviewCalls, type ReviewParts } from "./calls/reviewing.ts";
import { whoCalls, type WhoParts } from "./calls/who.ts";
import type { Kept } from "./rooms.ts";
import type { Connect, Hello } from "./wire.ts";

export type CallParts = WhoParts &
  ReviewParts & {
    /** What the vault is called, where it is, and how a client is let in. */
    title: string;
    place: string;
    connect(): Connect;
    /** Tells this vault from others. */
    id: string;
    version: string;
  } & Kept;

const hello = ({ title, place, connect, id, version, heard }: CallParts): Tool =>
  tool({
    name: "hello",
    description: "What the page needs to know before anything else.",
    annotations: READS,
    input: z.object({}),
    async run(notebook): Promise<Hello> {
      const newest = heard();
      const soFar = notebook.soFar();
      const { total } = soFar ?? (await notebook.find({ all: [] }, { limit: 1, sort: "path" }));
      const { client, rights } = notebook.who;
      const connects = connect();
      return {
        heard: newest,
        vault: title,
        place: "url" in connects ? null : place,
        connect: connects,
        id,
        author: client,
        mayWrite: rights !== "read",
        notes: total,
        indexing: soFar && saySoFar(soFar),
        timeZone: notebook.timeZone,
        version,
      };
    },
  });

/** The calls of one vault's page. */
export const pageCalls = (parts: CallParts): Tool[] => [
  hello(parts),
  search,
  ...historyCalls(parts.count),
  ...readingCalls,
  preview,
  ...checkCalls(),
  ...writingCalls,
  ...whoCalls(parts),
  ...reviewCalls(parts),
];
