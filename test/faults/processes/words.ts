/** What the processes of a test and the test itself agree on. */

import { notePath, type NotePath } from "../../../src/notebook/paths.ts";

/** What is said of each write before it is begun, and once it is acknowledged. `wait` is how long the lock was waited for. */
export type Said =
  { begun: string; kind: "append" | "pair" | "field"; notes: number[] } | { done: string; wait: number };

export const notePathOf = (number: number): NotePath => notePath(`folder ${number % 7}/note ${number}.md`);
