/** The command `diff`: what one change did, or what changed between two. */

import { timelinesOf, revisionsFrom } from "../notebook/undo/timeline.ts";
import type { Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { diffText, type Sides } from "./diff-text.ts";
import type { Open } from "../vault/open.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { noteNamed, wordsIn } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter } from "./terminal.ts";

/** The changes to be shown together, oldest first. */
async function namedChanges({ history }: Open, ids: readonly string[], path?: NotePath): Promise<Revision[]> {
  const [one, other] = [ids[0], ids[1]];
  if (one === undefined) {
    const [newest] = await history.log({ path: path!, limit: 1 });
    return newest ? [newest] : [];
  }
  const first = await history.revision(one);
  if (other === undefined) return [first];
  const second = await history.revision(other);
  const range = await revisionsFrom(history, new Set([first.id, second.id]));
  const at = (id: string): number => range.findIndex((revision) => revision.id === id);
  const [from, to] = [at(first.id), at(second.id)].toSorted((a, b) => a - b);
  // Both are taken as they left the vault: the older one's own changes are in both.
  return range.slice(from! + 1, to! + 1);
}

async function sidesIn(
  { history }: Open,
  revisions: readonly Revision[],
  name: NotePath | null,
): Promise<Sides[]> {
  const read = async (version: string | undefined) => (version ? await history.blob(version) : null);
  const sides: Sides[] = [];
  for (const { events, state } of timelinesOf(revisions)) {
    const first = events[0]!.before;
    const path = (state ?? first)?.path;
    const same = first?.path === state?.path && first?.version === state?.version;
    if (path === undefined || same || (name !== null && name !== path && name !== first?.path)) continue;
    sides.push({
      path,
      ...(first && state && first.path !== state.path ? { from: first.path } : {}),
      before: await read(first?.version),
      after: await read(state?.version),
    });
  }
  return sides.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { revisions, notes, vault } = wordsIn(settings.rest);
  if (revisions.length + notes.length === 0)
    throw usageError("diff needs a revision or a note: notewright diff REV [REV2] [NOTE] [VAULT]");
  if (revisions.length > 2 || notes.length > 1)
    throw usageError(`diff takes up to two revisions, a note and a vault, not: ${settings.rest.join(" ")}`);

  const opening = { call: "diff REV ~/Notes", folder: vault, to: "look" } as const;
  await withVault(opening, settings, environment, async (open) => {
    const path = notes[0] === undefined ? undefined : await noteNamed(open, notes[0], environment);
    const changes = await namedChanges(open, revisions, path);
    const last = changes.at(-1);
    const name = path && last ? ((await open.history.nameAt(path, last.id)) ?? path) : null;
    const paint = painter(process.stdout, environment);
    const sides = await sidesIn(open, changes, name);
    await page(sides.map((it) => diffText(it, paint)).join("\n"), environment);
    if (sides.length === 0) say("Nothing differs.");
  });
};
