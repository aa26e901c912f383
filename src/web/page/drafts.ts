/** Drafts: what a person typed and has not saved stays in the browser until it is saved or dropped. */

import type { App } from "./app.ts";

/** `version`: which one it was written on; null for a new note. */
export type Draft = { text: string; version: string | null; at: number };

export type Drafts = {
  of(path: string): Draft | null;
  keep(path: string, draft: Draft): void;
  drop(path: string): void;
  /** What follows, of all names that begin so. */
  below(begins: string): string[];
};

const nameOf = (path: string): string => `draft ${path}`;

export const draftsOf = (app: App): Drafts => ({
  of(path) {
    try {
      const draft = JSON.parse(app.remembered(nameOf(path)) ?? "null") as Draft | null;
      return draft && typeof draft.text === "string" ? draft : null;
    } catch {
      return null;
    }
  },
  keep(path, draft) {
    try {
      app.remember(nameOf(path), JSON.stringify(draft));
    } catch {
      // The browser's room is full: the text is still on the page.
    }
  },
  drop: (path) => app.forget(nameOf(path)),
  below: (begins) => app.rememberedBelow(nameOf(begins)),
});
