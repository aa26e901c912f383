/** What a person made of the notes of a proposal: kept on the page, and in the browser like any draft, until the note is accepted or declined. */

import type { Signal } from "@preact/signals";
import type { App } from "./app.ts";
import { draftsOf, type Draft } from "./drafts.ts";

export type Made = ReadonlyMap<string, Draft>;
export type Edits = {
  of(path: string): Draft | null;
  /** `version`: the one that is there now, which the person was shown. */
  keep(path: string, text: string, version: string | null): void;
  drop(path: string): void;
  all(): (Draft & { path: string })[];
};

/** `made` is what was typed since the screen was opened: the browser's own room may be full. */
export const proposalEdits = (app: App, id: string, made: Signal<Made>): Edits => {
  const drafts = draftsOf(app);
  const place = (path: string): string => `proposal ${id} ${path}`;
  const of = (path: string): Draft | null => made.value.get(path) ?? drafts.of(place(path));
  return {
    of,
    keep(path, text, version) {
      const draft = { text, version, at: Date.now() };
      drafts.keep(place(path), draft);
      made.value = new Map(made.value).set(path, draft);
    },
    drop(path) {
      drafts.drop(place(path));
      made.value = new Map([...made.value].filter(([other]) => other !== path));
    },
    all: () =>
      [...new Set([...made.value.keys(), ...drafts.below(place(""))])].map((path) => ({
        ...of(path)!,
        path,
      })),
  };
};
