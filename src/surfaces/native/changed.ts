/** A Changeset as an answer: what was done to which note, the versions to go on from, and the diff where it was only tried. */

import { unifiedDiff } from "../../markdown/diff.ts";
import { escaped } from "../../markdown/label.ts";
import type { Change, Changeset } from "../../notebook/change.ts";
import { noteHandle } from "../../notebook/handle.ts";
import type { Note } from "../../notebook/note.ts";
import { isNote } from "../../notebook/paths.ts";
import { sayIssue } from "../../notebook/rules.ts";
import type { Worded } from "../surface.ts";
import { plural, firstOf, withoutEmpty, shortRevision, truncated } from "./say.ts";

const NOTES_SHOWN = 50;
const NAMED = 5;
/** The room for all diffs of one answer together. */
export const DIFF_ROOM = 8000;

type Outcome = "created" | "changed" | "unchanged" | "moved" | "deleted";

const outcomeOf = ({ from, before, after }: Change): Outcome => {
  if (from !== undefined) return "moved";
  if (!after) return "deleted";
  if (!before) return "created";
  return before.version === after.version ? "unchanged" : "changed";
};

/** `sentences`: those of the tool's own, which stand first; `data`: what the tool adds to the structured answer. */
export function changedAnswer(set: Changeset, sentences: string[] = [], data: object = {}): Worded {
  const asked = set.changes.filter((change) => change.why === "asked");
  const relinked = set.backlinkers.filter((it) => it.rewritten).map((it) => it.path);
  const dangling = set.backlinkers.filter((it) => !it.rewritten).map((it) => it.path);
  const there = asked.flatMap(({ after }) => (after ? [handleOf(after)] : []));
  const gone = asked.filter(({ after }) => !after).map(({ path }) => path);
  const broken = set.broken.map(({ path, verdict }) => `${path}: ${verdict.issues.map(sayIssue).join("; ")}`);
  const diff = set.dryRun ? diffOf(set.changes) : undefined;
  const structured = {
    notes: there.slice(0, NOTES_SHOWN),
    ...withoutEmpty({
      total: asked.length > NOTES_SHOWN && asked.length,
      deleted: gone.slice(0, NOTES_SHOWN),
      unchanged: asked.length > 0 && asked.every((change) => outcomeOf(change) === "unchanged"),
      revision: set.revision && shortRevision(set.revision),
      dry_run: set.dryRun,
      diff,
      links_rewritten: relinked.slice(0, NOTES_SHOWN),
      links_left: dangling.slice(0, NOTES_SHOWN),
      trash: set.trash,
      may_refer: set.mayRefer.slice(0, NOTES_SHOWN),
      broken_rules: broken.slice(0, NOTES_SHOWN),
      ...data,
    }),
  };
  const lines = [
    ...(set.dryRun ? ["Dry run, nothing was written. It would be:"] : []),
    ...sentences.map(escaped),
    ...asked.slice(0, NAMED).map(lineFor),
    ...(asked.length > NAMED ? [`and ${plural(asked.length - NAMED, "more note")}`] : []),
    ...(set.trash === null ? [] : [`kept as ${escaped(set.trash)}`]),
    ...(relinked.length === 0
      ? []
      : [`links rewritten in ${plural(relinked.length, "note")}: ${escaped(firstOf(relinked, NAMED))}`]),
    ...(dangling.length === 0
      ? []
      : [
          `links left as they are in ${plural(dangling.length, "note")}: ${escaped(firstOf(dangling, NAMED))}`,
        ]),
    ...(set.mayRefer.length === 0
      ? []
      : [`may refer to it by its path, and are left as they are: ${escaped(firstOf(set.mayRefer, NAMED))}`]),
    ...(broken.length === 0 ? [] : [`rules now broken by ${escaped(firstOf(broken, NAMED))}`]),
    ...(set.revision === null ? [] : [`revision ${shortRevision(set.revision)}`]),
  ];
  return { text: [lines.join("\n"), ...(diff === undefined || diff === "" ? [] : [diff])], structured };
}

/** A version of an attachment is nobody's to name. */
const handleOf = (note: Note): string => (isNote(note.path) ? noteHandle(note) : note.path);

function lineFor(change: Change): string {
  const { path, from, after } = change;
  const handle = escaped(after ? handleOf(after) : path);
  return from === undefined ? `${outcomeOf(change)} ${handle}` : `moved ${escaped(from)} to ${handle}`;
}

/** The diffs of several notes one below the other, cut to the room there is. */
export function diffOf(changes: readonly Change[], room = DIFF_ROOM): string {
  const parts: string[] = [];
  let left = room;
  let unseen = 0;
  for (const { path, from, before, after } of changes.filter((change) => isNote(change.path))) {
    if (left <= 0) {
      unseen++;
      continue;
    }
    const names = { from: before ? (from ?? path) : "/dev/null", to: after ? path : "/dev/null" };
    const { text } = unifiedDiff(before?.text ?? "", after?.text ?? "", names);
    if (text === "") continue;
    parts.push(text.length > left ? `${truncated(text, left)}\n(cut)\n` : text);
    left -= text.length;
  }
  if (unseen > 0) parts.push(`(and ${plural(unseen, "more note")})\n`);
  return parts.join("");
}
