/** Carrying notes from one copy of a vault to another, a few at a time: each lot is in place, all of it, before it counts as agreed on (decision 34). */

import { NoteError } from "../markdown/errors.ts";
import { merge3 } from "../markdown/merge.ts";
import type { Brought } from "../notebook/copies.ts";
import { decodeText, encodeText } from "../notebook/note.ts";
import { NOTE_LIMIT, type Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { conflictName } from "../notebook/vault-path.ts";
import { keyOf, type Line, type Where } from "./agreed.ts";
import type { Carrying, Left, Step } from "./plan.ts";
import { MOST, MOST_BYTES, type Side } from "./side.ts";

export type How = {
  source: Side;
  target: Side;
  to: Where;
  versionOf(bytes: Uint8Array): Version;
  /** What is shown as done is only worked out. */
  dryRun: boolean;
  /** Keeps what is agreed on now. */
  record(lines: readonly Line[]): void;
  progress(done: number, total: number): void;
};

/** What became of one note. `copy`: where the text of the source is, beside a note that went another way. */
export type Done = {
  do: "create" | "update" | "move" | "merge" | "copy" | "remove" | "refuse";
  path: NotePath;
  from: NotePath | null;
  copy: NotePath | null;
  reason: string | null;
};

/** The version that each copy has at a path; of the target also what was put there meanwhile. */
type Known = { source: ReadonlyMap<string, Version>; target: Map<string, Version> };

/** One note on its way: what the target is brought, and what both then agree on. */
type Load = { done: Done; brought: Brought[]; lines: Line[] };

/** Refusals that are about one note: the others go on. */
const OF_ONE_NOTE = new Set(["version_conflict", "note_exists", "note_missing", "path_refused", "too_large"]);

const MEANWHILE = "it changed while this ran; run it again";

/** Removals come last: what was moved is in its new place before the old one goes. */
export async function carry(
  { steps, agreed, left, refused: names, held }: Carrying,
  how: How,
): Promise<Done[]> {
  if (!how.dryRun && agreed.length > 0) how.record(agreed);
  const all: Done[] = [];
  const ordered = steps.toSorted((a, b) => Number(a.do === "remove") - Number(b.do === "remove"));
  const known: Known = { source: held.source, target: new Map(held.target) };
  for (const lot of lotsOf(ordered)) {
    const loads = await loadsOf(lot, how, known);
    all.push(...(await delivered(loads, how)));
    how.progress(all.length, steps.length);
  }
  const others = [...names, ...left.map((one) => ({ path: one.path, reason: reasonOf(one, how.to) }))];
  return [...all, ...others.map(({ path, reason }) => refused(path, reason).done)];
}

/** Why a note is left alone. */
export const REASONS: Record<Left["why"], string> = {
  too_large: `it is larger than ${NOTE_LIMIT / 1024 / 1024} MiB`,
  refused: "it may not be read",
  failed: "it could not be read yet; run this again",
  closed: "the folder may not be listed",
};
const reasonOf = (left: Left, to: Where): string =>
  `${(left.in === "target") === (to === "here") ? "here" : "there"} ${REASONS[left.why]}`;

const sizeOf = (step: Step): number => (step.do === "remove" ? 0 : step.source.size);

/** A merge is a lot of its own: it is written down before it is done. */
function* lotsOf(steps: readonly Step[]): Generator<Step[]> {
  let lot: Step[] = [];
  let size = 0;
  for (const step of steps) {
    const alone = step.do === "merge" || lot[0]?.do === "merge";
    if (lot.length > 0 && (alone || lot.length === MOST || size + sizeOf(step) > MOST_BYTES)) {
      yield lot;
      [lot, size] = [[], 0];
    }
    lot.push(step);
    size += sizeOf(step);
  }
  if (lot.length > 0) yield lot;
}

const doneBy = (what: Done["do"], path: NotePath, more: Partial<Done> = {}): Done => ({
  do: what,
  path,
  from: null,
  copy: null,
  reason: null,
  ...more,
});

async function loadsOf(lot: readonly Step[], how: How, known: Known): Promise<Load[]> {
  const [first] = lot;
  if (first?.do === "merge") return [await merged(first, how, known)];
  const wanted = lot.flatMap((step) => (step.do === "remove" || step.do === "merge" ? [] : [step.source]));
  const texts = await textsOf(how.source, wanted, how);
  return lot.map((step): Load => {
    if (step.do === "remove")
      return {
        done: doneBy("remove", step.path),
        brought: [{ path: step.path, bytes: null, expect: step.expect }],
        lines: [{ path: keyOf(step.path), version: null }],
      };
    const { path, source, expect } = step as Exclude<Step, { do: "remove" | "merge" }>;
    const bytes = texts.get(source.path) ?? null;
    if (bytes === null) return refused(path, MEANWHILE);
    const from = step.do === "move" ? step.from : null;
    return {
      done: doneBy(step.do, path, { from }),
      brought: [{ path, ...(from === null ? {} : { from }), bytes, expect }],
      lines: [
        { path: keyOf(path), version: source.version },
        ...(from === null ? [] : [{ path: keyOf(from), version: null }]),
      ],
    };
  });
}

const refused = (path: NotePath, reason: string): Load => ({
  done: doneBy("refuse", path, { reason }),
  brought: [],
  lines: [],
});

/** The texts of these versions, each looked at: a side may be mistaken, or another program. */
async function textsOf(
  side: Side,
  wanted: readonly { path: NotePath; version: Version }[],
  { versionOf }: Pick<How, "versionOf">,
): Promise<Map<NotePath, Uint8Array>> {
  const texts = new Map<NotePath, Uint8Array>();
  const given = wanted.length === 0 ? [] : await side.read(wanted);
  wanted.forEach(({ path, version }, at) => {
    const bytes = given[at];
    if (bytes && versionOf(bytes) === version) texts.set(path, bytes);
  });
  return texts;
}

/** Both texts in one, where their changes stand apart; else that of the source beside that of the target. Either way the target then holds all of the source's. */
async function merged(step: Step & { do: "merge" }, how: How, known: Known): Promise<Load> {
  const { path, source, target, base } = step;
  const ours = (await textsOf(how.target, [target], how)).get(target.path);
  const theirs = (await textsOf(how.source, [source], how)).get(source.path);
  if (!ours || !theirs) return refused(path, MEANWHILE);
  const line: Line = { path: keyOf(path), version: source.version };
  const both = base === null ? null : await mergedText(base, ours, theirs, source.path, how);
  if (both !== null) {
    const bytes = encodeText(both);
    const version = how.versionOf(bytes);
    if (!how.dryRun) how.record([{ ...line, merged: version, at: how.to }]);
    const brought = version === target.version ? [] : [{ path, bytes, expect: target.version }];
    return { done: doneBy("merge", path), brought, lines: [line] };
  }
  // The other way may have been cut short: then the source has the target's text beside its own already.
  if (hasCopy(known.source, path, target.version))
    return {
      done: doneBy("update", path),
      brought: [{ path, bytes: theirs, expect: target.version }],
      lines: [line],
    };
  const isThere = hasCopy(known.target, path, source.version);
  const copy = copyOf(known.target, path, source.version);
  known.target.set(copy, source.version);
  return {
    done: doneBy("copy", path, { copy }),
    brought: isThere ? [] : [{ path: copy, bytes: theirs, expect: null }],
    lines: [line],
  };
}

const copyOf = (known: ReadonlyMap<string, Version>, path: NotePath, version: Version): NotePath =>
  conflictName(path, version, (name) => known.get(name) ?? null) as NotePath;

const hasCopy = (known: ReadonlyMap<string, Version>, path: NotePath, version: Version): boolean =>
  known.get(copyOf(known, path, version)) === version;

/** Null where their changes overlap, where one of them is no text, or where nobody has what both agreed on. */
async function mergedText(
  base: Version,
  ours: Uint8Array,
  theirs: Uint8Array,
  path: NotePath,
  how: How,
): Promise<string | null> {
  const wanted = [{ path, version: base }];
  const common =
    (await textsOf(how.source, wanted, how)).get(path) ?? (await textsOf(how.target, wanted, how)).get(path);
  const [before, mine, other] = [common && decodeText(common), decodeText(ours), decodeText(theirs)];
  if (before === null || before === undefined || mine === null || other === null) return null;
  const both = merge3(before, mine, other);
  return "text" in both ? both.text : null;
}

/** All together. Where that is refused for the sake of one note, the others go without it; where nobody says which it is, by halves. */
async function delivered(loads: readonly Load[], how: How): Promise<Done[]> {
  try {
    await deliver(loads, how);
    return loads.map(({ done }) => done);
  } catch (error) {
    if (!(error instanceof NoteError) || !OF_ONE_NOTE.has(error.code)) throw error;
    const [only] = loads;
    const meant = loads.length === 1 ? only : loads.find((load) => isAbout(load, error.details["path"]));
    if (meant) {
      const reason = error.code === "version_conflict" ? MEANWHILE : error.message;
      const others = loads.filter((load) => load !== meant);
      return [
        ...(others.length === 0 ? [] : await delivered(others, how)),
        refused(meant.done.path, reason).done,
      ];
    }
    const half = Math.ceil(loads.length / 2);
    return [...(await delivered(loads.slice(0, half), how)), ...(await delivered(loads.slice(half), how))];
  }
}

const isAbout = ({ brought }: Load, path: unknown): boolean =>
  typeof path === "string" && brought.some((one) => one.path === path || one.from === path);

async function deliver(loads: readonly Load[], { target, to, dryRun, record }: How): Promise<void> {
  if (dryRun) return;
  const brought = loads.flatMap((load) => load.brought);
  if (brought.length > 0) await target.apply(brought, messageFor(brought, to));
  record(loads.flatMap(({ lines }) => lines));
}

const messageFor = (brought: readonly Brought[], to: Where): string => {
  const verb = to === "there" ? "Push" : "Pull";
  const name = brought[0]!.path.replace(/\.md$/, "").slice(0, 150);
  return brought.length === 1
    ? `${verb} note: ${name}`
    : `${verb} ${brought.length} notes: ${name} and others`;
};
