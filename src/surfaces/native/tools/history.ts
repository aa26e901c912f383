/** get_history: what was changed, when and by whom; what differs; and words that stand in past versions only. */

import { z } from "zod";
import { unifiedDiff } from "../../../markdown/diff.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped } from "../../../markdown/label.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import type { Revision, Version } from "../../../notebook/parts.ts";
import type { NotePath } from "../../../notebook/paths.ts";
import { READS, tool, type Answer } from "../../surface.ts";
import { pathMeant } from "../address.ts";
import { DIFF_ROOM } from "../changed.ts";
import { limitOf, rows, pageSize } from "./parameters.ts";
import { RANGE_LIMIT, revisionsIn, type Range } from "../../../notebook/revisions.ts";
import {
  plural,
  firstOf,
  ownMessage,
  revisionLine,
  withoutEmpty,
  shortRevision,
  truncated,
  time,
} from "../say.ts";
import { searchPast } from "../past-search.ts";

const LISTED = 20;
const PATHS_SHOWN = 5;
const NOTES_SHOWN = 50;

export const getHistory = tool({
  name: "get_history",
  description:
    "Revisions, newest first. from/to: time (2026-02-24, 14:00, 2 hours ago) or revision. diff = net change of each note over the range. revision = one, with its diff. find = text in past versions, deleted notes too.",
  annotations: { ...READS, title: "Get history" },
  input: z.object({
    note: z.string().optional(),
    author: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    diff: z.boolean().optional(),
    revision: z.string().optional(),
    find: z.string().optional(),
    limit: limitOf(LISTED),
  }),
  output: z.object({ revisions: rows.optional(), notes: rows.optional(), diff: z.string().optional() }),
  async run(notebook, { note, author, from, to, diff, revision, find, limit: size }) {
    const most = pageSize(notebook, size, LISTED);
    const path = note === undefined ? undefined : await pathMeant(notebook, note);
    if (find !== undefined) return searchPast(notebook, find, path, most);
    if (revision !== undefined) return oneRevision(notebook, revision, path);
    const range = { path, author, from, to };
    return diff ? netChange(notebook, range) : revisionList(notebook, range, most);
  },
});

async function oneRevision(notebook: Notebook, id: string, path: NotePath | undefined): Promise<Answer> {
  const revision = await notebook.revision(id);
  return diffAnswer(notebook, [revision], path, revisionLine(revision, PATHS_SHOWN));
}

async function netChange(notebook: Notebook, range: Range): Promise<Answer> {
  const revisions = await revisionsIn(notebook, range, RANGE_LIMIT);
  return diffAnswer(notebook, revisions, range.path, `${plural(revisions.length, "revision")}.`);
}

/** A range is counted to its end; without one only the newest revisions are looked at. */
async function revisionList(notebook: Notebook, range: Range, most: number): Promise<Answer> {
  const bounded = range.from !== undefined || range.to !== undefined;
  return logAnswer(await revisionsIn(notebook, range, bounded ? RANGE_LIMIT : most + 1), most, bounded);
}

function logAnswer(found: readonly Revision[], most: number, counts: boolean): Answer {
  const shown = found.slice(0, most);
  const cut = shown.length < found.length;
  const touched = cut && counts ? touchedBy(found) : [];
  const notes = touched.slice(0, NOTES_SHOWN).map(({ path }) => ({ path }));
  const names = firstOf(
    touched.map(({ path }) => path),
    NOTES_SHOWN,
  );
  const all = counts
    ? `${plural(found.length, "revision")}${found.length === RANGE_LIMIT ? " or more" : ""}`
    : plural(shown.length, "revision");
  const rest = !cut
    ? ""
    : counts
      ? `, the last ${shown.length} shown; ${plural(touched.length, "note")} touched in all: ${escaped(names)}`
      : ", and there are older ones";
  return {
    text: [[`${all}${rest}.`, ...shown.map((one) => revisionLine(one, PATHS_SHOWN))].join("\n")],
    structured: {
      ...(counts ? { total: found.length } : withoutEmpty({ more: cut })),
      revisions: shown.map((one) =>
        withoutEmpty({
          id: shortRevision(one.id),
          date: time(one.date),
          author: one.author,
          tool: one.tool,
          accepted_by: one.acceptedBy,
          message: ownMessage(one),
          paths: one.changes.slice(0, PATHS_SHOWN).map(({ path }) => path),
          touched: one.touched > PATHS_SHOWN && one.touched,
        }),
      ),
      ...withoutEmpty({ notes }),
    },
  };
}

/** Notes under the name they have at the end of the range, each with what it was before it and what it is after it. */
type Touched = { path: NotePath; from?: NotePath; before: Version | null; after: Version | null };

/** The first recording of a vault is no change of its notes. */
const isFirstRecording = ({ surface, message }: Revision): boolean =>
  surface === "outside" && /^Record (?:a note|\d+ notes) as found$/m.test(message);

function touchedBy(revisions: readonly Revision[]): Touched[] {
  const notes = new Map<NotePath, Touched>();
  for (const { changes } of revisions.filter((one) => !isFirstRecording(one)).toReversed()) {
    // Names may be swapped in one revision: all leave before any arrives.
    const arriving = changes.map(({ path, from, version, before }): Touched => {
      const earlier = notes.get(from ?? path);
      notes.delete(from ?? path);
      const was = earlier ? (earlier.from ?? earlier.path) : (from ?? path);
      return {
        path,
        ...(was === path ? {} : { from: was }),
        before: earlier ? earlier.before : before,
        after: version,
      };
    });
    for (const note of arriving) notes.set(note.path, note);
  }
  return [...notes.values()].filter(({ from, before, after }) => from !== undefined || before !== after);
}

async function diffAnswer(
  notebook: Notebook,
  revisions: readonly Revision[],
  only: NotePath | undefined,
  head: string,
): Promise<Answer> {
  const whole: Revision[] = [];
  for (const revision of revisions.filter((one) => revisions.length === 1 || !isFirstRecording(one)))
    whole.push(revision.changes.length < revision.touched ? await notebook.revision(revision.id) : revision);
  const touched = touchedBy(whole).filter(
    ({ path, from }) => only === undefined || path === only || from === only,
  );
  const notes = touched
    .slice(0, NOTES_SHOWN)
    .map(({ path, from, before, after }) =>
      withoutEmpty({ path, from, done: after === null ? "deleted" : before === null ? "created" : null }),
    );
  const names = notes.map(
    ({ path, from, done }) =>
      `${from === undefined ? "" : `${from} → `}${path}${done === undefined ? "" : ` (${done})`}`,
  );
  const diff = await diffsOf(notebook, touched);
  return {
    text: [
      `${head}\n${plural(touched.length, "note")}: ${escaped(firstOf(names, NOTES_SHOWN))}`,
      ...(diff === "" ? [] : [diff]),
    ],
    structured: { total: touched.length, notes, diff },
  };
}

/** The diffs of several notes one below the other, cut to the room there is. */
async function diffsOf(notebook: Notebook, touched: readonly Touched[]): Promise<string> {
  const parts: string[] = [];
  let room = DIFF_ROOM;
  let unseen = 0;
  for (const note of touched) {
    notebook.who.signal?.throwIfAborted();
    if (room <= 0) {
      unseen++;
      continue;
    }
    const text = await noteDiff(notebook, note);
    parts.push(
      text.length > room
        ? `${truncated(text, room)}\n(cut: ask for note "${escaped(note.path)}" alone)\n`
        : text,
    );
    room -= text.length;
  }
  if (unseen > 0) parts.push(`(and ${plural(unseen, "more note")})\n`);
  return parts.join("");
}

async function noteDiff(notebook: Notebook, { path, from, before, after }: Touched): Promise<string> {
  const text = async (version: Version | null): Promise<string> => {
    if (version === null) return "";
    try {
      return (await notebook.read(path, { version })).text ?? "";
    } catch (error) {
      if (error instanceof NoteError) return "";
      throw error;
    }
  };
  return unifiedDiff(await text(before), await text(after), {
    from: before === null ? "/dev/null" : (from ?? path),
    to: after === null ? "/dev/null" : path,
  }).text;
}
