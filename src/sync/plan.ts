/** What is to be carried from one copy of a vault to another, by versions: from what each has, and what both last agreed on. Pure (decision 34). */

import type { Held, Unread } from "../notebook/copies.ts";
import type { Version } from "../notebook/parts.ts";
import { folderOf, type NotePath } from "../notebook/paths.ts";
import { twinRefusal } from "../notebook/puts.ts";
import { fold } from "../notebook/resolve.ts";
import { arriving, type Refused } from "./arrivals.ts";
import { keyOf, type Agreed, type Line, type Where } from "./agreed.ts";
import type { Whole } from "./side.ts";

/** One note that is to be changed in the target. `path` is as the target has it, where it has it. */
export type Step =
  | { do: "create" | "update"; path: NotePath; source: Held; expect: Version | null }
  | { do: "move"; path: NotePath; from: NotePath; source: Held; expect: Version }
  | { do: "merge"; path: NotePath; source: Held; target: Held; base: Version | null }
  | { do: "remove"; path: NotePath; expect: Version };

export type Carrying = {
  steps: Step[];
  /** What both have, and is not known yet to be agreed on; and what neither has any more. */
  agreed: Line[];
  /** Notes that only the target has changed, added or removed: they wait for the other way. */
  waiting: number;
  /** Notes that the source could not read, or the target while the source has them or both had: nothing is done to them, for what is not known is not gone. */
  left: Left[];
  /** Notes whose names the target would not take. */
  refused: Refused[];
  /** What each copy has, by path. */
  held: { source: ReadonlyMap<string, Version>; target: ReadonlyMap<string, Version> };
};

/** `in`: the copy that could not read it. */
export type Left = { path: NotePath; in: "source" | "target"; why: Unread["why"] };

type Pair = { source: Held | null; target: Held | null };
type HeldBy = Pick<Whole, "notes" | "unread">;

/** `to` says which copy is the target. */
export function planCarrying(source: HeldBy, target: HeldBy, agreed: Agreed, to: Where): Carrying {
  const steps: Step[] = [];
  const lines: Line[] = [];
  const left: Left[] = [];
  const twins: Refused[] = [];
  let waiting = 0;
  const [fromSource, fromTarget] = [unreadIn(source), unreadIn(target)];
  for (const [key, pair] of pairsOf(source.notes, target.notes, agreed)) {
    const [here, there] = [fromSource(key), fromTarget(key)];
    const why = here ?? there;
    if (why !== null) {
      const path = pair.source?.path ?? pair.target?.path ?? (key as NotePath);
      left.push({ path, in: here === null ? "target" : "source", why });
      continue;
    }
    const [s, t] = [pair.source?.version ?? null, pair.target?.version ?? null];
    // What is agreed on is known by the other spelling, and no copy takes both.
    if (key !== keyOf(key)) {
      if (s !== null && s !== t)
        twins.push({ path: key as NotePath, reason: twinRefusal(key, keyOf(key)).message });
      continue;
    }
    const base = agreed.version(key, to === "there" ? { here: s, there: t } : { here: t, there: s });
    if (s === t) {
      if (s !== base) lines.push({ path: key, version: s });
    } else if (s === base) waiting++;
    else if (t === base || t === null) steps.push(...taken(pair, base));
    // What one removed and the other changed stays.
    else if (s === null) waiting++;
    else
      steps.push({
        do: "merge",
        path: pair.target!.path,
        source: pair.source!,
        target: pair.target!,
        base,
      });
  }
  const { steps: going, refused } = arriving(
    withMoves(steps),
    target.notes.map(({ path }) => path),
  );
  return {
    steps: going,
    agreed: lines,
    waiting,
    left: [...left, ...unknownIn(source, left)],
    refused: [...refused, ...twins],
    held: { source: versionsOf(source.notes), target: versionsOf(target.notes) },
  };
}

/** Why a copy does not say what it has under a name; null where it does. */
function unreadIn({ unread }: HeldBy): (key: string) => Unread["why"] | null {
  const notes = new Map<string, Unread["why"]>();
  const folders: string[] = [];
  for (const { path, why } of unread) {
    if (why === "closed") folders.push(`${keyOf(path)}/`);
    else notes.set(keyOf(path), why);
  }
  return (key) =>
    notes.get(keyOf(key)) ?? (folders.some((folder) => keyOf(key).startsWith(folder)) ? "closed" : null);
}

/** What the source could not read and nobody else knows: the notes by name, and folders of which no note is named. */
function unknownIn({ unread }: HeldBy, left: readonly Left[]): Left[] {
  const named = new Set(left.flatMap(({ path }) => [keyOf(path), ...foldersOf(keyOf(path))]));
  return unread
    .filter(({ path }) => !named.has(keyOf(path)))
    .map(({ path, why }) => ({ path: path as NotePath, in: "source", why }));
}

function foldersOf(path: string): string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : [folder, ...foldersOf(folder)];
}

const versionsOf = (notes: readonly Held[]): Map<string, Version> =>
  new Map(notes.map(({ path, version }) => [path, version]));

/** The target takes what the source has: it has not changed since both agreed, or has it no more while the source went on. */
function taken({ source, target }: Pair, base: Version | null): Step[] {
  if (source)
    return [
      {
        do: target ? "update" : "create",
        path: target?.path ?? source.path,
        source,
        expect: target?.version ?? null,
      },
    ];
  return target && base !== null ? [{ do: "remove", path: target.path, expect: target.version }] : [];
}

/** Every note that either has, or that both had, under one key. */
function pairsOf(source: readonly Held[], target: readonly Held[], agreed: Agreed): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  const pairAt = (key: string): Pair => {
    const pair = pairs.get(key) ?? { source: null, target: null };
    pairs.set(key, pair);
    return pair;
  };
  const add = (side: keyof Pair, held: Held): void => {
    const pair = pairAt(keyOf(held.path));
    const other = pair[side];
    if (other === null) pair[side] = held;
    else {
      // Two spellings of one name beside each other are two notes: the one that is not the key has a key of its own.
      const [named, twin] = held.path === keyOf(held.path) ? [held, other] : [other, held];
      pair[side] = named;
      pairAt(twin.path)[side] = twin;
    }
  };
  for (const held of source) add("source", held);
  for (const held of target) add("target", held);
  for (const { path } of agreed.lines()) pairAt(keyOf(path));
  return pairs;
}

type Goes = Step & { do: "remove" };
type Comes = Step & { do: "create" | "update" };

/**
 * A note that goes and one that comes are one that was moved, and its past goes with it, where their names differ only in case or Unicode
 * form: no store has both beside each other. So are two with the same text, and no other with it.
 */
function withMoves(steps: readonly Step[]): Step[] {
  const moved = new Map<Step, Step | null>();
  const move = (gone: Goes, come: Comes): void => {
    const { path, source } = come;
    moved.set(come, { do: "move", path, from: gone.path, source, expect: gone.expect });
    moved.set(gone, null);
  };
  const left = (): { goes: Goes[]; comes: Comes[] } => ({
    goes: steps.filter((step): step is Goes => step.do === "remove" && !moved.has(step)),
    comes: steps.filter((step): step is Comes => step.do === "create" && !moved.has(step)),
  });
  const named = left();
  const byName = grouped(named.goes, ({ path }) => fold(path));
  for (const come of named.comes) {
    const gone = byName.get(fold(come.path))?.shift();
    if (gone) move(gone, come);
  }
  const { goes, comes } = left();
  const byText = grouped(goes, ({ expect }) => expect);
  const texts = grouped(
    comes.filter(({ source }) => source.size > 0),
    ({ source }) => source.version,
  );
  for (const [version, [come, ...more]] of texts) {
    const [gone, ...others] = byText.get(version) ?? [];
    if (gone && come && more.length + others.length === 0) move(gone, come);
  }
  return steps.flatMap((step) => {
    const instead = moved.get(step);
    return instead === undefined ? [step] : instead === null ? [] : [instead];
  });
}

function grouped<T>(all: readonly T[], keyIn: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyIn(one));
    if (group) group.push(one);
    else groups.set(keyIn(one), [one]);
  }
  return groups;
}
