/** Small images of each kind for tests: real ones, and PNGs of any number of pixels and bytes, whose pixels nobody decodes. */

import { crc32, deflateSync } from "node:zlib";

const decoded = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, "base64"));

export const GIF = decoded("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
export const WEBP = decoded("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
export const WEBP_LOSSLESS = decoded("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
export const WEBP_ALPHA = decoded(
  "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
);
export const JPEG = decoded(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==",
);

const chunk = (name: string, data: Uint8Array): Uint8Array => {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(name, 4, "latin1");
  made.set(data, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
};

/** A PNG of so many pixels; with `size` filled up to so many bytes. */
export const png = (width: number, height: number, size = 0): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const parts = [
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, 255]))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  const missing = size - Buffer.concat(parts).length;
  if (missing >= 12) parts.splice(2, 0, chunk("fiLl", Buffer.alloc(missing - 12, 7)));
  return Uint8Array.from(Buffer.concat(parts));
};
