/** Late edits: what another program wrote into a note's file in the moment we replaced it, put together with ours. */

import { merge3 } from "../markdown/merge.ts";
import type { Who } from "./change.ts";
import { decodeText, encodeText, makeNote, type Note } from "./note.ts";
import type { LateEdit, Parts } from "./parts.ts";
import { withoutEnding, type NotePath } from "./paths.ts";
import { load } from "./plan.ts";
import { reindex } from "./refresh.ts";
import { isRuleFile } from "./rulebook.ts";

/** Inside `alone`. Either way their text is a revision of its own in the history. */
export async function settleLate(parts: Parts, late: LateEdit, who: Who): Promise<"merged" | "copied"> {
  const path = late.path as NotePath | null;
  const version = parts.versionOf(late.bytes);
  const ours = path === null ? null : await load(parts, path);
  if (ours?.version === version) return "merged";
  const merged = ours && (await mergedWith(parts, late, ours));
  if (!ours || merged === null) return copied(parts, late, who);

  const theirs = makeNote(ours.path, late.bytes, version, parts.now());
  const bytes = encodeText(merged);
  const after = makeNote(ours.path, bytes, parts.versionOf(bytes), parts.now());
  if (after.version !== ours.version)
    await parts.store.apply([{ path: after.path, bytes, expect: ours.version }]);
  // What it was before is theirs: the history then records that first, as another program's.
  await parts.history.record(
    [{ path: after.path, before: theirs, after, why: "outside" }],
    `Merge an edit made outside: ${withoutEnding(after.path)}`,
    who,
    parts.now(),
  );
  if (!isRuleFile(after.path)) await reindex(parts, [after.path]);
  return "merged";
}

/** Both texts in one; null where they overlap, or one of them is no text. */
async function mergedWith(parts: Parts, { base, bytes }: LateEdit, ours: Note): Promise<string | null> {
  const before = await parts.history.blob(base);
  const [old, theirs] = [before && decodeText(before), decodeText(bytes)];
  if (old === null || theirs === null || ours.text === null) return null;
  const merged = merge3(old, ours.text, theirs);
  return "text" in merged ? merged.text : null;
}

async function copied(parts: Parts, { copy, bytes }: LateEdit, who: Who): Promise<"copied"> {
  const there = await parts.store.read(copy);
  if (!there) await parts.store.apply([{ path: copy, bytes, expect: "absent" }]);
  const after = makeNote(copy, bytes, parts.versionOf(bytes), parts.now());
  await parts.history.record(
    [{ path: copy, before: null, after, why: "outside" }],
    `Keep an edit made outside: ${withoutEnding(copy)}`,
    who,
    parts.now(),
  );
  await reindex(parts, [copy]);
  return "copied";
}
