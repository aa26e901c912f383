/** search_notes and list_notes: which notes there are, a page at a time, with true totals. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import type { Filter, Found, FoundNote, Page } from "../../../notebook/filter.ts";
import { sayHandle } from "../../../notebook/handle.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { folderPath } from "../../../notebook/paths.ts";
import { parseQuery } from "../../../notebook/query.ts";
import { findVisible } from "../../../notebook/settings/settled.ts";
import { coverageOf } from "../../fitting.ts";
import { READS, tool, type Answer, type Worded } from "../../surface.ts";
import { momentOf } from "../../../notebook/moments.ts";
import { fileList } from "../file-list.ts";
import { plainFolder } from "../spelling.ts";
import { cursor, limitOf, rows, pageSize } from "./parameters.ts";
import { plural, listHead, coverageData, withoutEmpty, time } from "../say.ts";

/** So many hits make about 2 kB, with their snippets. */
const HITS = 8;
const SNIPPET = { before: 60, width: 160 };
const LISTED = 50;
const FILTERS_SAID = 3;

export const searchNotes = tool({
  name: "search_notes",
  description:
    'Search, best first. Words, or: "a phrase", tag:x, title:x, folder:x, path:x, link:x, field:x, field:* (has it), field>=5, created:2026-01..2026-03, modified:7d, is:orphan|daily|broken|hidden, -x, OR, ( ).',
  annotations: { ...READS, title: "Search notes" },
  input: z.object({ query: z.string(), limit: limitOf(HITS), cursor }),
  output: z.object({ total: z.int(), hits: rows, cursor: z.string().optional() }),
  async run(notebook, { query, limit: most, cursor: from }) {
    const page: Page = {
      limit: pageSize(notebook, most, HITS),
      sort: "rank",
      snippet: SNIPPET,
      ...(from === undefined ? {} : { cursor: from }),
    };
    const moment = (written: string): Date | null => momentOf(written, notebook);
    const filter = parseQuery(query, { words: "any", under: true, from: "all", moment });
    const found = await findVisible(notebook, filter, page);
    if (from === undefined) await tellFilters(notebook);
    return searchAnswer(found);
  },
});

/** Filters of the vault's settings that cannot be used leave nothing out, which their owner may believe they do. */
async function tellFilters(notebook: Notebook): Promise<void> {
  const { troubles } = await notebook.settings();
  for (const { file, what } of troubles.filter((one) => one.file.endsWith("app.json")).slice(0, FILTERS_SAID))
    notebook.who.remark?.(escaped(`${file} ${what}.`));
}

/** `path.md#Heading@hash`, or the path alone where the hit stands above every heading. */
const placeOf = (it: FoundNote): string =>
  it.section ? sayHandle(it.path, it.section.heading, it.section.hash) : it.path;

function searchAnswer(found: Found & { hidden: number }): Worded {
  const hits = found.notes.map((it) => ({
    at: placeOf(it),
    ...(it.title === it.name ? {} : { title: it.title }),
    text: snippetOf(it),
  }));
  const lines = hits.map(
    ({ at, title, text }) =>
      `${escaped(at)}${title === undefined ? "" : ` (${label(title)})`}\n  ${escaped(text)}`,
  );
  const read = found.corrected.map(({ from, to }) => `"${label(from)}" read as "${label(to)}"`);
  const loose = found.loosened.map(
    (written) => `No note fits ${label(written)}: its words were searched for`,
  );
  const hidden =
    found.hidden === 0
      ? []
      : [`${plural(found.hidden, "more note")} left out by the vault's settings; is:hidden shows them`];
  const last = found.offset + hits.length;
  const range = hits.length === found.total ? "" : `, ${found.offset + 1}-${last} shown`;
  const alone = found.byMeaning === 0 ? "" : `, ${found.byMeaning} of them by meaning alone`;
  const head = `${plural(found.total, "note")}${alone}${hits.length === 0 ? "" : range}.`;
  return {
    text: [
      [
        listHead(
          [head, ...[...read, ...loose, ...hidden].map((one) => `${one}.`)].join(" "),
          found.total,
          found,
        ),
        ...lines,
        ...(found.cursor === null ? [] : [`More: cursor ${found.cursor}`]),
      ].join("\n"),
    ],
    structured: {
      total: found.total,
      hits,
      ...withoutEmpty({
        cursor: found.cursor,
        corrected: found.corrected,
        loosened: found.loosened,
        hidden: found.hidden > 0 && found.hidden,
        by_meaning: found.byMeaning > 0 && found.byMeaning,
        ...coverageData(found),
      }),
    },
  };
}

const snippetOf = ({ snippet }: FoundNote): string =>
  snippet ? `${snippet.cutBefore ? "…" : ""}${snippet.text}${snippet.cutAfter ? "…" : ""}` : "";

export const listNotes = tool({
  name: "list_notes",
  description:
    "List. what: folder (default: its subfolders and own notes), notes (all below it), recent, created, tags, orphans; files that are no notes, or unused (no link to them).",
  annotations: { ...READS, title: "List notes" },
  input: z.object({
    what: z.enum(["folder", "notes", "recent", "created", "tags", "orphans", "files", "unused"]).optional(),
    folder: z.string().optional(),
    limit: limitOf(LISTED),
    cursor,
  }),
  output: z.object({ total: z.int(), notes: rows.optional(), names: rows.optional() }),
  async run(notebook, { what = "folder", folder: written = "", limit: size, cursor: from }) {
    const folder = folderPath(plainFolder(written, notebook));
    const most = pageSize(notebook, size, LISTED);
    if (what === "tags") return tagList(notebook, folder, most, from);
    if (what === "files" || what === "unused") {
      if (folder !== "" && notebook.soFar() === null && !(await notebook.files({ folder, limit: 0 })).total)
        await checkFolder(notebook, folder);
      return fileList(notebook, { folder, unused: what === "unused" }, most, from);
    }
    const page: Page = { limit: most, sort: SORTS[what], ...(from === undefined ? {} : { cursor: from }) };
    // While a note's links are not all indexed, it would be listed as one without.
    if (what === "orphans") await notebook.ready();
    const found = await notebook.find(listFilter(what, folder), page);
    const folders = what === "folder" && from === undefined ? await notebook.folders(folder) : [];
    if (found.total === 0 && !found.partial && folders.length === 0 && folder !== "")
      await checkFolder(notebook, folder);
    return listAnswer(found, folders, what);
  },
});

function listFilter(what: keyof typeof SORTS, folder: string): Filter {
  const inside: Filter = { folder, deep: what !== "folder" };
  return what === "orphans" ? { all: [inside, { is: "orphan" }] } : inside;
}

const SORTS = {
  folder: "path",
  notes: "path",
  orphans: "path",
  recent: "modified",
  created: "created",
} as const;

const FOLDERS_SHOWN = 200;

function listAnswer(
  found: Found,
  folders: { name: string; count: number }[],
  what: keyof typeof SORTS,
): Answer {
  const notes = found.notes.map((it) => ({
    path: it.path,
    ...(it.title === it.name ? {} : { title: it.title }),
    ...(what === "recent" ? { modified: time(it.modified) } : {}),
    ...(what === "created" ? { created: time(it.created) } : {}),
  }));
  const names = folders.slice(0, FOLDERS_SHOWN).map(({ name, count }) => ({ name: `${name}/`, count }));
  const head = [
    ...(folders.length > 0 ? [plural(folders.length, "folder")] : []),
    `${plural(found.total, "note")}${notes.length < found.total ? `, ${found.offset + 1}-${found.offset + notes.length} shown` : ""}`,
  ].join(", ");
  const lines = notes.map((it) =>
    [escaped(it.path), it.title && `(${label(it.title)})`, it.modified ?? it.created]
      .filter(Boolean)
      .join(" "),
  );
  return {
    text: [
      [
        listHead(`${head}.`, found.total + folders.length, found),
        ...names.map(({ name, count }) => `${escaped(name)} ${count}`),
        ...(names.length < folders.length ? [`and ${folders.length - names.length} more folders`] : []),
        ...lines,
        ...(found.cursor === null ? [] : [`More: cursor ${found.cursor}`]),
      ].join("\n"),
    ],
    structured: {
      total: found.total,
      notes,
      ...withoutEmpty({ names, cursor: found.cursor, ...coverageData(found) }),
    },
  };
}

/** Tags have no index of their own to page by: a cursor is how many were given. */
async function tagList(notebook: Notebook, folder: string, most: number, from = "0"): Promise<Answer> {
  if (folder !== "")
    throw new NoteError("input_refused", "tags are those of the whole vault. Leave folder out.");
  if (!/^\d{1,9}$/.test(from))
    throw new NoteError("input_refused", "That cursor is not one of this list. Begin again without it.");
  const tags = await notebook.tags("all");
  const found = coverageOf(notebook);
  const names = tags.slice(Number(from), Number(from) + most);
  const next = Number(from) + names.length < tags.length ? String(Number(from) + names.length) : null;
  return {
    text: [
      [
        listHead(`${plural(tags.length, "tag")}.`, tags.length, found),
        ...names.map(({ name, count }) => `${label(name)} ${count}`),
        ...(next === null ? [] : [`More: cursor ${next}`]),
      ].join("\n"),
    ],
    structured: { total: tags.length, names, ...withoutEmpty({ cursor: next, ...coverageData(found) }) },
  };
}

/** Refuses a folder that is not there, and names those beside it. */
async function checkFolder(notebook: Notebook, folder: string): Promise<void> {
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
  const beside = (await notebook.folders(parent)).map(({ name }) => `${name}/`);
  if (beside.includes(`${folder}/`)) return;
  const hint = beside.length === 0 ? "" : ` There are: ${beside.slice(0, 20).join(", ")}.`;
  throw new NoteError("note_missing", `There is no folder "${folder}/" with notes in it.${hint}`, {
    path: folder,
  });
}
