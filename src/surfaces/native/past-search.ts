/** Words in past versions: the history is walked from now backwards and each version read once, within limits that the answer names. */

import { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Revision, Version } from "../../notebook/parts.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { fold } from "../../notebook/resolve.ts";
import type { Answer } from "../surface.ts";
import { plural, oneLine, withoutEmpty, shortRevision, time } from "./say.ts";

/** Limits of one call: a few seconds' work. */
const REVISIONS = 5000;
const VERSIONS = 3000;
const BYTES = 64 * 1024 * 1024;
const MILLISECONDS = 2000;
const AROUND = 80;

type Hit = { path: NotePath; as?: NotePath; revision: string; date: string; now: boolean; text: string };

/** Each note has one hit: the newest version that holds the words, and the revision to read it at. */
export async function searchPast(
  notebook: Notebook,
  find: string,
  path: NotePath | undefined,
  most: number,
): Promise<Answer> {
  const wanted = fold(find.trim());
  if (wanted === "")
    throw new NoteError("input_refused", "find cannot be empty. Give words that stood in a note.");
  const log = await notebook.log({ ...(path === undefined ? {} : { path }), limit: REVISIONS });
  const { signal, progress } = notebook.who;
  const seen = new Set<Version>();
  const hits = new Map<NotePath, Hit>();
  const nameOf = nameTracker();
  const deadline = new Date(notebook.now().getTime() + MILLISECONDS);
  let [bytes, at] = [0, 0];
  for (; at < log.length; at++) {
    if (hits.size >= most || seen.size >= VERSIONS || bytes >= BYTES || notebook.now() > deadline) break;
    if (at % 50 === 0) {
      progress?.(at, log.length, "looking through past versions");
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    const { id, date, changes } = log[at]!;
    for (const change of changes) {
      const { note, latest } = nameOf(change);
      if (change.version === null || seen.has(change.version) || hits.has(note)) continue;
      seen.add(change.version);
      const text = await textAt(notebook, change.path, change.version);
      bytes += text.length;
      const words = wordsAround(text, wanted);
      if (words === null) continue;
      const as = change.path === note ? {} : { as: change.path };
      hits.set(note, {
        path: note,
        ...as,
        revision: shortRevision(id),
        date: time(date),
        now: latest,
        text: words,
      });
    }
  }
  return pastAnswer([...hits.values()], {
    looked: seen.size,
    stopped: at < log.length || log.length === REVISIONS,
    back: log[at - 1]?.date,
  });
}

/** The words that were looked for with those around them; null where the text does not hold them. */
function wordsAround(text: string, wanted: string): string | null {
  const place = fold(text).indexOf(wanted);
  if (place === -1) return null;
  return oneLine(text.slice(Math.max(0, place - AROUND), place + wanted.length + AROUND), 3 * AROUND);
}

function pastAnswer(
  hits: readonly Hit[],
  { looked, stopped, back }: { looked: number; stopped: boolean; back: Date | undefined },
): Answer {
  const reach = back
    ? `Looked at ${plural(looked, "version")} back to ${time(back)}${stopped ? ", not all: name a note to go further" : ""}.`
    : "There is no history to look in.";
  const lines = hits.map(
    ({ path, as, now, revision, date, text }) =>
      `${escaped(path)}${as === undefined ? "" : ` (then ${escaped(as)})`} ${now ? "has" : "had"} it at ${revision}, ${date}: ${text}`,
  );
  return {
    text: [[`${plural(hits.length, "note")}. ${reach}`, ...lines].join("\n")],
    structured: {
      total: hits.length,
      notes: hits.map((hit) => withoutEmpty(hit)),
      ...withoutEmpty({ stopped }),
    },
  };
}

/** Follows names backwards through the history: under which name a note ends, and whether a change is the last of it. */
function nameTracker() {
  const later = new Map<NotePath, NotePath>();
  return ({ path, from }: Revision["changes"][number]): { note: NotePath; latest: boolean } => {
    const note = later.get(path) ?? path;
    const latest = !later.has(path);
    later.set(from ?? path, note);
    // What had this name before was another note.
    if (from !== undefined) later.set(path, path);
    return { note, latest };
  };
}

async function textAt(notebook: Notebook, path: NotePath, version: Version): Promise<string> {
  try {
    return (await notebook.read(path, { version })).text ?? "";
  } catch (error) {
    if (error instanceof NoteError) return "";
    throw error;
  }
}
