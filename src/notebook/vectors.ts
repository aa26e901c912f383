/** What is near in meaning, and the vectors by which that is told: what the engine asks of both, and nothing of how they are made. */

import type { Version } from "./parts.ts";
import type { NotePath } from "./paths.ts";

/** A chunk of a note, by the numbers the index gives both, the version it was of, and how like it is to what was asked: 1 at most. */
export type Near = { note: number; version: Version; chunk: number; likeness: number };

/** What is near in meaning. */
export type SemanticSearch = {
  /** The notes most like a text (`among`: of these, by their numbers), each once, by its best chunk, best first; null where there is no answer, or none in time. Never throws. */
  near(text: string, among?: ReadonlySet<number>): Promise<Near[] | null>;
};

/** The chunks of a note as texts, in order, of which vectors are to be made. */
export type Unembedded = { note: number; version: Version; texts: string[] };
/** The vectors of a note's chunks, one after another, a signed byte a number. `number` grows with each that is put. */
export type VectorRow = { number: number; note: number; version: Version; chunks: number; data: Uint8Array };

/** Vectors of one model, kept beside the index. Synchronous, like it. */
export type Vectors = {
  /** Notes that have no vectors of the text they have now: those numbered after one, or of these paths. */
  missing(which: { after: number } | { paths: readonly NotePath[] }, limit: number): Unembedded[];
  /** How many notes have vectors of the text they have now, and how many there are. */
  count(): { made: number; total: number };
  put(rows: readonly Omit<VectorRow, "number">[]): void;
  /** In the order they were put. */
  since(number: number, limit: number): VectorRow[];
  /** Whether `who` is the one to make vectors, for so long: several processes would make the same ones. */
  lease(who: string, milliseconds: number): boolean;
};
