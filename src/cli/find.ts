/** The command `find`: a search from the terminal. */

import { escaped, label, printableJson } from "../markdown/label.ts";
import type { FoundNote, Snippet } from "../notebook/filter.ts";
import { parseQuery } from "../notebook/query.ts";
import { failureLine } from "../protocol/failure.ts";
import { openFolder } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import { placesOf, usageError, vaultOf, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";

const marked = (snippet: Snippet, paint: Paint): string => {
  let text = "";
  let from = 0;
  for (const [start, end] of snippet.marks) {
    text += escaped(snippet.text.slice(from, start)) + paint(33, escaped(snippet.text.slice(start, end)));
    from = end;
  }
  text += escaped(snippet.text.slice(from));
  return `${snippet.cutBefore ? "…" : ""}${text}${snippet.cutAfter ? "…" : ""}`;
};

const pretty = (note: FoundNote, paint: Paint): string => {
  const head = `${paint(1, label(note.title))}  ${paint(2, escaped(note.path))}`;
  return note.snippet ? `${head}\n  ${marked(note.snippet, paint)}\n` : `${head}\n`;
};
const jsonLine = ({ path, title, tags, modified, snippet }: FoundNote): string =>
  `${printableJson({ path, title, tags: [...tags.fields, ...tags.inline], modified, snippet: snippet?.text ?? null })}\n`;

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  const [query, folder, ...more] = rest;
  if (query === undefined) throw usageError("find needs a query: notewright find QUERY [VAULT]");
  if (more.length > 0)
    throw usageError("find takes a query and a vault; put a query of several words in quotes.");
  const limit = Number(values.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw usageError("--limit is a number from 1 to 1000.");
  const filter = parseQuery(query, { words: "any", under: true, from: "all" });
  const root = vaultOf(folder, "", environment);
  if (root === null)
    throw usageError(
      "No vault is named. Give its folder: notewright find QUERY FOLDER, or set NOTEWRIGHT_VAULT.",
    );

  const open = await openFolder(root, {
    readOnly: true,
    ...placesOf(values),
    durability: "full",
    history: true,
    timeZone: undefined,
    environment,
    report: (what, error) => void process.stderr.write(`notewright: ${failureLine(what, error)}\n`),
    tell: (sentence) => void process.stderr.write(`notewright: ${escaped(sentence)}\n`),
  });
  try {
    // The history tells when notes were modified.
    await open.history.log({ limit: 1 }).catch(() => undefined);
    await open.notebook.refresh(progressOn(process.stderr, environment));
    const found = await open.notebook.find(filter, {
      limit,
      sort: "rank",
      snippet: { before: 40, width: 160 },
    });
    const paint = painter(process.stdout, environment);
    for (const note of found.notes) process.stdout.write(values.json ? jsonLine(note) : pretty(note, paint));
    if (values.json) return;
    const left = found.total - found.notes.length;
    if (found.total === 0) process.stderr.write("Nothing found.\n");
    else if (left > 0)
      process.stderr.write(`${left} more; --limit ${Math.min(1000, found.total)} shows them.\n`);
  } finally {
    await open.close();
  }
};
