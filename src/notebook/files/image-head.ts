/** Images by their first bytes: which kind, how many pixels, and whether they end as such a file does. Only headers are read, each within the bytes there are, and nothing is decoded. */

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";
export type Pixels = { width: number; height: number };
/** `pixels`: null where the bytes do not say. `whole`: whether the bytes end as such a file does. */
export type ImageHead = { type: ImageType; pixels: Pixels | null; whole: boolean };

type Read = Omit<ImageHead, "type">;
/** The marks that files of a kind begin with, as letters of a byte each, and the kind's reader. */
type Kind = {
  type: ImageType;
  begins(mark: string): boolean;
  read(bytes: Uint8Array, view: DataView): Read;
};
const KINDS: Kind[] = [
  { type: "image/png", begins: (mark) => mark.startsWith("\x89PNG\r\n\x1a\n"), read: readPng },
  { type: "image/jpeg", begins: (mark) => mark.startsWith("\xff\xd8\xff"), read: readJpeg },
  { type: "image/gif", begins: (mark) => /^GIF8[79]a/.test(mark), read: readGif },
  { type: "image/webp", begins: (mark) => /^RIFF[\s\S]{4}WEBP/.test(mark), read: readWebp },
];

/** Null for whatever is none of these images. */
export function imageHead(bytes: Uint8Array): ImageHead | null {
  const mark = lettersAt(bytes, 0, 12);
  const kind = KINDS.find(({ begins }) => begins(mark));
  if (!kind) return null;
  return { type: kind.type, ...kind.read(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length)) };
}

const lettersAt = (bytes: Uint8Array, at: number, count: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + count));

/** An image without a side has none at all. */
const pixelsOf = (width: number, height: number): Pixels | null =>
  width > 0 && height > 0 ? { width, height } : null;

/** Signature, then chunks: length, name, data, checksum. The first says how large it is, the last is IEND. */
function readPng(bytes: Uint8Array, view: DataView): Read {
  const isSound = bytes.length >= 24 && lettersAt(bytes, 12, 4) === "IHDR";
  const pixels = isSound ? pixelsOf(view.getUint32(16), view.getUint32(20)) : null;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    if (lettersAt(bytes, at + 4, 4) === "IEND") return { pixels, whole: true };
  return { pixels, whole: false };
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Segments up to the first scan: one of them, "start of frame", says how large it is. */
function readJpeg(bytes: Uint8Array, view: DataView): Read {
  let pixels: Pixels | null = null;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = view.getUint16(at + 2);
      if (length < 2) break;
      if (isFrame(marker) && at + 9 <= bytes.length)
        pixels = pixelsOf(view.getUint16(at + 7), view.getUint16(at + 5));
      at += 2 + length;
      if (marker === START_OF_SCAN) return { pixels, whole: endsAfter(bytes, at) };
    }
  }
  return { pixels, whole: false };
}

/** C0 to CF begin a frame, but for the tables of Huffman codes, of arithmetic codes, and one that is reserved. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Other data may follow the image, so its end is looked for from the back. */
function endsAfter(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.length - 2; at >= from; at--)
    if (bytes[at] === 0xff && bytes[at + 1] === END_OF_IMAGE) return true;
  return false;
}

const GIF_HEADER = 13;
const GIF_TRAILER = 0x3b;

function readGif(bytes: Uint8Array, view: DataView): Read {
  if (bytes.length < GIF_HEADER) return { pixels: null, whole: false };
  let last = bytes.length - 1;
  // Some programs fill a file up with zeros.
  while (last > GIF_HEADER && bytes[last] === 0) last--;
  const pixels = pixelsOf(view.getUint16(6, true), view.getUint16(8, true));
  return { pixels, whole: last >= GIF_HEADER && bytes[last] === GIF_TRAILER };
}

/** A RIFF file: its length, then one of three kinds of first chunk. */
function readWebp(bytes: Uint8Array, view: DataView): Read {
  if (bytes.length < 30) return { pixels: null, whole: false };
  const whole = view.getUint32(4, true) + 8 <= bytes.length;
  return { pixels: webpPixels(lettersAt(bytes, 12, 4), bytes, view), whole };
}

const FOURTEEN_BITS = 0x3fff;

function webpPixels(chunk: string, bytes: Uint8Array, view: DataView): Pixels | null {
  if (chunk === "VP8 " && lettersAt(bytes, 23, 3) === "\x9d\x01\x2a")
    return pixelsOf(view.getUint16(26, true) & FOURTEEN_BITS, view.getUint16(28, true) & FOURTEEN_BITS);
  if (chunk === "VP8L" && bytes[20] === 0x2f) {
    const sides = view.getUint32(21, true);
    return pixelsOf((sides & FOURTEEN_BITS) + 1, ((sides >>> 14) & FOURTEEN_BITS) + 1);
  }
  const side = (at: number): number => (view.getUint16(at, true) | (bytes[at + 2]! << 16)) + 1;
  return chunk === "VP8X" ? pixelsOf(side(24), side(27)) : null;
}
