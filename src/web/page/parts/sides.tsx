/** A diff as two texts side by side, each with what the other does not have marked; one below the other where there is no room. */

import type { ComponentChildren } from "preact";
import type { DiffPart, TextDiff } from "../../../markdown/diff-value.ts";
import { Diff } from "./diff.tsx";

type Side = { title: string; children: ComponentChildren };

/** The diff leads from theirs to mine. What can be done stands below each. */
export const Sides = ({ diff, theirs, mine }: { diff: TextDiff; theirs: Side; mine: Side }) => (
  <div class="sides">
    <section aria-label={theirs.title}>
      <h2>{theirs.title}</h2>
      <Diff diff={without("added", diff)} />
      <div class="acts">{theirs.children}</div>
    </section>
    <section aria-label={mine.title}>
      <h2>{mine.title}</h2>
      <Diff diff={without("removed", diff)} />
      <div class="acts">{mine.children}</div>
    </section>
  </div>
);

const without = (kind: "added" | "removed", diff: TextDiff): TextDiff => {
  const rest = <T extends { kind: string }>(pieces: readonly T[]): T[] =>
    pieces.filter((piece) => piece.kind !== kind);
  const parts = diff.parts.map((part): DiffPart => {
    if (part.kind === "prose") return { ...part, pieces: rest(part.pieces) };
    if (part.kind === "lines") return { ...part, rows: rest(part.rows) };
    if (part.kind === "skipped") return part;
    return {
      ...part,
      fields: part.fields
        .map((field) => ({ ...field, pieces: rest(field.pieces) }))
        .filter(({ pieces }) => pieces.length > 0),
    };
  });
  return { ...diff, parts };
};
