/** Refusing: a caller changes nothing outside its folders, and is told nothing of what changes there with it. */

import type { Plan } from "../change.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Inside } from "./inside.ts";

export function refuseOutside(paths: readonly string[], folders: readonly string[], inside: Inside): void {
  const outside = paths.find((path) => !inside(path));
  if (outside === undefined) return;
  const shown = folders.map((folder) => `"${folder}"`).join(", ");
  throw new NoteError(
    "path_refused",
    `The path ${JSON.stringify(outside.slice(0, 200))} lies outside the folders that you may use. Give a path in ${shown}.`,
    { path: outside.slice(0, 200), reason: "lies outside the folders that you may use" },
  );
}

export const shownOf = ({ changes, backlinkers, mayRefer = [] }: Plan, inside: Inside): Plan => ({
  mayRefer: mayRefer.filter(inside),
  changes: changes.filter(({ path }) => inside(path)),
  backlinkers: backlinkers.filter(({ path }) => inside(path)),
});

/** A refusal that speaks of a note outside: it says what is the matter, and not which note it is. */
export function withoutNames(error: unknown, inside: Inside): unknown {
  if (!(error instanceof NoteError) || error.code === "path_refused") return error;
  const { path } = error.details;
  if (typeof path !== "string" || inside(path)) return error;
  return new NoteError(
    error.code,
    "A note outside your folders links to this one and could not be changed with it, so nothing was changed.",
  );
}
