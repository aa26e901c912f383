/** Taking back what a screen shows: what that would do is known before, and it is done once, however often it is asked for. */

import { useSignal } from "@preact/signals";
import type { PageEvent, Refusal, Undoing } from "../wire.ts";
import { useApp } from "./app.ts";
import { undo, type Undo } from "./undo.ts";
import { useCall, type Calls } from "./use-call.ts";

export type TakingBack = {
  /** What it would do; null where nothing can be undone from here. */
  value: Undoing | null;
  refusal: Refusal | null;
  /** Whether there is something to take back, and nothing stands in its way. */
  isReady: boolean;
  takeBack(): void;
};

/** `what`: null where nothing is to be taken back. `isMore`: what else may change what undoing would do. */
export const useTakingBack = (
  what: Undo | null,
  isMore: (event: PageEvent) => boolean = () => false,
): TakingBack => {
  const app = useApp();
  const input = what && app.hello.value!.mayWrite ? { ...what, preview: true } : null;
  const on: Calls<Undoing> = (event, shown) => isMore(event) || touches(event, shown);
  const { value, refusal, again } = useCall<Undoing>("undo", input, on);
  const busy = useSignal(false);
  const isReady = !busy.value && value !== null && value.conflicts.length === 0 && value.changed.length > 0;
  const takeBack = async (): Promise<void> => {
    if (!what || !isReady || busy.value) return;
    busy.value = true;
    await undo(app, what);
    await again();
    busy.value = false;
  };
  return { value, refusal, isReady, takeBack: () => void takeBack() };
};

/** Taking back what is left of it without the notes that stand in its way. */
export const useRest = (what: Undo, { value }: TakingBack): TakingBack => {
  const skip = value?.conflicts.map(({ path }) => path) ?? [];
  return useTakingBack(skip.length > 0 ? { ...what, skip } : null);
};

/** A note that came or went may stand in the way, whatever its name. Of a large change not all notes are named; of one that was taken back none is. */
const touches = (event: PageEvent, shown: Undoing | null): boolean => {
  if (event.kind !== "note") return false;
  if (shown === null || event.how !== "changed") return true;
  const notes = [...shown.changed, ...shown.conflicts];
  return notes.length === 0 || notes.length < shown.touched || notes.some((note) => isOf(note, event.path));
};

const isOf = (note: { path: string; from?: string }, path: string): boolean =>
  note.path === path || note.from === path;
