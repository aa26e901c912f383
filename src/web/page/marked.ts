/** The note of several that keys act on. Where it has gone, its place is remembered, so that they go on from there. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useRef } from "preact/hooks";

export type Marking = {
  /** Its path. */
  marked: ReadonlySignal<string | null>;
  step(by: number): void;
  /** Puts the keyboard where the marked note is. */
  goOn(): void;
  /** Goes from a note that is about to go to the next one; from the last to the one before it. */
  leave(path: string): void;
  /** Where a note stands on the page; pages of a long list that are far away do not. */
  place(path: string): HTMLElement | undefined;
};

/** `selector`: what each note stands in; it names the note by `data-path`. */
export const useMarked = (selector: string): Marking => {
  const marked = useSignal<string | null>(null);
  const last = useRef(-1);
  const places = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const pathOf = (place: HTMLElement): string => place.dataset["path"]!;
  const mark = (place: HTMLElement | undefined, at: number): void => {
    marked.value = place ? pathOf(place) : null;
    last.current = at;
    (place ?? document.getElementById("main"))?.focus();
  };
  const place = (path: string): HTMLElement | undefined => places().find((one) => pathOf(one) === path);
  return {
    marked,
    step(by) {
      const all = places();
      const at = all.findIndex((place) => pathOf(place) === marked.value);
      // The next one stands where the one that has gone was.
      const from = at === -1 ? last.current - (by > 0 && last.current >= 0 ? 1 : 0) : at;
      const to = Math.max(0, Math.min(all.length - 1, from + by));
      mark(all[to], to);
    },
    leave(path) {
      const all = places();
      const at = all.findIndex((place) => pathOf(place) === path);
      mark(all[at + 1] ?? all[at - 1], Math.max(0, at));
    },
    goOn: () => (place(marked.value ?? "") ?? document.getElementById("main"))?.focus(),
    place,
  };
};
