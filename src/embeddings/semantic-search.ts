/** Semantic search: what a question is near to in meaning. Whatever fails on the way, search goes on by words, and the reason is reported once. */

import type { SemanticSearch, Vectors } from "../notebook/vectors.ts";
import type { Progress } from "../notebook/refresh.ts";
import type { Answer, Endpoint } from "./endpoint.ts";
import { followChanges, type OnChange } from "./making.ts";
import { makeShelf } from "./shelf.ts";

export type SemanticSearchParts = {
  endpoint: Endpoint;
  vectors: Vectors;
  /** This process, among those that share the index. */
  who: string;
  now(): Date;
  tell(sentence: string): void;
};
export type OpenSemanticSearch = SemanticSearch & {
  /** Begins to make vectors, and to keep them up with what changes. */
  follow(onChange: OnChange, progress?: Progress): void;
  close(): Promise<void>;
};

/** A question waits no longer than this for its vector. */
const QUESTION_MS = 700;
/** After a failure questions are answered by words alone for so long. */
const REST_MS = 10_000;
/** How many notes are near enough to be mixed in, with some to spare for those that changed meanwhile. */
const CLOSEST = 150;
/** Pages of one list ask the same question. */
const QUESTIONS_KEPT = 100;
const QUESTION_LETTERS = 2000;

export function openSemanticSearch({
  endpoint,
  vectors,
  who,
  now,
  tell,
}: SemanticSearchParts): OpenSemanticSearch {
  const shelf = makeShelf();
  const closing = new AbortController();
  const questions = new Map<string, Float32Array>();
  const reported = new Set<string>();
  let restingUntil = 0;
  let answered: Promise<unknown> = Promise.resolve();
  let stop = async (): Promise<void> => {};

  const failed = (why: string): void => {
    restingUntil = now().getTime() + REST_MS;
    if (reported.has(why) || closing.signal.aborted) return;
    reported.add(why);
    tell(`Embeddings: ${why}. Search goes on by words alone meanwhile.`);
  };
  /** Vectors of another size than those there are cannot be compared with them. */
  const embed = async (texts: readonly string[], milliseconds: number): Promise<Answer> => {
    const answer = await endpoint.embed(texts, milliseconds, closing.signal);
    const [size, own] = [shelf.size(), "vectors" in answer ? answer.vectors[0]!.length : 0];
    return "failure" in answer || size === 0 || own === size
      ? answer
      : {
          failure: `the endpoint gives vectors of ${own} numbers, those kept have ${size} (another model has another name; or delete the index)`,
        };
  };
  const vectorOf = async (text: string): Promise<Float32Array | null> => {
    const known = questions.get(text);
    if (known) return known;
    const asking = embed([text], QUESTION_MS);
    answered = asking;
    const answer = await asking;
    if ("failure" in answer) {
      failed(answer.failure);
      return null;
    }
    questions.set(text, answer.vectors[0]!);
    if (questions.size > QUESTIONS_KEPT) questions.delete(questions.keys().next().value!);
    return answer.vectors[0]!;
  };

  return {
    async near(text, among) {
      if (shelf.size() === 0 || closing.signal.aborted || now().getTime() < restingUntil) return null;
      const vector = await vectorOf(text.slice(0, QUESTION_LETTERS));
      return vector && shelf.closest(vector, CLOSEST, among);
    },
    follow(onChange, progress) {
      stop = followChanges(
        {
          vectors,
          shelf,
          who,
          failed,
          embed,
          // An endpoint that does one thing after another would let a question wait for a batch.
          afterQuestions: () => answered,
          signal: closing.signal,
        },
        onChange,
        progress,
      );
    },
    async close() {
      closing.abort();
      await stop();
    },
  };
}
