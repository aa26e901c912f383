/** A second thread for a first indexing: it prepares notes while this one reads and writes (decision 14). Where it cannot start, or fails, all is done in this one. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Prepare, PreparedNotes } from "../index/new-notes.ts";
import { builtScript } from "./built-script.ts";

/** A thread is started for so many notes, as a first indexing begins with; fewer are prepared before it would have started. */
const MANY = 96;
/** Megabytes of its young generation: what a thread makes is soon handed over. */
const YOUNG = 16;

/** Milliseconds without work after which the thread ends, to free its memory. */
const IDLE = 100;

export type IndexThread = { prepare: Prepare; end(): Promise<void> };
/** What the thread answers, in the order it was asked; an error is met again in this one, and reported there. */
export type Answer = PreparedNotes | "failed";
type Request = {
  here(): Promise<PreparedNotes>;
  resolve(prepared: PreparedNotes | Promise<PreparedNotes>): void;
  reject(error: Error): void;
};

export function openIndexThread(script = builtScript("index-thread")): IndexThread {
  let thread: Worker | null = null;
  let usable = script !== null && availableParallelism() > 1;
  let waiting: Request[] = [];
  let idle: NodeJS.Timeout | undefined;

  // Slices are prepared one after another, so that they still go in in their order.
  const takeOver = (): void => {
    usable = false;
    thread = null;
    const left = waiting;
    waiting = [];
    let before: Promise<unknown> = Promise.resolve();
    for (const { here, resolve } of left) {
      const ready = before.then(here);
      before = ready.catch(() => undefined);
      resolve(ready);
    }
  };
  const begin = (): Worker => {
    const begun = new Worker(script!, { name: "index", resourceLimits: { maxYoungGenerationSizeMb: YOUNG } });
    begun.on("message", (answer: Answer) => {
      const { here, resolve } = waiting.shift()!;
      clearTimeout(idle);
      if (waiting.length === 0) idle = setTimeout(() => void end(), IDLE);
      resolve(answer === "failed" ? here() : answer);
    });
    begun.on("error", takeOver);
    begun.on("exit", takeOver);
    return begun;
  };

  async function end(): Promise<void> {
    clearTimeout(idle);
    const [ended, left] = [thread, waiting];
    [thread, waiting] = [null, []];
    for (const { reject } of left) reject(new Error("The index is being closed."));
    ended?.removeAllListeners();
    await ended?.terminate();
  }

  return {
    prepare(slice, here) {
      if (!usable || (thread === null && slice.notes.length < MANY)) return here();
      return new Promise((resolve, reject) => {
        clearTimeout(idle);
        waiting.push({ here, resolve, reject });
        try {
          thread ??= begin();
          thread.postMessage(slice, []);
        } catch {
          takeOver();
        }
      });
    },
    end,
  };
}
