/** Calls over the vault's check: how much it found, and its findings, some at a time, kept from one check to the next. */

import { z } from "zod";
import type { Survey } from "../../notebook/check.ts";
import { READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Check, Findings } from "../wire.ts";

/** Findings of one group that are kept, and that one answer gives. */
const KEPT = 5000;
const GIVEN = 40;

export const checkCalls = (): Tool[] => {
  let last: Survey | null = null;
  let number = 0;
  return [
    tool({
      name: "check",
      description: "Reads every note: what in the vault is broken, odd or left over, each with its remedy.",
      annotations: READS,
      input: z.object({}),
      async run(notebook): Promise<Check> {
        last = await notebook.survey({ first: KEPT });
        const groups = last.groups
          .filter(({ count }) => count > 0)
          .map(({ name, what, next, needsPerson, count }) => ({ name, what, next, needsPerson, count }));
        return { number: ++number, notes: last.notes, groups };
      },
    }),
    tool({
      name: "findings",
      description: "What the last check found of one kind; in one folder, where one is given.",
      annotations: READS,
      input: z.object({
        group: z.string(),
        folder: z.string().optional(),
        offset: z.int().min(0).max(KEPT).optional(),
      }),
      async run(notebook, { group, folder, offset = 0 }): Promise<Findings> {
        last ??= await notebook.survey({ first: KEPT });
        const all = last.groups.find(({ name }) => name === group)?.findings ?? [];
        const found = all.filter(({ path }) => folder === undefined || path.startsWith(`${folder}/`));
        const end = offset + GIVEN;
        return { findings: found.slice(offset, end), more: end < found.length, kept: found.length };
      },
    }),
  ];
};
