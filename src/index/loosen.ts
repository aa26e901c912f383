/** Loosening: where nothing fits, some parts of a query are read as words: a phrase among words, and `name:value` where no note has such a field. */

import type { Filter } from "../notebook/filter.ts";

export type Loosened = {
  filter: Filter;
  /** The parts that are now read as words, as they were written. */
  written: string[];
};
type Soft = Extract<Filter, { phrase: string } | { field: string }>;

/** Null where the query stays as it is. A query that is nothing but a phrase asks whether it is there. */
export function loosened(
  filter: Filter,
  nothingFits: () => boolean,
  hasField: (name: string) => boolean,
): Loosened | null {
  const parts = "all" in filter ? filter.all : [filter];
  const asked = parts.flatMap((part) => ("ask" in part ? [part.ask] : []));
  const maySoften = (part: Filter): part is Soft =>
    "phrase" in part
      ? part.in === undefined && asked.length > 0
      : "field" in part && (part.op === ":" || part.op === "=") && part.value !== "*";
  if (!parts.some(maySoften) || !nothingFits()) return null;
  const soft = parts.filter(maySoften).filter((part) => "phrase" in part || !hasField(part.field));
  if (soft.length === 0) return null;
  const rest = parts.filter((part) => !("ask" in part) && !soft.includes(part as Soft));
  const words = soft.map((part) => ("phrase" in part ? part.phrase : `${part.field} ${part.value}`));
  return {
    filter: { all: [{ ask: [...asked, ...words].join(" ") }, ...rest] },
    written: soft.map((part) =>
      "phrase" in part ? `"${part.phrase}"` : `${part.field}${part.op}${part.value}`,
    ),
  };
}
