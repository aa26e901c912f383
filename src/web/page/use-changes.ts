/** What changed, newest first: asked for once, then what is recorded is put on top as it is told; asked again only for what was not told. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
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

/** What was told, newest first, each with how many calls had begun by then. */
export type Told = readonly { revision: Revision; begun: number }[];

export const hear = (told: Told, event: PageEvent, begun: number): Told =>
  event.kind === "revision" ? [{ revision: event.revision, begun }, ...told].slice(0, PAGE) : told;

/** The answer to a call has what was told before that began. */
export const answered = (told: Told, answer: number): Told => told.filter(({ begun }) => begun >= answer);

export const useChanges = (): Asked<Changes> => {
  const app = useApp();
  const asked = useCall<Changes>("changes", { limit: PAGE }, isUntold);
  const told = useSignal<Told>([]);
  useLayoutEffect(
    () => app.onEvent((event) => void (told.value = hear(told.value, event, asked.begun()))),
    [],
  );
  useLayoutEffect(() => void (told.value = answered(told.value, asked.answer)), [asked.answer]);
  return { ...asked, value: asked.value && withTold(asked.value, told.value) };
};

/** A list with what was told since on top. Its date says nothing: an edit by another program has that of its file. */
export const withTold = (changes: Changes, told: Told): Changes => {
  const listed = new Set(changes.revisions.map(({ id }) => id));
  const revisions = told.map(({ revision }) => revision);
  // The answer may have some of it already: with one it has all before.
  const end = revisions.findIndex(({ id }) => listed.has(id));
  const fresh = end === -1 ? revisions : revisions.slice(0, end);
  if (fresh.length === 0) return changes;
  const all = [...fresh, ...changes.revisions];
  return { revisions: all.slice(0, PAGE), more: changes.more || all.length > PAGE };
};
