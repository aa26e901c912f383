/** What changed, newest first: asked for once, then what is recorded is put on top as it is told; asked again only for what was not told. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Changes, PageEvent, Revision } from "../wire.ts";
import { useApp } from "./app.ts";
import { useCall, type Asked, type Calls } from "./use-call.ts";

/** So many stand on a page of changes. */
export const PAGE = 40;

/** Whoever looks again leaves edits of other programs pending. */
const AGAIN = { again: true };
const isUntold: Calls = ({ kind }) => kind === "history" && AGAIN;
/** Pages further down: all of them move by one. */
export const movesDown: Calls = ({ kind }) => (kind === "history" || kind === "revision") && AGAIN;

/** Whether a change may be one of that note. Of a large one not all notes are named. */
export const mayTouch =
  (path: string): Calls =>
  (event: PageEvent) => {
    if (event.kind === "history") return AGAIN;
    if (event.kind !== "revision") return false;
    const { notes, touched } = event.revision;
    const names = notes.some((note) => note.path === path || note.from === path);
    return (names || touched > notes.length) && AGAIN;
  };

export const useChanges = (): Asked<Changes> => {
  const app = useApp();
  const asked = useCall<Changes>("changes", { limit: PAGE }, isUntold);
  const told = useSignal<Revision[]>([]);
  useEffect(
    () =>
      app.onEvent((event) => {
        if (event.kind === "revision") told.value = [event.revision, ...told.value].slice(0, PAGE);
      }),
    [],
  );
  return { ...asked, value: asked.value && withTold(asked.value, told.value) };
};

/** A list with what was told since on top: an answer may hold some of it already, or be newer than all of it. */
export const withTold = (changes: Changes, told: readonly Revision[]): Changes => {
  const [newest] = changes.revisions;
  const listed = new Set(changes.revisions.map(({ id }) => id));
  const isOld = ({ id, date }: Revision): boolean =>
    listed.has(id) || (newest !== undefined && date < newest.date);
  const end = told.findIndex(isOld);
  const fresh = end === -1 ? told : told.slice(0, end);
  if (fresh.length === 0) return changes;
  const all = [...fresh, ...changes.revisions];
  return { revisions: all.slice(0, PAGE), more: changes.more || all.length > PAGE };
};
