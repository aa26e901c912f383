/** What a person made of the notes of a proposal: kept on the page, and in the browser like any draft, until the note is accepted or declined, here or elsewhere. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp, type App } from "./app.ts";
import { draftsOf, type Draft } from "./drafts.ts";

export type Edits = {
  of(path: string): Draft | null;
  /** `version`: the one that is there now, which the person was shown. */
  type(path: string, text: string, version: string | null): void;
  /** All of them, with what was typed last. */
  all(): (Draft & { path: string })[];
  drop(path: string): void;
};

/** Milliseconds after the last key until what was typed is kept, and the page is drawn with it. */
const PAUSE = 300;
const OF_PROPOSALS = "proposal ";

export const useProposalEdits = (id: string): Edits => {
  const app = useApp();
  const drafts = draftsOf(app);
  // The browser's own room may be full: what was typed since the screen was opened is on the page, too.
  const made = useSignal<ReadonlyMap<string, Draft>>(new Map());
  const typed = useRef(new Map<string, Draft>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const place = (path: string): string => `${OF_PROPOSALS}${id} ${path}`;
  const of = (path: string): Draft | null => made.value.get(path) ?? drafts.of(place(path));
  const keep = (): void => {
    clearTimeout(timer.current);
    if (typed.current.size === 0) return;
    for (const [path, draft] of typed.current) drafts.keep(place(path), draft);
    made.value = new Map([...made.value, ...typed.current]);
    typed.current.clear();
  };
  useEffect(() => {
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [id]);
  return {
    of,
    type(path, text, version) {
      typed.current.set(path, { text, version, at: Date.now() });
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE);
    },
    all() {
      const paths = new Set([...typed.current.keys(), ...made.value.keys(), ...drafts.below(place(""))]);
      return [...paths].map((path) => ({ ...(typed.current.get(path) ?? of(path)!), path }));
    },
    drop(path) {
      typed.current.delete(path);
      drafts.drop(place(path));
      made.value = new Map([...made.value].filter(([other]) => other !== path));
    },
  };
};

/** Drops what was made of proposals that wait no more: they were settled elsewhere, or their time was over. */
export const dropSettled = (app: App, open: readonly { id: string }[]): void => {
  const ids = new Set(open.map(({ id }) => id.split("-", 1)[0]));
  const drafts = draftsOf(app);
  for (const name of drafts.below(OF_PROPOSALS))
    if (!ids.has(name.split(" ", 1)[0])) drafts.drop(`${OF_PROPOSALS}${name}`);
};
