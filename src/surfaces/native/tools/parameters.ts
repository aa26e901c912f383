/** Parameters that several tools of this surface share. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";

export const dry_run = z.boolean().optional();
export const limit = z.int().optional();
export const cursor = z.string().optional();
export const if_match = z.string().optional().describe("version you read");

/** Rows of an answer. The answer itself shows what they hold; a schema of it would be read with every list of tools. */
export const rows = z.array(z.record(z.string(), z.unknown()));
/** What changing tools answer with. */
export const CHANGED = z.object({ notes: z.array(z.string()), revision: z.string().optional() });

const LIMIT = 200;

/** The size of a page: the usual one, or what the caller asked for, to a limit. */
export function pageSize(asked: number | undefined, usual: number): number {
  if (asked === undefined) return usual;
  if (asked >= 1 && asked <= LIMIT) return asked;
  throw new NoteError("input_refused", `limit is a number from 1 to ${LIMIT}.`);
}
