/** Parameters that several tools of this surface share. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { Notebook } from "../../../notebook/notebook.ts";

/** The most items of one page. */
const LIMIT = 200;

export const dry_run = z.boolean().optional();
/** `usual`: how many there are where it is not said. */
export const limitOf = (usual: number) => z.int().optional().describe(`default ${usual}, max ${LIMIT}`);
export const cursor = z.string().optional();
export const if_match = z.string().optional().describe("version you read");

/** Rows of an answer. The answer itself shows what they hold; a schema of it would be read with every list of tools. */
export const rows = z.array(z.record(z.string(), z.unknown()));
/** What changing tools answer with. */
export const CHANGED = z.object({ notes: z.array(z.string()), revision: z.string().optional() });

/** The size of a page: the usual one, or what the caller asked for, to a limit, which is said where it counts. */
export function pageSize({ who }: Pick<Notebook, "who">, asked: number | undefined, usual: number): number {
  if (asked === undefined) return usual;
  if (asked < 1) throw new NoteError("input_refused", `limit is a number from 1 to ${LIMIT}.`);
  if (asked > LIMIT) who.remark?.(`limit is ${LIMIT} at most, so it was taken as that.`);
  return Math.min(asked, LIMIT);
}
