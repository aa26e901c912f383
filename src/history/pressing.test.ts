import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { asLoose, pressed, unpressed } from "./pressing.ts";

const patterned = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 5)) & 0xff));

test.for([0, 1, 17, 3000, 4085, 4086, 20_000])(
  "an object of %i bytes comes back from its file",
  async (length) => {
    const bytes = patterned(length);
    expect(inflateSync(await asLoose(bytes))).toEqual(bytes);
  },
);

test("the checksum of the largest bytes that are only wrapped is zlib's", async () => {
  const bytes = Buffer.alloc(4085, 0xff);
  expect((await asLoose(bytes)).subarray(-4)).toEqual(deflateSync(bytes).subarray(-4));
});

test("what fits into a block of the disk is not pressed, what does not is", async () => {
  expect((await asLoose(Buffer.alloc(4085))).length).toBe(4096);
  expect((await asLoose(Buffer.alloc(4086))).length).toBeLessThan(200);
});

test.for([0, 1, 5000, 16_384, 16_385, 300_000])("%i bytes are pressed and unpressed", async (length) => {
  const bytes = patterned(length);
  const stream = await pressed(bytes);
  expect(inflateSync(stream)).toEqual(bytes);
  expect(await unpressed(stream, { maxOutputLength: length + 1 })).toEqual(bytes);
});

test("a stream that unfolds to more than is allowed is refused, small or large", async () => {
  for (const length of [100_000, 50_000_000])
    await expect(unpressed(deflateSync(Buffer.alloc(length)), { maxOutputLength: 1000 })).rejects.toThrow();
});
