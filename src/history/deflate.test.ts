import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { headerOf } from "./objects.ts";
import { asLoose, pressed, unpressed } from "./deflate.ts";

const patterned = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 5)) & 0xff));
const whole = (kind: "blob" | "tree", body: Buffer): Buffer =>
  Buffer.concat([headerOf(kind, body.length), body]);

test.for([0, 1, 17, 3000, 4075, 4076, 20_000])(
  "a blob of %i bytes comes back from its file",
  async (length) => {
    const body = patterned(length);
    expect(inflateSync(await asLoose("blob", body))).toEqual(whole("blob", body));
  },
);

test.for([33, 4076, 65_525, 65_526, 131_060, 700_000])(
  "a tree of %i bytes comes back as it is",
  async (length) => {
    const body = patterned(length);
    const file = await asLoose("tree", body);
    expect(inflateSync(file)).toEqual(whole("tree", body));
    expect(file.length).toBeGreaterThan(length);
  },
);

test("the checksum of bytes that are only wrapped is zlib's", async () => {
  for (const body of [Buffer.alloc(4000, 0xff), Buffer.alloc(600_000, 0xff)])
    expect((await asLoose("tree", body)).subarray(-4)).toEqual(deflateSync(whole("tree", body)).subarray(-4));
});

test("what fits into a block of the disk is not pressed, what does not is", async () => {
  expect((await asLoose("blob", Buffer.alloc(4075))).length).toBe(4096);
  expect((await asLoose("blob", Buffer.alloc(4076))).length).toBeLessThan(200);
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
