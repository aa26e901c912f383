/** How the notes surface words its answers. */

import { escaped, label } from "../../markdown/label.ts";
import type { Found, FoundNote, Snippet } from "../../notebook/filter.ts";
import { bodyOf, type Note } from "../../notebook/note.ts";
import { firstThatFit, listInWords } from "../fitting.ts";
import type { Answer } from "../surface.ts";

const time = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** A note with a field that says it was updated shows the time that lists are sorted by. */
const updated = (row: FoundNote): string => (row.updated === null ? "Never" : time(row.modified));

export const added = (title: string, id: string): string => `Added note '${label(title)}' with ID ${id} ✅`;
export const changed = (title: string, id: string): string => `Updated note '${label(title)}' (ID: ${id}) ✅`;
export const deleted = (title: string, id: string): string => `Deleted note '${label(title)}' (ID: ${id}) ✅`;

export const whole = (note: Note, row: FoundNote): string =>
  [
    `📝 Note ${row.id}`,
    "",
    `Title: ${label(note.title)}`,
    `Content: ${bodyOf(note).trim()}`,
    "",
    `Created: ${time(row.created)}`,
    `Updated: ${updated(row)}`,
  ].join("\n");

const listLine = (row: FoundNote, at: number): string =>
  `${at + 1}. [${row.id}] ${label(row.title)}\n   Created: ${time(row.created)} | Updated: ${updated(row)}`;

const hit = (row: FoundNote, at: number): string => {
  const line = row.snippet
    ? `\n   ${row.snippet.in === "title" ? "Title" : "Content"}: ${marked(row.snippet)}`
    : "";
  return `${at + 1}. [${row.id}] ${label(row.title)}${line}\n   Created: ${time(row.created)}`;
};

function marked({ text, marks, cutBefore, cutAfter }: Snippet): string {
  let shown = cutBefore ? "..." : "";
  let from = 0;
  for (const [start, end] of marks) {
    shown += `${escaped(text.slice(from, start))}**${escaped(text.slice(start, end))}**`;
    from = end;
  }
  return shown + escaped(text.slice(from)) + (cutAfter ? "..." : "");
}

const numbered = (head: string, items: string[], found: Found): Answer => {
  const shown = firstThatFit(items, (item) => item, 2);
  return listInWords([head, ...shown].join("\n\n"), shown.length, found.total, found);
};

export const list = (found: Found): Answer =>
  found.total === 0
    ? listInWords("No notes found. Create your first note! 📝", 0, 0, found)
    : numbered(`📝 All Notes (${found.total} total)`, found.notes.map(listLine), found);

export const hits = (found: Found, query: string): Answer =>
  found.total === 0
    ? listInWords(`No notes found matching '${label(query)}' 🔍`, 0, 0, found)
    : numbered(`Found ${found.total} note(s) matching '${label(query)}' 🔍`, found.notes.map(hit), found);
