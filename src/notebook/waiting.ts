/** Waiting: how long a call waits for the first index, the first recording and pending changes, and what it answers when they take longer. */

import { NoteError } from "../markdown/errors.ts";
import type { Who } from "./change.ts";
import type { Background, NoteIndex } from "./parts.ts";

/** In milliseconds. The first two are counted from the beginning of the call, so that all of its questions share them. */
export const DEADLINES = {
  /** Then a question is answered from what is indexed so far. */
  answer: 20_000,
  /** Then whatever could do harm on half an index is refused. Clients commonly give a call up after 60 s. */
  change: 50_000,
  /** Then a name is looked up without the changes that are still pending. */
  name: 200,
  /** Then a change that relies on every link being known is refused as busy. */
  pending: 10_000,
};
export type Deadlines = typeof DEADLINES;

/** How many notes a first indexing has put into the index, and of how many; the total is 0 until all have been listed. */
export type SoFar = { done: number; total: number };

const number = (value: number): string => value.toLocaleString("en-US");

/** "2,310 of 6,571 notes so far" */
export const saySoFar = ({ done, total }: SoFar): string =>
  total === 0 ? "no note so far" : `${number(done)} of ${number(total)} notes so far`;

/** Where a first indexing has got to, and who is waiting for it. */
export type FirstIndex = {
  /** Null once the index is complete. */
  soFar(): SoFar | null;
  /** Resolves when it is complete. */
  complete(): Promise<void>;
  onProgress(listener: (soFar: SoFar) => void): () => void;
  progress(done: number, total: number): void;
  ended(): void;
};

/** `again` indexes the vault once more: an index may have been damaged and begun anew. */
export function firstIndexing(index: NoteIndex, again: () => Promise<unknown>): FirstIndex {
  const listeners = new Set<(soFar: SoFar) => void>();
  let soFar: SoFar = { done: 0, total: 0 };
  let ended = index.complete();
  let end = (): void => undefined;
  const whole = ended ? Promise.resolve() : new Promise<void>((resolve) => (end = resolve));
  return {
    soFar: () => (index.complete() ? null : soFar),
    complete: async () => void (await (ended ? again() : whole)),
    onProgress(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    progress(done, total) {
      soFar = { done, total };
      for (const listener of listeners) listener(soFar);
    },
    ended() {
      ended = true;
      end();
    },
  };
}

/** What one call waits for. Each wait ends early where the call is cancelled. */
export type Waiting = {
  /** For a question: until the index is complete, and `also` is done, or until the deadline of an answer. */
  toAnswer(also?: Promise<unknown>): Promise<void>;
  /** Until the index is complete; refused with `indexing` after that. */
  toBeIndexed(): Promise<void>;
  /** For a question by name: also until changes that are known now are in the index, or for a moment. */
  toName(): Promise<void>;
  /** For what relies on every link: until the whole vault has been compared and changes that are known now are in; else `indexing` or `busy`. */
  toChange(): Promise<void>;
  /** For the past: until every note has been recorded once; refused with `indexing` after that. */
  toBeRecorded(): Promise<void>;
};

export function waitingOf(
  who: Who,
  first: FirstIndex,
  background: Background,
  deadlines: Deadlines,
  vault: {
    /** Refuses where the vault is gone. A promise where another folder has come in its place, until that is in the index. */
    another(): Promise<unknown> | null;
    /** A promise where notes of ours are not in the index, until they are or it has failed once more. */
    behind(): Promise<unknown> | null;
  },
): Waiting {
  const begun = performance.now();
  const left = (deadline: number): number => {
    if (who.patience === "endless") return Number.POSITIVE_INFINITY;
    return who.patience === "none" ? 0 : deadline - (performance.now() - begun);
  };
  const refused = (what: string): NoteError => {
    const soFar = first.soFar();
    const count = soFar ? `: ${saySoFar(soFar)}` : "";
    return new NoteError("indexing", `${what}${count}. Nothing was done; call again in a moment.`, {
      ...soFar,
    });
  };
  /** With progress, by the notes that are in. */
  const counting = async (deadline: number, work: Promise<unknown>): Promise<boolean> => {
    const unhear = first.onProgress(({ done, total }) => who.progress?.(done, total, "indexing the notes"));
    return inTime(who, left(deadline), work).finally(unhear);
  };
  /** With progress, by the seconds that have gone. */
  const ticking = async (deadline: number, work: Promise<unknown>, doing: string): Promise<boolean> => {
    let seconds = 0;
    const tick = setInterval(() => who.progress?.(++seconds, deadline / 1000, doing), 1000);
    return inTime(who, left(deadline), work).finally(() => clearInterval(tick));
  };
  const toBeIndexed = async (): Promise<void> => {
    const compared = vault.another();
    if (compared && !(await counting(deadlines.change, compared)))
      throw refused("Another folder has come in the vault's place and is being indexed");
    if (first.soFar() !== null && !(await counting(deadlines.change, first.complete())))
      throw refused("The vault is being indexed");
    await vault.behind();
  };
  return {
    async toAnswer(also) {
      const compared = vault.another();
      if (compared) await counting(deadlines.answer, compared);
      if (first.soFar() !== null) await counting(deadlines.answer, first.complete());
      await vault.behind();
      if (also) await inTime(who, left(deadlines.answer), also);
    },
    toBeIndexed,
    async toName() {
      await toBeIndexed();
      const pending = background.flush();
      if (pending) await inTime(who, deadlines.name, pending);
    },
    async toChange() {
      await toBeIndexed();
      const compared = background.compared();
      if (compared && !(await counting(deadlines.change, compared)))
        throw refused("The index is being compared with the vault");
      const pending = background.flush();
      if (pending && !(await inTime(who, deadlines.pending, pending)))
        throw new NoteError(
          "busy",
          "Other programs change the vault faster than it can be indexed. Nothing was done; call again in a moment.",
        );
    },
    async toBeRecorded() {
      void vault.another();
      const recorded = background.recorded();
      if (recorded && !(await ticking(deadlines.change, recorded, "recording the notes")))
        throw refused("The notes are being recorded for the first time");
    },
  };
}

/** Whether the work ended in so many milliseconds. The one place where a call waits: `who.resting` gives back what the call holds of the server. */
export async function inTime(who: Who, milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  who.signal?.throwIfAborted();
  if (milliseconds <= 0) return false;
  let cancel = (): void => undefined;
  const cancelled = new Promise<never>((_, reject) => (cancel = () => reject(who.signal!.reason)));
  const wait = (): Promise<boolean> => {
    who.signal?.addEventListener("abort", cancel);
    return atMost(milliseconds, Promise.race([work, cancelled]));
  };
  try {
    return await (who.resting ? who.resting(wait) : wait());
  } finally {
    who.signal?.removeEventListener("abort", cancel);
  }
}

/** Whether the work ended in so many milliseconds; it goes on where it did not. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  if (!Number.isFinite(milliseconds)) return work.then(() => true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  return Promise.race([work.then(() => true), timeout]).finally(() => clearTimeout(timer));
}
