/** Drafts: what a change is to be in the history, as one commit or two: first what others did since the last one, then ours. */

import type { Change } from "../notebook/change.ts";
import type { Content, RevisionInfo } from "../notebook/parts.ts";
import { plainMessage, type Trailers } from "./message.ts";
import { movesAmong } from "./moves.ts";
import { identName, isId, recordable, type Ident } from "./objects.ts";
import type { Trees } from "./trees.ts";

/** For each path that something is about: the version recorded before, and what is there now; null for nothing. */
export type States = { before: Map<string, string | null>; after: Map<string, Content | null> };
export type CommitDraft = States & {
  author: Ident;
  message: string;
  trailers: Trailers;
  /** The tree it will have, where that has been made already. */
  tree?: string;
};

const CLIENT_EMAIL = "client@notewright.invalid";
const OUTSIDE_EMAIL = "outside@notewright.invalid";

export const canRecord = (change: { path: string; from?: string; after: Content | null }): boolean =>
  recordable(change.path) &&
  recordable(change.from ?? change.path) &&
  (change.after === null || isId(change.after.version));

export async function draftChanges(
  trees: Trees,
  root: string | null,
  changes: readonly Change[],
  info: RevisionInfo & { outsideAuthor: string },
): Promise<CommitDraft[]> {
  const before = statesBefore(changes);
  const after = statesAfter(changes);
  const outside = await outsideSince(trees, root, before, after);
  const versions = new Map<string, string | null>();
  for (const [path, content] of before)
    versions.set(path, isUnknown(content) ? await trees.version(root, path) : (content?.version ?? null));
  const { date, outsideAuthor } = info;
  const drafts = outside.after.size > 0 ? [draftOutside(outside, { date, outsideAuthor })] : [];
  const { client, surface, tool, connection, program, acceptedBy } = info.who;
  const moved = changes.flatMap(({ from, path }): [string, string][] =>
    from === undefined || from === path ? [] : [[from, path]],
  );
  const kept = changes.flatMap(({ path, after }): [string, string][] =>
    after && versions.get(path) === after.version ? [[path, after.version]] : [],
  );
  drafts.push({
    author: { name: identName(client), email: CLIENT_EMAIL, date },
    message: plainMessage(info.message),
    trailers: {
      surface,
      tool,
      connection,
      ...(program === undefined ? {} : { program }),
      ...(acceptedBy === undefined ? {} : { acceptedBy }),
      moved,
      kept,
      saved: [],
      folders: (info.folders ?? []).map(([removed, made]) => [removed, made]),
    },
    before: versions,
    after,
  });
  return drafts;
}

/** A note too large to be read has no version; history believes that it is still what it was. */
const isUnknown = (content: Content | null): boolean => content !== null && !isId(content.version);

/** What stood at each path when the change was planned. A path that is only written to had nothing, or the tree is stale. */
function statesBefore(changes: readonly Change[]): Map<string, Content | null> {
  const states = new Map<string, Content | null>(changes.map(({ path }) => [path, null]));
  for (const { path, from, before } of changes) if (before) states.set(from ?? path, before);
  return states;
}

function statesAfter(changes: readonly Change[]): Map<string, Content | null> {
  const states = new Map<string, Content | null>();
  for (const { path, from } of changes) states.set(from ?? path, null);
  for (const { path, after } of changes) states.set(path, after);
  return states;
}

/** Where the newest tree differs from what a change found: somebody else's doing. */
async function outsideSince(
  trees: Trees,
  root: string | null,
  before: ReadonlyMap<string, Content | null>,
  after: ReadonlyMap<string, Content | null>,
): Promise<States> {
  const outside: States = { before: new Map(), after: new Map() };
  for (const [path, content] of before) {
    const recorded = await trees.version(root, path);
    if (!isUnknown(content) && recorded !== (content?.version ?? null)) {
      outside.before.set(path, recorded);
      outside.after.set(path, content);
    }
    if (content || after.get(path)) await addObstacles(trees, root, path, before, outside);
  }
  return outside;
}

/** Notes as another program left them, where the newest tree holds them otherwise. */
export async function outsideStates(
  trees: Trees,
  root: string | null,
  seen: readonly { path: string; after: Content | null }[],
): Promise<States> {
  const states: States = { before: new Map(), after: new Map() };
  for (const { path, after } of seen.filter(canRecord)) {
    const version = await trees.version(root, path);
    if (version === (after?.version ?? null)) continue;
    states.before.set(path, version);
    states.after.set(path, after);
    if (after) await addObstacles(trees, root, path, new Map(), states);
  }
  return states;
}

/** Files that must have gone for this one to be there. */
async function addObstacles(
  trees: Trees,
  root: string | null,
  path: string,
  known: ReadonlyMap<string, unknown>,
  states: States,
): Promise<void> {
  for (const other of await trees.obstacles(root, path)) {
    if (known.has(other) || states.after.has(other)) continue;
    states.before.set(other, await trees.version(root, other));
    states.after.set(other, null);
  }
}

/** Notes as another program left them. `lastSeen`: the versions with which notes that are gone now were seen since they were recorded. */
export function draftOutside(
  { before, after }: States,
  info: {
    date: Date;
    outsideAuthor: string;
    message?: string;
    lastSeen?: ReadonlyMap<string, string>;
    dated?: "when recorded";
  },
): CommitDraft {
  const moved = movesAmong(before, after, info.lastSeen ?? new Map());
  // The files tell when they were saved, if they are not ahead of the clock.
  const last = [...after.values()].reduce(
    (time, content) => Math.max(time, content?.modified.getTime() ?? 0),
    0,
  );
  const byFiles = info.dated === undefined && last > 0 && last < info.date.getTime();
  const date = byFiles ? new Date(last) : info.date;
  return {
    author: { name: identName(info.outsideAuthor), email: OUTSIDE_EMAIL, date },
    message: plainMessage(info.message ?? outsideMessage(before, after, moved)),
    trailers: {
      surface: "outside",
      moved,
      kept: [],
      saved: savedBefore(date, before, after, moved),
      folders: [],
    },
    before,
    after,
  };
}

/** The notes whose text was changed that were saved in another second than that of the revision. */
function savedBefore(
  date: Date,
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, Content | null>,
  moved: readonly [string, string][],
): [string, string][] {
  const sources = new Map(moved.map(([from, to]) => [to, from]));
  const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);
  return [...after].flatMap(([path, content]): [string, string][] => {
    const recorded = before.get(sources.get(path) ?? path) ?? null;
    if (!content || recorded === null || recorded === content.version) return [];
    const time = seconds(content.modified);
    return time >= 0 && time < seconds(date) ? [[path, String(time)]] : [];
  });
}

function outsideMessage(
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, Content | null>,
  moved: readonly [string, string][],
): string {
  const gone = new Set(moved.map(([from]) => from));
  const paths = [...after.keys()].filter((path) => !gone.has(path));
  const path = paths[0]!;
  const verb =
    gone.size === paths.length
      ? "Moved"
      : paths.every((one) => after.get(one) === null)
        ? "Deleted"
        : paths.every((one) => before.get(one) === null)
          ? "Added"
          : paths.every((one) => after.get(one) !== null && before.get(one) !== null)
            ? "Edited"
            : "Changed";
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  return `${verb} in another program: ${path.replace(/\.md$/, "")}${more}`;
}
