/** Late edits: what another program wrote into a note's file in the moment we replaced it, put together with ours. */

import { merge3 } from "../markdown/merge.ts";
import type { Change, Who } from "./change.ts";
import { carryOut, putLeft, type Engine } from "./commit.ts";
import { decodeText, encodeText, makeNote, type Note } from "./note.ts";
import type { LateEdit } from "./late-edit.ts";
import type { Parts, Put } from "./parts.ts";
import { withoutEnding, type NotePath } from "./paths.ts";
import { load } from "./load.ts";

/** Only inside `alone`. Either way their text is a revision of its own in the history. */
export async function mergeLate(engine: Engine, late: LateEdit, who: Who): Promise<"merged" | "copied"> {
  const { parts } = engine;
  const path = late.path as NotePath | null;
  const version = parts.versionOf(late.bytes);
  const ours = path === null ? null : await load(parts, path);
  if (ours?.version === version) return "merged";
  const merged = ours && (await mergedWith(parts, late, ours));
  if (!ours || merged === null) return copied(engine, late, who);

  const bytes = encodeText(merged);
  const after = makeNote(ours.path, bytes, parts.versionOf(bytes), parts.now());
  // What it was before is theirs: the history then records that first, as another program's.
  const theirs = makeNote(ours.path, late.bytes, version, parts.now());
  const change: Change = { path: after.path, before: theirs, after, why: "outside" };
  const puts: Put[] =
    after.version === ours.version ? [] : [{ path: after.path, bytes, expect: ours.version }];
  const message = `Merge an edit made outside: ${withoutEnding(after.path)}`;
  const { left } = await carryOut(engine, [change], puts, { message, who, date: parts.now() });
  await putLeft(engine, left);
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

async function copied(engine: Engine, { copy, bytes }: LateEdit, who: Who): Promise<"copied"> {
  const { parts } = engine;
  const after = makeNote(copy, bytes, parts.versionOf(bytes), parts.now());
  const change: Change = { path: copy, before: null, after, why: "outside" };
  const puts: Put[] = (await parts.store.read(copy)) ? [] : [{ path: copy, bytes, expect: "absent" }];
  const message = `Keep an edit made outside: ${withoutEnding(copy)}`;
  const { left } = await carryOut(engine, [change], puts, { message, who, date: parts.now() });
  await putLeft(engine, left);
  return "copied";
}
