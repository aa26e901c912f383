import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { deflated, inflated } from "./deflate.ts";

const patterned = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 5)) & 0xff));

test.for([0, 1, 17, 5000, 16_384, 16_385, 300_000])("%i bytes are deflated and inflated", async (length) => {
  const bytes = patterned(length);
  const stream = await deflated(bytes);
  expect(inflateSync(stream)).toEqual(bytes);
  expect(await inflated(stream, { maxOutputLength: length + 1 })).toEqual(bytes);
});

test.for([0, 1, 5000, 16_385, 700_000])(
  "%i bytes that are only stored come back as they are",
  async (length) => {
    const bytes = patterned(length);
    const stream = await deflated(bytes, "stored");
    expect(stream.length).toBeGreaterThan(length);
    expect(inflateSync(stream)).toEqual(bytes);
  },
);

test("a stream that inflates to more than is allowed is refused, small or large", async () => {
  for (const length of [100_000, 50_000_000])
    await expect(inflated(deflateSync(Buffer.alloc(length)), { maxOutputLength: 1000 })).rejects.toThrow();
});
