/** Calls over the vault's check: how much it found, and its findings, some at a time, kept from one check to the next. */

import { z } from "zod";
import type { Finding, Survey } from "../../notebook/check.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { notePath } from "../../notebook/paths.ts";
import { READS, tool, type Tool } from "../../surfaces/surface.ts";
import type { Check, Findings } from "../wire.ts";
import { verdictWords } from "./issue-words.ts";

/** Findings of one group that are kept, and that one answer gives. */
const KEPT = 5000;
const GIVEN = 40;

/** As the survey words a broken link. */
const BROKEN = /^line (\d+): (.*) \(a missing (\w+)\)$/s;

/** Broken links that lead to the same place, one after the other. */
const byTarget = (findings: readonly Finding[]): Findings["findings"] => {
  const links = findings.map(({ path, detail }) => {
    const [, line, target = "", lacks = ""] = BROKEN.exec(detail) ?? [];
    return line === undefined
      ? { path, detail }
      : { path, detail, link: { line: Number(line), target, lacks } };
  });
  const order = new Intl.Collator("en");
  return links.toSorted((one, other) => order.compare(one.link?.target ?? "", other.link?.target ?? ""));
};

const inSentences = (notebook: Notebook, findings: readonly Finding[]): Promise<Finding[]> =>
  Promise.all(
    findings.map(async ({ path, detail }) => {
      const verdict = await notebook.check(notePath(path)).catch(() => null);
      const issues = verdict ? await verdictWords(notebook, verdict) : [];
      return { path, detail: issues.length > 0 ? issues.join(" ") : detail };
    }),
  );

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
        const below = all.filter(({ path }) => !folder || path.startsWith(`${folder}/`));
        const found = group === "broken_links" ? byTarget(below) : below;
        const end = offset + GIVEN;
        const given = found.slice(offset, end);
        return {
          findings: group === "rule_violations" ? await inSentences(notebook, given) : given,
          more: end < found.length,
          kept: found.length,
        };
      },
    }),
  ];
};
