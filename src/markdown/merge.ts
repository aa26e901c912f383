/** Two changed copies of one text put together, line by line, where their changes stand apart. */

import { lineChanges, linesOf } from "./diff.ts";

/** Lines that both copies changed, as they are in the common text and in each copy. `line` is where they begin in the common text, counted from 1. */
export type Conflict = { base: string; ours: string; theirs: string; line: number };

export function merge3(
  base: string,
  ours: string,
  theirs: string,
): { text: string } | { conflicts: Conflict[] } {
  const lines = linesOf(base);
  const copies = { ours: linesOf(ours), theirs: linesOf(theirs) };
  const changes = (["ours", "theirs"] as const)
    .flatMap((side) => lineChanges(lines, copies[side]).map((change) => ({ ...change, side })))
    .toSorted((one, other) => one.from - other.from);

  const parts: string[] = [];
  const conflicts: Conflict[] = [];
  // How far each copy's lines have run ahead of the common ones.
  let shift = { ours: 0, theirs: 0 };
  let at = 0;
  for (let index = 0; index < changes.length;) {
    const { from } = changes[index]!;
    // Changes that overlap or adjoin, from either side, are judged as one: side by side they may contradict each other.
    let to = from;
    const after = { ...shift };
    for (; index < changes.length && changes[index]!.from <= to; index++) {
      const change = changes[index]!;
      to = Math.max(to, change.to);
      after[change.side] = change.newTo - change.to;
    }
    const common = lines.slice(from, to).join("");
    const mine = copies.ours.slice(from + shift.ours, to + after.ours).join("");
    const other = copies.theirs.slice(from + shift.theirs, to + after.theirs).join("");
    parts.push(lines.slice(at, from).join(""));
    if (mine === other || other === common) parts.push(mine);
    else if (mine === common) parts.push(other);
    else conflicts.push({ base: common, ours: mine, theirs: other, line: from + 1 });
    shift = after;
    at = to;
  }
  parts.push(lines.slice(at).join(""));
  return conflicts.length > 0 ? { conflicts } : { text: parts.join("") };
}
