/** Which revisions a caller means: since a time or a revision, by an author, of this connection, one by one. */

import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "./notebook.ts";
import type { Revision } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { momentOf, requiredMoment } from "./moments.ts";

/** How far back a range may reach. */
export const RANGE_LIMIT = 10_000;

export type Range = { path?: NotePath; author?: string; from?: string; to?: string };

/** Newest first: those after `from`, up to and with `to`, each a time or a revision. */
export async function revisionsIn(
  notebook: Notebook,
  { path, author, from, to }: Range,
  limit: number,
): Promise<Revision[]> {
  const start = from === undefined ? null : momentOf(from, notebook);
  const end = to === undefined ? null : momentOf(to, notebook);
  const [first, last] = [
    from !== undefined && start === null ? (await notebook.revision(from)).id : null,
    to !== undefined && end === null ? (await notebook.revision(to)).id : null,
  ];
  // A revision stands in the log of every note or in none of the one asked for, so a range by ids is cut from the whole log.
  const whole = first !== null || last !== null;
  const log = await notebook.log({
    ...(path === undefined || whole ? {} : { path }),
    ...(author === undefined || whole ? {} : { author }),
    ...(start === null ? {} : { since: start }),
    limit: whole || end !== null ? RANGE_LIMIT : limit,
  });
  const begin = last === null ? 0 : log.findIndex(({ id }) => id === last);
  const stop = first === null ? log.length : log.findIndex(({ id }) => id === first);
  if (begin === -1 || stop === -1)
    throw new NoteError(
      "input_refused",
      `That revision is more than ${RANGE_LIMIT} back, or not in the range. Give a time instead.`,
    );
  let range = log.slice(begin, stop).filter(({ date }) => end === null || date <= end);
  if (whole && author !== undefined) range = range.filter((revision) => revision.author === author);
  if (!whole || path === undefined) return range.slice(0, limit);
  // Under all the names the note has had.
  const own = new Set((await notebook.log({ path, limit: RANGE_LIMIT })).map(({ id }) => id));
  return range.filter(({ id }) => own.has(id)).slice(0, limit);
}

export type Meant = { revisions?: string[]; author?: string; since?: string; last?: number };

/** Newest first. Without an author they are those of the caller's own connection. */
export async function revisionsMeant(
  notebook: Notebook,
  { revisions, author, since, last }: Meant,
): Promise<Revision[]> {
  if (revisions !== undefined) {
    if (author !== undefined || since !== undefined || last !== undefined)
      throw new NoteError("input_refused", "Give either revisions, or author, since and last.");
    const found = new Map<string, Revision>();
    for (const id of revisions) {
      const revision = await notebook.revision(id);
      found.set(revision.id, revision);
    }
    return [...found.values()];
  }
  if (since === undefined && last === undefined)
    throw new NoteError("input_refused", "Say what to undo: revisions, or last or since, or note with to.");
  if (last !== undefined && last < 1) throw new NoteError("input_refused", "last is a number from 1.");
  const { client, connection } = notebook.who;
  const log = await notebook.log({
    author: author ?? client,
    ...(since === undefined ? {} : { since: requiredMoment(since, notebook) }),
    limit: RANGE_LIMIT,
  });
  const own = author === undefined ? log.filter((revision) => revision.connection === connection) : log;
  if (own.length > 0) return own.slice(0, last ?? RANGE_LIMIT);
  throw new NoteError(
    "revision_missing",
    author === undefined
      ? "Nothing was changed on this connection in that time. Name an author, or revisions."
      : `Nothing by "${author}" is recorded in that time.`,
    {},
  );
}
