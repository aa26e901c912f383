/** The page's document and its files: what the browser may do with them is said here, once, for every answer. */

/** The built files, by name: `index.html`, `assets/…`. */
export type PageFiles = { read(name: string): { bytes: Uint8Array; type: string } | null };

const nonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));

const policyOf = (mark: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${mark}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
  ].join("; ");

const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** Scripts and styles are named by their hash, so a browser may keep them for good. */
const KEPT = "public, max-age=31536000, immutable";

/** What the page is told before anybody signed in: whether a passphrase is taken here. */
export const documentAnswer = (files: PageFiles, passphrase: boolean): Response => {
  const file = files.read("index.html");
  if (!file)
    return new Response("The page was not built. Run npm run build.\n", { status: 503, headers: COMMON });
  const mark = nonce();
  const html = new TextDecoder()
    .decode(file.bytes)
    .replaceAll("NONCE", mark)
    .replaceAll("DOOR", passphrase ? "passphrase" : "key");
  return new Response(html, {
    headers: {
      ...COMMON,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyOf(mark),
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    },
  });
};

/** A built file; null where there is none of that name. */
export const fileAnswer = (files: PageFiles, name: string): Response | null => {
  const file = /^assets\/[\w.-]+$/.test(name) ? files.read(name) : null;
  if (!file) return null;
  return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
    // A worker has a policy of its own: that of the file it was made from.
    headers: {
      ...COMMON,
      "content-type": file.type,
      "cache-control": KEPT,
      "content-security-policy": "default-src 'none'",
    },
  });
};
