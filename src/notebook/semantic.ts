/** Where meaning comes into a search: a question in plain words is also asked by what it means, where the user turned that on. */

import type { Filter, Page } from "./filter.ts";
import type { SemanticSearch } from "./vectors.ts";

export async function withSemantic(
  semantic: SemanticSearch | null,
  filter: Filter,
  page: Page,
): Promise<Page> {
  const question = semantic && page.sort === "rank" ? questionIn(filter) : "";
  const near = question === "" ? null : await semantic!.near(question);
  return near ? { ...page, near } : page;
}

/** What is asked of every match in plain words. Where all words must match, or a text must stand there, meaning is not asked. */
function questionIn(filter: Filter): string {
  if ("ask" in filter) return filter.ask.trim();
  return "all" in filter
    ? filter.all
        .map(questionIn)
        .filter((text) => text !== "")
        .join(" ")
    : "";
}
