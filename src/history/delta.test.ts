import fc from "fast-check";
import { expect, test } from "vitest";
import { deltaOf, sharedEnds } from "./delta.ts";
import { applyDelta } from "./pack.ts";

/** Two texts that share a beginning and an end, of any length. */
const alike = fc
  .tuple(
    fc.nat(200_000),
    fc.uint8Array({ maxLength: 400 }),
    fc.uint8Array({ maxLength: 400 }),
    fc.nat(100_000),
  )
  .map(([start, one, other, end]) =>
    [one, other].map((middle) => Buffer.concat([Buffer.alloc(start, 1), middle, Buffer.alloc(end, 2)])),
  );

test("a delta on its base gives the object", () => {
  fc.assert(
    fc.property(alike, ([base, body]) => {
      const delta = deltaOf(base!, body!);
      expect(applyDelta(base!, delta).equals(body!)).toBe(true);
      expect(delta.length).toBeLessThan(500);
    }),
    { numRuns: 300, examples: [[[Buffer.alloc(0), Buffer.alloc(0)]], [[Buffer.from("a"), Buffer.alloc(0)]]] },
  );
});

test("beginning and end do not overlap", () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 1 }), fc.uint8Array({ max: 1 }), (one, other) => {
      const { start, end } = sharedEnds(one, other);
      expect(start + end).toBeLessThanOrEqual(Math.min(one.length, other.length));
      expect(one.subarray(0, start)).toEqual(other.subarray(0, start));
      expect(one.subarray(one.length - end)).toEqual(other.subarray(other.length - end));
    }),
  );
});
