/** Bytes without Node: text and ids as bytes and back, and pieces joined. */

const encoder = new TextEncoder();
/** A name may begin with the mark that is left out otherwise. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Bytes of an id. */
export const ID_BYTES = 20;

export const encoded = (text: string): Uint8Array => encoder.encode(text);
export const decoded = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The id that stands at a place. */
export function idAt(bytes: Uint8Array, at: number): string {
  let id = "";
  for (let place = at; place < at + ID_BYTES; place++) id += HEX[bytes[place]!]!;
  return id;
}

export const idBytes = (id: string): Uint8Array =>
  Uint8Array.from({ length: ID_BYTES }, (_, at) => Number.parseInt(id.slice(2 * at, 2 * at + 2), 16));

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
