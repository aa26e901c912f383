/** Which revisions a caller means: those of a range, the last ones of somebody, or some that are named one by one. */

import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "./notebook.ts";
import type { Revision } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { momentOf } from "./moments.ts";

/** What is asked for revisions: a notebook, or the history itself. */
type Log = Pick<Notebook, "log" | "revision">;

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

/** Whose revisions: one author's, those of one connection of a client, or those of all clients, without what people wrote themselves. */
export type Whose = { author: string } | { client: string; connection: string } | "clients";

/** The last revisions, newest first: at most `last` of them, none from before `since`, among the `limit` that are looked at. */
export async function lastRevisions(
  history: Log,
  whose: Whose,
  { since, last, limit }: { since?: Date; last?: number; limit: number },
): Promise<Revision[]> {
  const most = Math.min(last ?? limit, limit);
  const log = await history.log({
    ...authorOf(whose),
    ...(since === undefined ? {} : { since }),
    limit: isAuthor(whose) ? most : limit,
  });
  return log.filter((revision) => isBy(whose, revision)).slice(0, most);
}

const isAuthor = (whose: Whose): whose is { author: string } =>
  typeof whose === "object" && "author" in whose;

function authorOf(whose: Whose): { author?: string } {
  if (whose === "clients") return {};
  return { author: isAuthor(whose) ? whose.author : whose.client };
}

/** With these commands of the terminal a person writes; with the others they ask for what a client could do, too. */
const WRITTEN_BY_HAND = new Set(["edit", "daily"]);

const isByHand = ({ surface, tool }: Revision): boolean =>
  surface === "outside" || (surface === "cli" && WRITTEN_BY_HAND.has(tool ?? ""));

function isBy(whose: Whose, revision: Revision): boolean {
  if (whose === "clients") return !isByHand(revision);
  return isAuthor(whose) || revision.connection === whose.connection;
}

/** Revisions that were named one by one, each once. */
export async function namedRevisions(history: Log, ids: readonly string[]): Promise<Revision[]> {
  const found = new Map<string, Revision>();
  for (const id of ids) {
    const revision = await history.revision(id);
    found.set(revision.id, revision);
  }
  return [...found.values()];
}
