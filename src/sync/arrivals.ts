/** Names that the target would not take: they are told before anything is sent, also in a dry run. Pure (decision 34). */

import { NoteError } from "../markdown/errors.ts";
import { folderOf, notePath, type NotePath } from "../notebook/paths.ts";
import { folderRefusal, twinRefusal } from "../notebook/puts.ts";
import { fold } from "../notebook/resolve.ts";
import type { Step } from "./plan.ts";

export type Refused = { path: NotePath; reason: string };

/** `held` are the paths of the target. What only the target knows, such as folders without notes, it refuses itself. */
export function arriving(
  steps: readonly Step[],
  held: readonly string[],
): { steps: Step[]; refused: Refused[] } {
  const spellings = spellingsOf(held);
  const taken: Step[] = [];
  const refused: Refused[] = [];
  for (const step of steps) {
    const trouble = nameTrouble(step.path) ?? placeTrouble(step, spellings);
    if (trouble) refused.push({ path: step.path, reason: trouble.message });
    else {
      taken.push(step);
      if (step.do !== "remove") spellings.add(step.path);
    }
  }
  return { steps: taken, refused };
}

function nameTrouble(path: string): NoteError | null {
  try {
    notePath(path);
    return null;
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
}

type Spellings = { add(path: string): void; twinOf(path: string): string | null };

function placeTrouble(step: Step, { twinOf }: Spellings): NoteError | null {
  const { path } = step;
  if (step.do === "move" && fold(step.from) === fold(path)) return folderRefusal(path, step.from);
  const twin = step.do === "move" || step.do === "create" ? twinOf(path) : null;
  return twin === null ? null : twinRefusal(path, twin);
}

/** Every path and the folders on its way, by how they fold. */
function spellingsOf(held: readonly string[]): Spellings {
  const known = new Map<string, Set<string>>();
  const add = (path: string): void => {
    for (let part = path; part !== ""; part = folderOf(part)) {
      const same = known.get(fold(part));
      if (same?.has(part)) return;
      if (same) same.add(part);
      else known.set(fold(part), new Set([part]));
    }
  };
  for (const path of held) add(path);
  return {
    add,
    twinOf(path) {
      for (let part = path; part !== ""; part = folderOf(part)) {
        const same = known.get(fold(part));
        if (same) return same.has(part) ? null : [...same][0]!;
      }
      return null;
    },
  };
}
