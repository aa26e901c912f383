/** One note without what is taken back: restored where nobody touched it since, else merged with what they wrote. */

import { merge3 } from "../../markdown/merge.ts";
import type { Steps } from "../../markdown/steps.ts";
import type { LinkRewriter } from "./links.ts";
import { currentName, placeAfter, type Target } from "./target.ts";
import type { TimelineEvent, State } from "./timeline.ts";
import { decodeText, encodeText } from "../note.ts";
import type { Parts, Version } from "../parts.ts";
import { isNote, type NotePath } from "../paths.ts";
import { pointsTo } from "../pointer.ts";
import { inTurns } from "../turns.ts";

/** Why one note cannot be taken back: both sides, so that a person can choose. A side that is no text, or not there, is null. */
export type UndoConflict = { path: NotePath; reason: string; now: string | null; earlier: string | null };

type Content = {
  bytes: Uint8Array;
  version: Version;
  /** With its links as they are to be; null where it is no text. */
  text(): Promise<string | null>;
};
/** One event, or several that follow each other, taken as one. `at` and `since` as in TimelineEvent, of the newest and the oldest. */
type Run = Pick<TimelineEvent, "before" | "after" | "at" | "since"> & { outside: boolean };
type Outcome = { content: Content | null } | { reason: string; earlier: Content | null };

export async function takeBack(
  parts: Parts,
  target: Target,
  links: LinkRewriter,
): Promise<{ bytes: Uint8Array | null } | { conflict: UndoConflict }> {
  const { note, here, to, undone } = target;
  const contents = contentsOf(parts, target, links);
  const outcome = await takeAll(contents.present());
  if ("content" in outcome) return { bytes: outcome.content && (await withLinks(outcome.content)) };
  const first = undone.at(-1)!.before;
  // What has been taken back before is as it was: there is nothing to refuse.
  if (to === here && note?.version === first?.version && here === (first?.path ?? null))
    return { bytes: note?.bytes ?? null };
  const { reason, earlier } = outcome;
  return {
    conflict: {
      path: currentName(target),
      reason,
      now: note && isNote(note.path) ? note.text : null,
      earlier: earlier && isNote(currentName(target)) ? decodeText(earlier.bytes) : null,
    },
  };

  async function takeAll(content: Content | null): Promise<Outcome> {
    let place = here;
    for (const run of runsOf(undone)) {
      const whole = await takeRun(content, place, joined(run));
      // What was taken back in part already does not fit the run as a whole, but each event by itself.
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
    run: readonly TimelineEvent[],
  ): Promise<Outcome> {
    let outcome: Outcome = { content };
    for (const event of run) {
      if (!("content" in outcome)) return outcome;
      outcome = await takeRun(outcome.content, place, joined([event]));
    }
    return outcome;
  }

  async function takeRun(content: Content | null, place: NotePath | null, event: Run): Promise<Outcome> {
    const { before, after } = event;
    if (!before) {
      if (!content) return { content };
      const reason = event.outside
        ? "it was found there, so taking that back would delete it"
        : place !== after?.path
          ? "it has been moved since it was made"
          : !(await contents.isSame(content, after, event.at))
            ? "it has been edited since it was made"
            : null;
      return reason === null ? { content: null } : { reason, earlier: null };
    }
    const earlier = await contents.past(before, event.since);
    if (!earlier) return { reason: "its earlier text is no longer in the history", earlier };
    if (!after) {
      if (!content) return { content: earlier };
      if (await contents.isSame(content, before, event.since)) return { content };
      return { reason: "another note has taken its place since it was deleted", earlier };
    }
    if (!content) return { reason: "it has been deleted since", earlier };
    if (
      pointsTo(after.path, content.bytes) &&
      content.version !== after.version &&
      content.version !== before.version
    )
      return { reason: "its bytes have changed since", earlier: null };
    if (await contents.isSame(content, after, event.at)) return { content: earlier };
    if (before.version === after.version || (await contents.isSame(content, before, event.since)))
      return { content };
    const merged = await contents.merged(await contents.past(after, event.at), content, earlier);
    return merged ? { content: merged } : { reason: "the same lines have been edited since", earlier };
  }
}

/** The texts of one note, now and at its steps, with their links as they are to be. */
type Contents = {
  present(): Content | null;
  past(state: NonNullable<State>, since: number): Promise<Content | null>;
  isSame(content: Content, state: NonNullable<State>, since: number): Promise<boolean>;
  merged(base: Content | null, ours: Content, theirs: Content): Promise<Content | null>;
};

function contentsOf(parts: Parts, { note, here, to, timeline }: Target, links: LinkRewriter): Contents {
  return { present: presentContent, past: pastContent, isSame, merged: mergedWith };

  function presentContent(): Content | null {
    if (!note || here === null) return null;
    // An edit that the history has not seen is as young as can be.
    const last = timeline.events.at(-1)!.at;
    const since = note.version === timeline.state?.version ? last : last + 1;
    return contentOf(note.bytes, note.version, (text) => links.present(text, since, here, to ?? here));
  }

  async function pastContent(state: NonNullable<State>, since: number): Promise<Content | null> {
    const bytes = await parts.history.blob(state.version);
    return (
      bytes &&
      contentOf(bytes, state.version, (text) => links.past(text, since, state.path, to ?? state.path))
    );
  }

  /** Whether the content is that state, but for links that were rewritten because other notes moved. */
  async function isSame(content: Content, state: NonNullable<State>, since: number): Promise<boolean> {
    if (content.version === state.version) return true;
    if (links.still) return false;
    const text = (await (await pastContent(state, since))?.text()) ?? null;
    return text !== null && text === (await content.text());
  }

  // With links as they are to be, one that was only rewritten is no difference.
  async function mergedWith(base: Content | null, ours: Content, theirs: Content): Promise<Content | null> {
    if (!base) return null;
    const texts = [base, ours, theirs];
    const found =
      merged([await base.text(), await ours.text(), await theirs.text()]) ??
      // Where a move that stays left links as they were, the texts fit as they are.
      (links.moves.size === 0 ? merged(texts.map(({ bytes }) => decodeText(bytes))) : null);
    if (found === null) return null;
    const bytes = encodeText(found);
    return { bytes, version: parts.versionOf(bytes), text: async () => found };
  }
}

function contentOf(bytes: Uint8Array, version: Version, relinked: (text: string) => Steps<string>): Content {
  let known: string | null | undefined;
  return {
    bytes,
    version,
    async text() {
      if (known !== undefined) return known;
      const text = decodeText(bytes);
      return (known = text === null ? null : await inTurns(relinked(text)));
    },
  };
}

async function withLinks({ bytes, text }: Content): Promise<Uint8Array> {
  const wanted = await text();
  return wanted === null ? bytes : encodeText(wanted);
}

function merged([base, ours, theirs]: readonly (string | null)[]): string | null {
  if (base == null || ours == null || theirs == null) return null;
  const result = merge3(base, ours, theirs);
  return "text" in result ? result.text : null;
}

/** Events (newest first) in groups: edits and moves with nothing between them belong together. */
function runsOf(undone: readonly TimelineEvent[]): TimelineEvent[][] {
  const runs: TimelineEvent[][] = [];
  for (const event of undone) {
    const newer = runs.at(-1)?.at(-1);
    const follows = newer?.before && newer.after && event.before && event.at === newer.since;
    if (follows) runs.at(-1)!.push(event);
    else runs.push([event]);
  }
  return runs;
}

function joined(run: readonly TimelineEvent[]): Run {
  const [newest, oldest] = [run[0]!, run.at(-1)!];
  return {
    before: oldest.before,
    after: newest.after,
    at: newest.at,
    since: oldest.since,
    outside: oldest.revision.surface === "outside",
  };
}
