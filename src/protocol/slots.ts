/** Slots: how many reading calls run at once, that only one of them holds much of the notes in memory, and that none begins while answers wait to be read. */

import type { Who } from "../notebook/change.ts";
import { gate } from "../notebook/gate.ts";
import { breather } from "../notebook/turns.ts";

/** Resolves when answers have been read so far that more may be made; null where that is so already. */
export type Room = () => Promise<void> | null;

/** The slot of one call. */
export type Slot = Required<Pick<Who, "resting" | "memory">> & {
  /** Runs the work when there is a slot for it; rejects where the call is cancelled before. */
  run<T>(work: () => Promise<T>): Promise<T>;
};
export type Slots = { open(signal?: AbortSignal): Slot };

export type SlotLimits = {
  /** How many calls run at once. More would make nothing quicker: they share one thread. */
  calls: number;
  /** How many bytes of notes each may hold; only one call at a time holds more. */
  bytes: number;
};

export const openSlots = (limits: SlotLimits, room: Room): Slots => {
  const calls = gate(limits.calls);
  const large = gate(1);
  // Calls that wait follow each other without leaving the turn they are in: the input, and its end, would not be looked at meanwhile.
  const breathe = breather();
  return {
    open(signal) {
      let inside = false;
      let isLarge = false;
      let held = 0;
      const enter = async (): Promise<void> => {
        await calls.enter(signal);
        inside = true;
      };
      const leave = (): void => {
        if (inside) calls.leave();
        inside = false;
      };
      const drop = (): void => {
        if (isLarge) large.leave();
        [isLarge, held] = [false, 0];
      };
      const resting: Slot["resting"] = async (wait) => {
        leave();
        try {
          return await wait();
        } finally {
          await enter();
        }
      };
      const toBeLarge = async (): Promise<void> => {
        await large.enter(signal);
        isLarge = true;
        await breathe();
        await room();
      };
      return {
        resting,
        memory: {
          take(bytes) {
            held += bytes;
            if (isLarge || held <= limits.bytes) return null;
            isLarge = large.tryEnter();
            return isLarge ? null : resting(toBeLarge);
          },
          crowded: large.full,
          drop,
        },
        async run(work) {
          const waits = calls.full();
          await enter();
          try {
            if (waits) await breathe();
            await room();
            signal?.throwIfAborted();
            return await work();
          } finally {
            drop();
            leave();
          }
        },
      };
    },
  };
};
