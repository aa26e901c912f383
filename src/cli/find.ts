/** The command `find`: a search from the terminal. */

import { escaped, label, printableJson } from "../markdown/label.ts";
import type { Found, FoundNote, Snippet } from "../notebook/filter.ts";
import { momentOf } from "../notebook/moments.ts";
import { parseQuery } from "../notebook/query.ts";
import { partialRemark } from "../surfaces/fitting.ts";
import { countOf, noteData, pathLine } from "./note-lines.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { progressOn } from "./progress.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";

const MOST = 1000;

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

/** The note, and with `--section` which of its sections, as `cat` takes it. */
const placeOf = ({ path, section }: FoundNote, { section: wanted }: Settings["values"]): string =>
  wanted !== undefined && section ? `${path}#${section.heading}` : path;

const pretty = (note: FoundNote, values: Settings["values"], paint: Paint): string => {
  const head = `${paint(1, label(note.title))}  ${paint(2, escaped(placeOf(note, values)))}`;
  return note.snippet ? `${head}\n  ${marked(note.snippet, paint)}\n` : `${head}\n`;
};

/** Lines are counted from the top of the file, where the fields are. */
const jsonLine = async ({ notebook }: Opened, note: FoundNote): Promise<string> => {
  const { section, bodyLine, score, snippet } = note;
  const front = bodyLine === null ? 0 : (await notebook.read(note.path)).front.bodyLine - 1;
  return `${printableJson({
    ...noteData(note),
    section: section?.heading ?? null,
    line: bodyLine === null ? null : front + bodyLine,
    score: score === null ? null : Number(score.toFixed(3)),
    snippet: snippet?.text ?? null,
  })}\n`;
};

const remarks = (found: Found): void => {
  for (const { from, to } of found.corrected) say(`"${label(from)}" is read as "${label(to)}".`);
  for (const written of found.loosened)
    say(`No note fits ${label(written)}: its words were searched for instead.`);
  const remark = found.unread ? partialRemark(found) : "";
  if (remark !== "") say(remark);
  const left = found.total - found.notes.length;
  if (found.total === 0) say("Nothing found.");
  else if (left > 0 && found.total <= MOST) say(`${countOf(left)} more; --limit ${found.total} shows them.`);
  else if (left > 0)
    say(
      `${countOf(left)} more. Narrow the query${found.notes.length < MOST ? `, or raise --limit, to ${MOST} at most` : ""}.`,
    );
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  const [query, folder, ...more] = rest;
  if (query === undefined) throw usageError("find needs a query: notewright find QUERY [VAULT]");
  if (more.length > 0)
    throw usageError("find takes a query and a vault; put a query of several words in quotes.");
  const limit = Number(values.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageError(`--limit is a number from 1 to ${MOST}.`);
  // A query that cannot be read is refused before anything is opened.
  parseQuery(query, READING);

  await withVault({ call: "find QUERY ~/Notes", folder, to: "look" }, settings, environment, async (open) => {
    // The history tells when notes were modified.
    await open.history.log({ limit: 1 }).catch(() => undefined);
    const { notebook } = open;
    await notebook.refresh(progressOn(process.stderr, environment));
    const filter = parseQuery(query, { ...READING, moment: (written) => momentOf(written, notebook) });
    const found = await notebook.find(filter, {
      limit,
      sort: "rank",
      snippet: { before: 40, width: 160 },
    });
    const paint = painter(process.stdout, environment);
    const lines = await Promise.all(
      found.notes.map(async (note) => {
        if (values.json) return jsonLine(open, note);
        return (values.paths ?? values.null)
          ? pathLine(placeOf(note, values), values, process.stdout)
          : pretty(note, values, paint);
      }),
    );
    await page(lines.join(""), environment);
    if (!values.json) remarks(found);
    if (found.total === 0) process.exitCode = 1;
  });
};

const READING = { words: "any", under: true, from: "all" } as const;
