/** A server whose index is being made is waited for as long as it gets on. */

import { setTimeout as pause } from "node:timers/promises";
import { NoteError } from "../markdown/errors.ts";
import { wholeOf, type Side, type Whole } from "../sync/side.ts";
import { say } from "./opened-vault.ts";
import { count } from "./progress.ts";

/** Milliseconds between two questions; the server waits some 50 s itself before it refuses one. */
const PAUSE = 1000;
/** Refusals after which nobody waits any longer: the better part of an hour. */
const MOST_REFUSALS = 50;

export const wholeInTime = async (side: Side): Promise<Whole> => {
  let before = "";
  for (let refusals = 0; ; refusals++)
    try {
      return await wholeOf(side);
    } catch (error) {
      const now = error instanceof NoteError && error.code === "indexing" ? error.message : null;
      if (now === null || now === before || refusals === MOST_REFUSALS) throw error;
      say(`waiting for the server's index${soFar((error as NoteError).details["soFar"])}`);
      before = now;
      await pause(PAUSE);
    }
};

const soFar = (given: unknown): string => {
  const { done, total } = (given ?? {}) as Record<string, unknown>;
  return typeof done === "number" && typeof total === "number" && total > 0
    ? `: ${count(done)} of ${count(total)}`
    : "";
};
