/** Making vectors in the background: of all notes that have none, then of those that change. Of several processes on one index one makes them, and all read them. */

import type { Listener } from "../notebook/listeners.ts";
import type { Unembedded, VectorRow, Vectors } from "../notebook/vectors.ts";
import type { NotePath } from "../notebook/paths.ts";
import type { Progress } from "../notebook/refresh.ts";
import type { Answer } from "./endpoint.ts";
import { packed, type Shelf } from "./shelf.ts";

export type OnChange = (listener: Listener) => () => void;
export type Making = {
  vectors: Vectors;
  shelf: Shelf;
  who: string;
  embed(texts: readonly string[], milliseconds: number): Promise<Answer>;
  failed(why: string): void;
  afterQuestions(): Promise<unknown>;
  signal: AbortSignal;
};

/** A batch may take a slow machine long; who has not answered by then has stalled. */
const BATCH_MS = 60_000;
const BATCH = 16;
const NOTES_AT_ONCE = 16;
/** After a failure it is tried again, later and later. */
const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = 300_000;
/** Longer than a batch may take. */
const LEASE_MS = 90_000;
/** A note that is being written is waited for. */
const QUIET_MS = 300;
/** How often it is looked for what other processes have made. */
const LOOK_MS = 10_000;
const ROWS_AT_ONCE = 200;

/** Gives what ends it. */
export function followChanges(
  making: Making,
  onChange: OnChange,
  progress: Progress | undefined,
): () => Promise<void> {
  const { vectors, who, failed, signal } = making;
  const changed = new Set<NotePath>();
  let [whole, rest] = [false, 0];
  let wake = (): void => {};
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const load = loader(making);
  const embedNotes = async (notes: readonly Unembedded[]): Promise<boolean> => {
    const done = vectors.lease(who, LEASE_MS) && (await embedded(making, notes));
    if (done) await load();
    return done && !signal.aborted;
  };
  const embedAll = async (): Promise<boolean> => {
    const { made, total } = vectors.count();
    let [done, after] = [made, 0];
    for (;;) {
      const notes = vectors.missing({ after }, NOTES_AT_ONCE);
      if (notes.length === 0) return true;
      if (!(await embedNotes(notes))) return false;
      after = notes.at(-1)!.note;
      done += notes.length;
      progress?.(Math.min(done, total), total);
    }
  };
  const embedChanged = async (): Promise<boolean> => {
    const paths = [...changed];
    changed.clear();
    for (let at = 0; at < paths.length; at += NOTES_AT_ONCE) {
      const notes = vectors.missing({ paths: paths.slice(at, at + NOTES_AT_ONCE) }, NOTES_AT_ONCE);
      if (notes.length > 0 && !(await embedNotes(notes))) return false;
    }
    return true;
  };
  /** False where something failed. */
  const round = async (): Promise<boolean> => {
    await load();
    if (signal.aborted) return true;
    if (!vectors.lease(who, LEASE_MS)) {
      // Whoever has it makes what is missing; should they go, all is looked at once more.
      whole = false;
      changed.clear();
      return true;
    }
    whole = (whole || (await embedAll())) && (await embedChanged());
    return whole;
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const fine = await round().catch(() => {
        // It is busy, or being made anew.
        failed("the index could not be read or written");
        return false;
      });
      rest = fine ? 0 : Math.min(Math.max(FIRST_REST_MS, 2 * rest), LONGEST_REST_MS);
      if (!signal.aborted && (changed.size === 0 || !fine)) await pause(fine ? LOOK_MS : rest);
    }
  };

  const forget = onChange(({ notes }) => {
    for (const { path } of notes) changed.add(path);
    clearTimeout(quiet);
    quiet = setTimeout(() => rest === 0 && wake(), QUIET_MS);
  });
  const working = work();
  return async () => {
    forget();
    clearTimeout(quiet);
    wake();
    await working;
  };
}

/** What was put since, by us or by others, comes into memory. */
function loader({ vectors, shelf, signal }: Making): () => Promise<void> {
  let last = 0;
  return async () => {
    for (;;) {
      const rows = vectors.since(last, ROWS_AT_ONCE);
      for (const row of rows) shelf.add(row);
      last = rows.at(-1)?.number ?? last;
      if (rows.length < ROWS_AT_ONCE) return;
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return;
    }
  };
}

/** False where the endpoint fails. A note whose text it will not take gets no vectors, so that others do. */
async function embedded(making: Making, notes: readonly Unembedded[]): Promise<boolean> {
  const { vectors, failed, signal } = making;
  const found = await vectorsOf(
    making,
    notes.flatMap(({ texts }) => texts),
  );
  if (signal.aborted) return false;
  if ("failure" in found && !found.texts) {
    failed(found.failure);
    return false;
  }
  if ("failure" in found && notes.length > 1) {
    for (const note of notes) if (!(await embedded(making, [note]))) return false;
    return true;
  }
  if ("failure" in found) failed("the endpoint does not take the text of some note");
  const all = "failure" in found ? [] : found.vectors;
  let at = 0;
  vectors.put(
    notes.map(({ note, version, texts }): Omit<VectorRow, "number"> => {
      const own = all.slice(at, (at += texts.length));
      return { note, version, chunks: own.length, data: packed(own) };
    }),
  );
  return true;
}

async function vectorsOf(
  { embed, afterQuestions, signal }: Making,
  texts: readonly string[],
): Promise<Answer> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length && !signal.aborted; at += BATCH) {
    await afterQuestions();
    const answer = await embed(texts.slice(at, at + BATCH), BATCH_MS);
    if ("failure" in answer) return answer;
    vectors.push(...answer.vectors);
  }
  return { vectors };
}
