/** Parameters that tools of the wiki surface share. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";

export const path = z.string().describe("Path without .md, e.g. 'projects/wiki-ai/ideas'");

export function bounded(limit: number, most: number): number {
  if (Number.isInteger(limit) && limit >= 1) return Math.min(limit, most);
  throw new NoteError("input_refused", `limit must be a whole number from 1 to ${most}.`);
}
