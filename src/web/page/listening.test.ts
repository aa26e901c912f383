import { expect, test } from "vitest";
import { isReached } from "./listening.ts";

test.each([
  ["a1.5", "a1.5", true],
  ["a1.5", "a1.12", true],
  ["a1.12", "a1.5", false],
  // The server was started anew: its numbers begin again.
  ["b2.1", "a1.12", false],
])("whether %s is or comes before %s: %s", (id, last, reached) => expect(isReached(id, last)).toBe(reached));
