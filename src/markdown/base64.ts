/** Bytes as base64, and back: what JSON can carry of them. */

/** How many bytes are turned into letters at once; a multiple of three, so that padding stands only at the end. */
const PIECE = 3 * 8192;

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return text;
}

/** Null where it is none. */
export function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  let letters: string;
  try {
    letters = atob(text);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
