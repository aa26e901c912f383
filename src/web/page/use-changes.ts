/** What changed, newest first: asked for once, then what is recorded is put on top as it is told; asked again only for what was not told. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
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

/** What was told, newest first, each with the number of the asking that it came after. */
export type Told = { asking: number; revisions: { revision: Revision; asking: number }[] };
export const NOTHING_TOLD: Told = { asking: 0, revisions: [] };

export const hear = (told: Told, event: PageEvent): Told => {
  if (event.kind === "revision") {
    const { asking, revisions } = told;
    return { asking, revisions: [{ revision: event.revision, asking }, ...revisions].slice(0, PAGE) };
  }
  return event.kind === "reset" || isUntold(event) ? { ...told, asking: told.asking + 1 } : told;
};

/** Once the last asking is answered: the answer has what was told before it. */
export const answered = ({ asking, revisions }: Told): Told => ({
  asking,
  revisions: revisions.filter((each) => each.asking === asking),
});

export const useChanges = (): Asked<Changes> => {
  const app = useApp();
  const asked = useCall<Changes>("changes", { limit: PAGE }, isUntold);
  const told = useSignal(NOTHING_TOLD);
  useEffect(() => app.onEvent((event) => void (told.value = hear(told.value, event))), []);
  useLayoutEffect(() => void (told.value = answered(told.value)), [asked.value]);
  return { ...asked, value: asked.value && withTold(asked.value, told.value) };
};

/** A list with what was told since on top. Its date says nothing: an edit by another program has that of its file. */
export const withTold = (changes: Changes, told: Told): Changes => {
  const listed = new Set(changes.revisions.map(({ id }) => id));
  const revisions = told.revisions.map(({ revision }) => revision);
  // The answer may have some of it already: with one it has all before.
  const end = revisions.findIndex(({ id }) => listed.has(id));
  const fresh = end === -1 ? revisions : revisions.slice(0, end);
  if (fresh.length === 0) return changes;
  const all = [...fresh, ...changes.revisions];
  return { revisions: all.slice(0, PAGE), more: changes.more || all.length > PAGE };
};
