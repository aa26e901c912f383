/** check_vault: what in the vault is broken, odd or left over, in counts and the first of each kind. */

import { z } from "zod";
import { escaped, label } from "../../../markdown/label.ts";
import type { Survey } from "../../../notebook/check.ts";
import { READS, tool, type Answer } from "../../surface.ts";
import { limitOf, rows, pageSize } from "./parameters.ts";
import { plural } from "../say.ts";

const FIRST = 5;

export const checkVault = tool({
  name: "check_vault",
  description:
    "Look through every note: broken links, broken rules, bad frontmatter, not UTF-8, twins, conflict copies, orphans, history.",
  annotations: { ...READS, title: "Check vault" },
  input: z.object({ limit: limitOf(FIRST) }),
  output: z.object({ notes: z.int(), findings: rows }),
  async run(notebook, { limit: size }) {
    return surveyAnswer(await notebook.survey({ first: pageSize(notebook, size, FIRST) }));
  },
});

function surveyAnswer({ notes, groups: all }: Survey): Answer {
  const groups = all.filter((group) => group.count > 0);
  const findings = groups.map(({ name, count, next, findings: found }) => ({
    kind: name,
    count,
    next,
    first: found.map(({ path, detail }) => [escaped(path), label(detail)].filter(Boolean).join(": ")),
  }));
  const lines = groups.flatMap((group, at) => [
    `${group.what}: ${group.count} (${group.next})`,
    ...findings[at]!.first.map((one) => `  ${one}`),
  ]);
  const clean = groups.length === 0 ? " Nothing is amiss." : "";
  return {
    text: [[`${plural(notes, "note")}.${clean}`, ...lines].join("\n")],
    structured: { notes, findings },
  };
}
