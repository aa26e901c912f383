/** What a note holds that links can name: its headings and blocks, read from its stored text; and the links of a note to its own, which stand in no table. */

import { anchorsOf, missingIn, namesPlace, type Anchors } from "../markdown/anchors.ts";
import { readNote, type ParsedNote } from "../markdown/note.ts";
import type { Steps } from "../markdown/steps.ts";
import type { BrokenLink, Lacking } from "../notebook/link-graph.ts";
import type { NotePath } from "../notebook/paths.ts";
import { plainBody } from "../search/bodies.ts";
import type { Sql } from "../sqlite/sql.ts";

/** A link of a note to a place in itself, which is not there. */
export type OwnLink = {
  row: { source: NotePath; line: number; at: number };
  table: "own";
  lacks: Lacking;
  link: BrokenLink;
};

type Stored = {
  path: NotePath;
  title: string;
  size: number;
  body_line: number;
  body: string | Uint8Array | null;
};

// SQLite cannot look into a body that is packed. Words of a note that has just changed are pending; its text then stands beside them.
const TEXT = `SELECT n.path, n.title, n.size, n.body_line,
  coalesce((SELECT json_extract(p.text, '$.body') FROM pending_texts p WHERE p.id = n.id),
    (SELECT t.body FROM texts t WHERE t.id = n.id)) AS body FROM notes n`;
const OF_PATH = `${TEXT} WHERE n.path = ?`;
const WITH_OWN = `SELECT * FROM (${TEXT} WHERE n.id >= ? AND n.id < ?)
  WHERE typeof(body) = 'blob' OR instr(body, '[[#') > 0 OR instr(body, '](#') > 0`;

/** Where rows are bounded, a text is kept whole that takes at most this part of one: beside it stand its words. */
const PART_OF_ROW = 4;
/** Notes that are looked at in one step. */
const NOTES = 200;

/** Null where the note is not kept whole, so that nothing can be said to be missing in it. */
export function* anchorsIn(sql: Sql, path: NotePath): Steps<Anchors | null> {
  const row = sql.get<Stored>(OF_PATH, path);
  const note = row ? yield* parsed(sql, row) : null;
  return note && anchorsOf(note);
}

function* parsed(sql: Sql, { size, body }: Stored): Steps<ParsedNote | null> {
  if (body === null || (sql.valueLimit !== undefined && size * PART_OF_ROW > sql.valueLimit)) return null;
  const text = plainBody(sql, body);
  // What stands below the fields may begin with `---`, and is no field for that.
  return yield* readNote(`\n${text}`);
}

/** The links of notes to a heading or block of their own that is not there; and how many were not looked at, beyond so many. */
export function* lackingOwn(sql: Sql, most: number): Steps<{ links: OwnLink[]; left: number }> {
  const links: OwnLink[] = [];
  let seen = 0;
  const last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
  for (let from = 0; from <= last; from += NOTES, yield)
    for (const kept of sql.all<Stored>(WITH_OWN, from, from + NOTES)) {
      const row = { ...kept, body: kept.body && plainBody(sql, kept.body) };
      if (!/\[\[#|\]\(#/.test(row.body ?? "")) continue;
      const note = yield* parsed(sql, row);
      const there = note && anchorsOf(note);
      if (!note || !there) continue;
      for (const [at, mark] of note.ownLinks.entries()) {
        if (!namesPlace(mark.anchor) || seen++ >= most) continue;
        const lacks = missingIn(there, mark);
        if (lacks) links.push(ownLink(row, at, mark, lacks));
      }
      yield;
    }
  return { links, left: Math.max(0, seen - most) };
}

function ownLink(
  { path, title, body_line }: Stored,
  at: number,
  { anchor: written, label: shown, form, line: below }: ParsedNote["ownLinks"][number],
  lacks: Lacking,
): OwnLink {
  // A piece of a text would keep the whole of it in memory.
  const [anchor, label] = [copied(written), shown === null ? null : copied(shown)];
  const line = below - 2 + body_line;
  const context =
    form === "wiki" ? `[[${anchor}${label === null ? "" : `|${label}`}]]` : `[${label}](${anchor})`;
  const link = { source: path, sourceTitle: title, target: "", anchor, label, form, path, title, context };
  const place = { line, bodyLine: below - 1, depth: 1 };
  return { row: { source: path, line, at }, table: "own", lacks, link: { ...link, ...place, lacks } };
}

const LONGEST = 200;
const copied = (text: string): string => Array.from(text.slice(0, LONGEST)).join("");
