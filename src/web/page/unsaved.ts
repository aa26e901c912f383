/** Notes that somebody wrote in and did not save. Each opening of an editor has a draft of its own, so that none is written over another. */

import type { App } from "./app.ts";
import { draftsOf, type Draft } from "./drafts.ts";
import { noteAddress } from "./route.ts";

/** `name`: what its draft is called. */
export type Unsaved = Draft & { name: string; path: string };

/** No path holds a line break. */
const BREAK = "\n";
const NOTE = "note ";

export const newName = (path: string): string =>
  `${NOTE}${path}${BREAK}${Date.now()} ${Math.random().toString(36).slice(2)}`;

/** What somebody wrote in one note, or in any; newest first. */
export const unsavedOf = (app: App, path?: string): Unsaved[] => {
  const drafts = draftsOf(app);
  const begins = path === undefined ? NOTE : `${NOTE}${path}${BREAK}`;
  const found = drafts.below(begins).flatMap((rest) => {
    const name = begins + rest;
    const draft = drafts.of(name);
    return draft ? [{ ...draft, name, path: name.slice(NOTE.length, name.indexOf(BREAK)) }] : [];
  });
  return found.toSorted((one, other) => other.at - one.at);
};

/** Where a person goes on writing. */
export const writingAddress = ({ path, version }: Unsaved): string =>
  noteAddress(path, version === null ? "new" : "edit");
