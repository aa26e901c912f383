/** What a term of the query language means: `tag:x`, `path:x`, `rating>3`, `created:2026-01..2026-03`, `is:orphan` and plain words. */

import type { Filter } from "./filter.ts";
import { dateOf } from "./note.ts";
import { folderPath } from "./paths.ts";
import { malformed, type Term } from "./query-tokens.ts";

export type QueryMeaning = {
  /** What `tag:` means: the tag alone, or those under it too; from fields, or everywhere. */
  under?: boolean;
  from?: "fields" | "all";
  /** Where words and phrases are looked for that must match: everywhere, or in title and body alone. */
  in?: "text";
  /** Words side by side: all must match, or any may, the best first. With `any` the language knows more names, and comparisons. */
  words?: "all" | "any";
  /** A point in time as a person writes it, where the surface knows more than dates. */
  moment?(written: string): Date | null;
};

const STATES = ["orphan", "daily", "broken", "hidden"] as const;

export function termFilter(term: Term, how: QueryMeaning): Filter {
  const { name, text } = term;
  if (text.trim() === "") throw malformed(term.at, "this term is empty");
  switch (name) {
    case "":
      if (how.words === "any") return term.quoted ? { phrase: text } : { ask: text };
      return { ...(term.quoted ? { phrase: text } : { words: text }), ...(how.in && { in: how.in }) };
    case "created":
    case "modified":
      return timeFilter(term, name, how);
  }
  if (!["title", "tag", "folder", "path", "link", "is"].includes(name))
    return { field: name, op: term.op, value: text };
  if (term.op !== ":" && term.op !== "=")
    throw malformed(term.at, `"${name}" cannot be compared; write ${name}:value`);
  switch (name) {
    case "title":
      return term.quoted ? { phrase: text, in: "title" } : { title: text };
    case "tag":
      return { tag: text.replace(/^#/, ""), ...tagMeaning(how) };
    case "folder":
      return { folder: folderPath(text), deep: true };
    case "path":
      return { inPath: text };
    case "link":
      return { linksToName: text.replace(/^\[\[|\]\]$/g, "") };
    default:
      return stateFilter(term);
  }
}

const tagMeaning = ({ under, from }: QueryMeaning): Pick<QueryMeaning, "under" | "from"> => ({
  ...(under === undefined ? {} : { under }),
  ...(from === undefined ? {} : { from }),
});

function stateFilter(term: Term): Filter {
  const state = STATES.find((each) => each === term.text.toLowerCase());
  if (state) return { is: state };
  throw malformed(
    term.at,
    `"is:${term.text}" is unknown; there are ${STATES.map((each) => `is:${each}`).join(", ")}`,
  );
}

/** A day, month or year is all of it; two dots between two of them make a range. */
function timeFilter(term: Term, time: "created" | "modified", how: QueryMeaning): Filter {
  const range = /^(.*?)\.\.(.*)$/.exec(term.text);
  if (range && (term.op === ":" || term.op === "=")) {
    const from = range[1] === "" ? null : spanOf(term, range[1]!, how).from;
    const before = range[2] === "" ? null : spanOf(term, range[2]!, how).before;
    if (from || before) return { time, from, before };
  }
  const { from, before } = spanOf(term, term.text, how);
  switch (term.op) {
    case "<":
      return { time, from: null, before: from };
    case "<=":
      return { time, from: null, before };
    case ">":
      return { time, from: before, before: null };
    case ">=":
      return { time, from, before: null };
    default:
      // `modified:7d`: since then, because a moment has no length.
      return { time, from, before: before > from ? before : null };
  }
}

const DAY = 86_400_000;

/** From its first moment to the first after it; a time of day, or `7d`, is a moment. */
function spanOf(
  term: Term,
  written: string,
  { moment = dateOf }: QueryMeaning,
): { from: Date; before: Date } {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?$/.exec(written) ?? [];
  const [first, date] = [month ?? "01", day ?? "01"].map((digits) => digits.padStart(2, "0"));
  const from = moment(year === undefined ? written : `${year}-${first}-${date}`);
  if (!from || Number.isNaN(from.getTime()))
    throw malformed(
      term.at,
      `"${written.slice(0, 60)}" is no date; write one such as 2026-02-24, 2026-02 or 2026`,
    );
  if (year === undefined)
    return { from, before: NAMED_DAY.test(written) ? new Date(from.getTime() + DAY) : from };
  const after = new Date(Date.UTC(Number(year), Number(first) - 1, Number(date)));
  if (month === undefined) after.setUTCFullYear(after.getUTCFullYear() + 1);
  else if (day === undefined) after.setUTCMonth(after.getUTCMonth() + 1);
  else after.setUTCDate(after.getUTCDate() + 1);
  return { from, before: moment(after.toISOString().slice(0, 10)) ?? after };
}

const NAMED_DAY = /^(?:today|yesterday|tomorrow)$/i;
