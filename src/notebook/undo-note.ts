/** One note without what is taken back: restored where nobody touched it since, else merged with what they wrote. */

import { merge3 } from "../markdown/merge.ts";
import { calledNow, placeAfter, type Fate, type Names } from "./fates.ts";
import type { Deed, State } from "./lives.ts";
import { decodeText, encodeText } from "./note.ts";
import type { Parts } from "./parts.ts";
import type { NotePath } from "./paths.ts";

/** Why one note cannot be taken back: both sides, so that a person can choose. A side that is no text, or not there, is null. */
export type UndoConflict = { path: NotePath; reason: string; now: string | null; then: string | null };

/** Bytes as they were at a place of the stretch, under the name the note had there. */
type Content = { bytes: Uint8Array; at: number; path: NotePath };
/** One deed, or several that follow each other, taken as one. */
type Step = { before: State; after: State; from: number; to: number; outside: boolean };
type Outcome = { content: Content | null } | { reason: string; then: Uint8Array | null };

export async function takeBack(
  parts: Parts,
  fate: Fate,
  names: Names,
): Promise<{ bytes: Uint8Array | null } | { conflict: UndoConflict }> {
  const { note, here, to, undone } = fate;
  const now: Content | null =
    note && here !== null ? { bytes: note.bytes, at: names.target - 1, path: here } : null;
  const outcome = await takeAll(now);
  if ("content" in outcome) return { bytes: outcome.content && settled(outcome.content) };
  const first = undone.at(-1)!.before;
  // What has been taken back before is as it was: there is nothing to refuse.
  if (to === here && note?.version === first?.version && here === (first?.path ?? null))
    return { bytes: note?.bytes ?? null };
  return {
    conflict: {
      path: calledNow(fate),
      reason: outcome.reason,
      now: note?.text ?? null,
      then: outcome.then && decodeText(outcome.then),
    },
  };

  async function takeAll(content: Content | null): Promise<Outcome> {
    let place = here;
    for (const run of runsOf(undone)) {
      const whole = await takeStep(content, place, joined(run));
      // What was taken back in part already does not fit the run as a whole, but each deed by itself.
      const outcome = "content" in whole || run.length === 1 ? whole : await takeEach(content, place, run);
      if (!("content" in outcome)) return outcome;
      content = outcome.content;
      place = placeAfter(run, place);
    }
    return { content };
  }

  async function takeEach(
    content: Content | null,
    place: NotePath | null,
    run: readonly Deed[],
  ): Promise<Outcome> {
    let outcome: Outcome = { content };
    for (const deed of run) {
      if (!("content" in outcome)) return outcome;
      outcome = await takeStep(outcome.content, place, joined([deed]));
    }
    return outcome;
  }

  async function takeStep(content: Content | null, place: NotePath | null, step: Step): Promise<Outcome> {
    const { before, after } = step;
    if (!before) {
      if (!content) return { content };
      const reason = step.outside
        ? "it was found there, so taking that back would delete it"
        : place !== after?.path
          ? "it has been moved since it was made"
          : !(await isSame(content, after, step.to))
            ? "it has been edited since it was made"
            : null;
      return reason === null ? { content: null } : { reason, then: null };
    }
    const bytes = await parts.history.blob(before.version);
    if (!bytes) return { reason: "its earlier text is no longer in the history", then: null };
    const then: Content = { bytes, at: step.from, path: before.path };
    if (!after) {
      if (!content) return { content: then };
      if (await isSame(content, before, step.from)) return { content };
      return { reason: "another note has taken its place since it was deleted", then: bytes };
    }
    if (!content) return { reason: "it has been deleted since", then: bytes };
    if (await isSame(content, after, step.to)) return { content: then };
    if (before.version === after.version || (await isSame(content, before, step.from))) return { content };
    const merged = await mergedWith(content, after, step.to, then);
    return merged ? { content: merged } : { reason: "the same lines have been edited since", then: bytes };
  }

  /** Whether the content is that state, but for links that were rewritten because other notes moved. */
  async function isSame(content: Content, state: NonNullable<State>, at: number): Promise<boolean> {
    if (parts.versionOf(content.bytes) === state.version) return true;
    if (names.moves(content.at).size === 0 && names.moves(at).size === 0) return false;
    const bytes = await parts.history.blob(state.version);
    const [one, other] = [textIn(content), bytes && textIn({ bytes, at, path: state.path })];
    return one !== null && one === other;
  }

  // In the names of the vault as it is to be, a link that was only rewritten is no difference.
  async function mergedWith(
    content: Content,
    after: NonNullable<State>,
    at: number,
    then: Content,
  ): Promise<Content | null> {
    const bytes = await parts.history.blob(after.version);
    if (!bytes) return null;
    const texts = [{ bytes, at, path: after.path }, content, then];
    const found = merged(texts.map(textIn));
    if (found !== null) return { bytes: encodeText(found), at: names.target, path: to! };
    // Where a move that stays left links as they were, the texts fit as they are.
    const plain =
      names.moves(names.target - 1).size === 0 ? merged(texts.map((it) => decodeText(it.bytes))) : null;
    return plain === null ? null : { bytes: encodeText(plain), at: names.target, path: to! };
  }

  function textIn({ bytes, at, path }: Content): string | null {
    const text = decodeText(bytes);
    return text === null ? null : names.translated(text, at, path, to ?? path);
  }

  function settled(content: Content): Uint8Array {
    const text = names.moves(content.at).size === 0 ? null : textIn(content);
    return text === null ? content.bytes : encodeText(text);
  }
}

function merged([base, ours, theirs]: readonly (string | null)[]): string | null {
  if (base == null || ours == null || theirs == null) return null;
  const result = merge3(base, ours, theirs);
  return "text" in result ? result.text : null;
}

/** Deeds (newest first) in groups: edits and moves with nothing between them belong together. */
function runsOf(undone: readonly Deed[]): Deed[][] {
  const runs: Deed[][] = [];
  for (const deed of undone) {
    const newer = runs.at(-1)?.at(-1);
    const follows =
      newer?.before && newer.after && deed.before && deed.after?.version === newer.before.version;
    if (follows && deed.after?.path === newer.before?.path) runs.at(-1)!.push(deed);
    else runs.push([deed]);
  }
  return runs;
}

function joined(run: readonly Deed[]): Step {
  const [newest, oldest] = [run[0]!, run.at(-1)!];
  return {
    before: oldest.before,
    after: newest.after,
    from: oldest.at - 1,
    to: newest.at,
    outside: oldest.revision.surface === "outside",
  };
}
