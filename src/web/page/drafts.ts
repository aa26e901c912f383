/** Drafts: what a person typed and has not saved is remembered until it is saved or dropped. */

import type { App } from "./app.ts";

/** `version`: which one it was written on; null for a new note. */
export type Draft = { text: string; version: string | null; at: number };

export type Drafts = {
  of(name: string): Draft | null;
  /** Whether the browser has room for it; else it is kept until this page is closed. */
  keep(name: string, draft: Draft): boolean;
  drop(name: string): void;
  /** What follows, of all names that begin so. */
  below(begins: string): string[];
};

export const DRAFTS = "draft ";
const keyOf = (name: string): string => `${DRAFTS}${name}`;

export const draftsOf = (app: App): Drafts => ({
  of(name) {
    try {
      const draft = JSON.parse(app.remembered(keyOf(name)) ?? "null") as Draft | null;
      return draft && typeof draft.text === "string" ? draft : null;
    } catch {
      return null;
    }
  },
  keep(name, draft) {
    app.remember(keyOf(name), JSON.stringify(draft));
    return !app.isHereAlone(keyOf(name));
  },
  drop: (name) => app.forget(keyOf(name)),
  below: (begins) => app.rememberedBelow(keyOf(begins)),
});
