/** The drafts of a note that is edited: the editor's own, and older ones until somebody takes or drops them. */

import { useSignal, type Signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { draftsOf } from "../drafts.ts";
import { newName, unsavedOf, type Unsaved } from "../unsaved.ts";

export type OwnDraft = {
  older: Signal<Unsaved[]>;
  /** Whether the browser had room for it when it was last kept. */
  isKept: Signal<boolean>;
  keep(text: string, version: string | null): void;
  drop(): void;
  dropOlder(draft: Unsaved): void;
  /** From now on that draft is the editor's own; what was in it stays as an older one. */
  exchange(draft: Unsaved): void;
};

/** `taken`: the draft with which the editor begins. */
export const useDrafts = (path: string, text: string, taken: Unsaved | undefined): OwnDraft => {
  const app = useApp();
  const drafts = draftsOf(app);
  const own = useRef(taken?.name ?? "");
  own.current ||= newName(path);
  const found = useMemo(() => {
    const others = unsavedOf(app, path).filter(({ name }) => name !== own.current);
    for (const same of others.filter((draft) => draft.text === text)) drafts.drop(same.name);
    return others.filter((draft) => draft.text !== text);
  }, []);
  const older = useSignal(found);
  const isKept = useSignal(true);
  return {
    older,
    isKept,
    keep(written, version) {
      isKept.value = drafts.keep(own.current, { text: written, version, at: Date.now() });
    },
    drop: () => drafts.drop(own.current),
    dropOlder(draft) {
      drafts.drop(draft.name);
      older.value = older.value.filter((one) => one !== draft);
    },
    exchange(draft) {
      const mine = drafts.of(own.current);
      const left = mine === null ? [] : [{ ...mine, name: own.current, path }];
      older.value = [...left, ...older.value.filter((one) => one !== draft)];
      own.current = draft.name;
    },
  };
};
