/** Broken links as an answer: what each lacks, a page at a time. */

import { escaped, label } from "../../markdown/label.ts";
import { LACKING, type BrokenLinks } from "../../notebook/link-graph.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Answer } from "../surface.ts";
import { oneLine, plural } from "./say.ts";

const CONTEXT = 100;

export async function brokenAnswer(
  notebook: Notebook,
  page: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const found = await notebook.broken({ limit: page.limit, after: page.cursor ?? null });
  const rows = found.links.map((link) => ({
    from: link.source,
    to: `${link.path ?? link.target}${link.anchor}`,
    line: link.line,
    lacks: link.lacks,
    text: oneLine(link.context, CONTEXT),
  }));
  const lines = rows.map(
    ({ from, to, line, lacks, text }) =>
      `${escaped(from)} → ${label(to)} (no such ${lacks}), line ${line}: ${escaped(text)}`,
  );
  const { next } = found;
  return {
    text: [[headOf(found), ...lines, ...(next === null ? [] : [`More: cursor ${next}`])].join("\n")],
    structured: { total: totalOf(found), links: rows, ...(next === null ? {} : { cursor: next }) },
  };
}

const totalOf = ({ counts }: Pick<BrokenLinks, "counts">): number =>
  LACKING.reduce((sum, kind) => sum + counts[kind], 0);

function headOf(found: BrokenLinks): string {
  const { counts, next, left, links } = found;
  const kinds = LACKING.filter((kind) => counts[kind] > 0).map((kind) => `no ${kind}: ${counts[kind]}`);
  const total = `Broken: ${plural(totalOf(found), "link")}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`;
  const shown = next === null ? "" : `, ${links.length} of them shown`;
  const unseen =
    left > 0
      ? ` ${plural(left, "link")} to headings and blocks ${left === 1 ? "was" : "were"} not looked at.`
      : "";
  return `${total}${shown}.${unseen}`;
}
