/** Commits from drafts: trees on top of the newest one, and the objects that are new in them. */

import type { Revision } from "../notebook/parts.ts";
import type { Differences } from "./compare.ts";
import type { CommitDraft } from "./drafts.ts";
import { withTrailers } from "./message.ts";
import { decodeCommit, encodeCommit, objectOf, type NewObject, type Sha1 } from "./objects.ts";
import { revisionOf } from "./revision.ts";
import type { Trees } from "./trees.ts";

/** The newest commit and its tree; both null before the first. */
export type Head = { id: string | null; tree: string | null };

/** Commits on top of a parent, as they will be; nothing of them is written yet. */
export type Made = { parent: string | null; head: Head; revisions: Revision[]; objects: NewObject[] };

export async function makeCommits(
  { trees, sha1 }: { trees: Trees; sha1: Sha1 },
  head: Head,
  drafts: readonly CommitDraft[],
  now: Date,
  inPack: (id: string) => boolean = () => false,
): Promise<Made> {
  const objects: NewObject[] = [];
  const revisions: Revision[] = [];
  let top = head;
  for (const draft of drafts) {
    const changed = differencesOf(draft);
    for (const blob of blobsOf(sha1, draft, changed, inPack)) objects.push(blob);
    const edited =
      draft.tree === undefined
        ? await trees.edit(top.tree, new Map([...changed].map(([path, { after }]) => [path, after] as const)))
        : { root: draft.tree, objects: [] };
    const committer = { name: "notewright", email: "history@notewright.invalid", date: now };
    const made = objectOf(
      sha1,
      "commit",
      encodeCommit({
        tree: edited.root,
        parent: top.id,
        author: draft.author,
        committer,
        message: withTrailers(draft.message, draft.trailers),
      }),
    );
    for (const tree of edited.objects) objects.push(tree);
    objects.push(made);
    // Read back, so that what is given now is to the letter what will be given later.
    revisions.push(revisionOf(made.id, decodeCommit(made.body)!, changed));
    top = { id: made.id, tree: edited.root };
  }
  const fresh = new Map(objects.map((object) => [object.id, object]));
  return {
    parent: head.id,
    head: top,
    revisions,
    objects: [...fresh.values()].filter(({ id }) => !inPack(id)),
  };
}

function differencesOf({ before, after }: CommitDraft): Differences {
  const found: Differences = new Map();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(path) ?? null;
    const now = after.get(path)?.version ?? null;
    if (old !== now) found.set(path, { before: old, after: now });
  }
  return found;
}

/** A note that only moved has its content in the history already. */
function blobsOf(
  sha1: Sha1,
  { after }: CommitDraft,
  changed: Differences,
  inPack: (id: string) => boolean,
): NewObject[] {
  const known = new Set([...changed.values()].map(({ before }) => before));
  return [...changed.keys()].flatMap((path) => {
    const content = after.get(path);
    if (!content || content.recorded || known.has(content.version) || inPack(content.version)) return [];
    const blob = objectOf(sha1, "blob", content.bytes);
    if (blob.id !== content.version) throw new Error("a note's bytes and version do not belong together");
    return [blob];
  });
}
