/** Queries that other programs run over a vault: bases, and blocks of Bases and Dataview in notes. Which names stand in one is all that is read of it. */

/** How many names of one query are looked at, and how long one may be. */
const NAMES = 1000;
const LONGEST = 500;

/** A fence, however deep in quotes and lists, with the word that makes its block a query. */
const FENCE = /^[\s>*+-]*(`{3,}|~{3,})[ \t]*(base|dataview|dataviewjs)\b/i;

/** Whether a note may hold such a block. It is asked of every note, so most are told apart without a look at their lines. */
export const mayHoldQueries = (text: string): boolean =>
  (text.includes("```") || text.includes("~~~")) && /(?:```|~~~)[ \t]*(?:base|dataview)/i.test(text);

/** The blocks of a note, without their fences. */
export function queryBlocks(text: string): string[] {
  if (!mayHoldQueries(text)) return [];
  const blocks: string[] = [];
  let open: { fence: string; lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (open === null) {
      const [, fence] = FENCE.exec(line) ?? [];
      if (fence !== undefined) open = { fence, lines: [] };
    } else if (line.replace(/^[\s>]+/, "").startsWith(open.fence)) {
      blocks.push(open.lines.join("\n"));
      open = null;
    } else open.lines.push(line);
  }
  return open === null ? blocks : [...blocks, open.lines.join("\n")];
}

/** What stands in quotes and in double brackets: paths, folders and names among them. Quotes may stand in each other, so whatever is between two counts. */
export function namesIn(query: string): string[] {
  const lines = query.split("\n");
  const quoted = ['"', "'"].flatMap((quote) => lines.flatMap((line) => line.split(quote).slice(1, -1)));
  const linked = [...query.matchAll(/\[\[([^\]|#\n]+)/g)].map(([, name = ""]) => name);
  const names = new Set<string>();
  for (const name of [...linked, ...quoted]) {
    const bare = name.replace(/^\\|\\$/g, "").trim();
    if (bare !== "" && bare.length <= LONGEST && names.size < NAMES) names.add(bare);
  }
  return [...names];
}
