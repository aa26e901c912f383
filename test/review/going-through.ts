/** What must hold of one writing tool, called by somebody who proposes: wherever the notes are, on disk or at the edge. */

import { expect } from "vitest";

type Answer = { isError?: boolean; texts: string[] };
type Told = { author: string; tool?: string; message: string; changes: { path: string; from?: string }[] };

/** A vault, and what can be asked of it. */
export type Reviewed = {
  call(surface: string, tool: string, input: object): Promise<Answer>;
  /** Every file, byte for byte. */
  state(): Promise<unknown>;
  /** What the history's line holds, newest first. */
  revisions(): Promise<string[]>;
  latest(): Promise<Told>;
  waiting(): Promise<string[]>;
  settled(): Promise<unknown[]>;
  accept(id: string): Promise<string | null>;
  decline(id: string): Promise<void>;
  /** Chance begins anew, as it did for whoever writes at once. */
  beginAnew(): Promise<void>;
};

/** What names a revision differs: a proposal has none. */
const withoutRevision = (texts: readonly string[]): string[] =>
  texts.map((text) => text.replace(/\n?\brevision [0-9a-f]{8}$/m, "").replace(/\b[0-9a-f]{40}\b/g, "REV"));

const onlyOne = async ({ waiting }: Reviewed): Promise<string> => {
  const ids = await waiting();
  expect(ids).toHaveLength(1);
  return ids[0]!;
};

/** Nothing is written; accepted, it is byte for byte what the tool writes; declined, only a line is left. */
export async function goThrough(
  writes: Reviewed,
  proposes: Reviewed,
  [surface, tool, input]: readonly [string, string, object],
): Promise<void> {
  const [before, revisions] = [await proposes.state(), await proposes.revisions()];
  const [written, proposed] = [
    await writes.call(surface, tool, input),
    await proposes.call(surface, tool, input),
  ];
  expect(written.isError, written.texts[0]).toBeFalsy();
  const id = await onlyOne(proposes);
  expect(proposed.texts.at(-1)).toBe(`Not written yet: waiting for the owner as proposal ${id}.`);
  expect(withoutRevision(proposed.texts.slice(0, -1))).toEqual(withoutRevision(written.texts));
  await proposes.decline(id);
  expect(await proposes.state()).toEqual(before);
  expect(await proposes.revisions()).toEqual(revisions);
  expect(await proposes.waiting()).toEqual([]);
  expect(await proposes.settled()).toMatchObject([{ outcome: "declined", client: "claude" }]);

  await proposes.beginAnew();
  await proposes.call(surface, tool, input);
  expect(await proposes.state()).toEqual(before);
  expect(await proposes.revisions()).toEqual(revisions);
  const revision = await proposes.accept(await onlyOne(proposes));
  expect(await proposes.state()).toEqual(await writes.state());
  // What was there and was never recorded may be recorded before it.
  const line = await proposes.revisions();
  expect([line[0], line.length]).toEqual([revision, (await writes.revisions()).length]);
  expect(line.slice(-revisions.length)).toEqual(revisions);
  const [mine, theirs] = [await proposes.latest(), await writes.latest()];
  expect(mine).toMatchObject({ author: "claude", tool, message: theirs.message });
  const moves = ({ changes }: Told) => changes.map(({ path, from }) => [path, from]);
  expect(moves(mine)).toEqual(moves(theirs));
  expect(await proposes.waiting()).toEqual([]);
}
