/** What is recorded while a page is open, told to it as the line that a list would show: made once, however many pages there are. */

import type { Notebook } from "../notebook/notebook.ts";
import type { Revision as Recorded } from "../notebook/parts.ts";
import type { Source } from "./events.ts";
import type { Revision } from "./wire.ts";

/** So many wait at most for their line; of more the pages are told that there is something new, and ask. */
const WAITING = 50;
/** Milliseconds before a line is made, so that whoever made the change is answered first. */
const AFTER = 10;

/** `lineOf` reads the texts before and after, and counts the words. */
export const recordedSource =
  (notebook: Pick<Notebook, "onChange">, lineOf: (recorded: Recorded) => Promise<Revision>): Source =>
  (tell) => {
    const queue: Recorded[] = [];
    let making: ReturnType<typeof setTimeout> | undefined;

    const makeLines = async (): Promise<void> => {
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        try {
          tell({ kind: "revision", revision: await lineOf(next) });
        } catch {
          tell({ kind: "history" });
        }
        queue.shift();
      }
      making = undefined;
    };
    const stop = notebook.onChange(({ revisions, elsewhere }) => {
      const isMuch = queue.length + revisions.length > WAITING;
      if (elsewhere || isMuch) tell({ kind: "history" });
      if (isMuch) return;
      queue.push(...revisions);
      if (queue.length > 0) making ??= setTimeout(() => void makeLines(), AFTER);
    });
    return () => {
      stop();
      clearTimeout(making);
      queue.length = 0;
    };
  };
