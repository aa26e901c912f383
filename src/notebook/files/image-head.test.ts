import fc from "fast-check";
import { expect, test } from "vitest";
import { GIF, JPEG, png, WEBP, WEBP_ALPHA, WEBP_LOSSLESS } from "../../../test/images.ts";
import { imageHead } from "./image-head.ts";

const IMAGES: Record<string, [Uint8Array, string]> = {
  PNG: [png(1, 1), "image/png"],
  JPEG: [JPEG, "image/jpeg"],
  GIF: [GIF, "image/gif"],
  WebP: [WEBP, "image/webp"],
  "lossless WebP": [WEBP_LOSSLESS, "image/webp"],
  "WebP with alpha": [WEBP_ALPHA, "image/webp"],
};

/** Some bytes of an image replaced. */
const withBytes = (image: Uint8Array, at: number, bytes: number[]): Uint8Array => {
  const changed = image.slice();
  changed.set(bytes, at);
  return changed;
};

test.each(Object.keys(IMAGES))("a %s is known by its bytes, with its pixels and its end", (name) => {
  const [bytes, type] = IMAGES[name]!;
  expect(imageHead(bytes)).toEqual({ type, pixels: { width: 1, height: 1 }, whole: true });
});

test.each(Object.keys(IMAGES))("a %s that breaks off, wherever that is, is not whole", (name) => {
  const [bytes, type] = IMAGES[name]!;
  for (let length = 0; length < bytes.length; length++) {
    const head = imageHead(bytes.subarray(0, length));
    if (length >= 12) expect(head?.type).toBe(type);
    expect(head?.whole ?? false).toBe(false);
  }
});

const jpegWith = (...segments: number[][]): Uint8Array =>
  Uint8Array.from([0xff, 0xd8, ...segments.flat(), 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
const frame = (marker: number, width: number, height: number): number[] => {
  const two = (side: number) => [side >> 8, side & 255];
  return [0xff, marker, 0, 11, 8, ...two(height), ...two(width), 1, 1, 0x11, 0];
};
const long = [0xff, 0xe1, 0xff, 0xff, ...Array.from({ length: 0xfffd }, () => 0xff)];

test.each<[string, Uint8Array, [number, number]]>([
  ["PNG", png(4000, 3000), [4000, 3000]],
  ["GIF", withBytes(GIF, 6, [0x40, 0x1f, 0x01, 0x02]), [8000, 513]],
  ["WebP", withBytes(WEBP, 26, [0xff, 0x3f, 0x10, 0xc0]), [16383, 16]],
  ["lossless WebP", withBytes(WEBP_LOSSLESS, 21, [0xff, 0xff, 0xff, 0x0f]), [16384, 16384]],
  ["WebP with alpha", withBytes(WEBP_ALPHA, 24, [0, 0, 1, 1, 0, 0]), [65537, 2]],
  [
    "JPEG after a long segment, fill bytes and a mark alone",
    jpegWith(long, [0xff, 0xff, 0xff, 0xd0], frame(0xc0, 640, 480)),
    [640, 480],
  ],
  ["progressive JPEG after tables", jpegWith([0xff, 0xc4, 0, 2], frame(0xc2, 70, 9)), [70, 9]],
])("a %s says how many pixels it has", (_, bytes, [width, height]) => {
  expect(imageHead(bytes)).toMatchObject({ pixels: { width, height }, whole: true });
});

test.each<[string, Uint8Array]>([
  ["PNG without a side", png(0, 5)],
  ["PNG whose first chunk is another", withBytes(png(1, 1), 12, [65, 65, 65, 65])],
  ["GIF without a side", withBytes(GIF, 6, [0, 0, 0, 0])],
  ["JPEG without a frame", jpegWith()],
  ["JPEG whose segment has no length", jpegWith([0xff, 0xe0, 0, 0], frame(0xc0, 1, 1))],
  ["WebP of no known chunk", withBytes(WEBP, 12, [65, 65, 65, 65])],
  ["WebP without its start code", withBytes(WEBP, 23, [0, 0, 0])],
])("a %s has no pixels", (_, bytes) => {
  expect(imageHead(bytes)!.pixels).toBeNull();
});

test.each(["", "plain", "%PDF-1.4", "<svg/>", "GIF88a", "RIFF    WAVE", "\x89PNG\n"])(
  "%j is no image",
  (text) => {
    expect(imageHead(Uint8Array.from(Buffer.from(text, "latin1")))).toBeNull();
  },
);

test("bytes of chance after a mark do no harm, and take no more steps than there are bytes", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(IMAGES)),
      fc.nat(60),
      fc.uint8Array({ maxLength: 300 }),
      ([image], keep, chance) => {
        const head = imageHead(Uint8Array.from([...image.subarray(0, Math.max(keep, 12)), ...chance]));
        const sides = head!.pixels ? [head!.pixels.width, head!.pixels.height] : [1];
        return sides.every((side) => side > 0 && Number.isInteger(side));
      },
    ),
  );
});
