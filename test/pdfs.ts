/** PDFs for tests, made by hand: pages of text, streams that unfold, one that asks for a password. */

import { deflateSync } from "node:zlib";

/** The objects of a file, numbered from 1, the first of them its catalog, with the table that says where each begins. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ""): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const places: number[] = [];
  let at = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    places.push(at);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(part);
    at += part.length;
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Uint8Array.from(Buffer.concat(parts));
}

export const stream = (bytes: Buffer): Buffer => {
  const packed = deflateSync(bytes);
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
};

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** The operators that write these lines. */
export const linesOf = (text: string): Buffer =>
  Buffer.from(
    `BT /F1 12 Tf 72 720 Td ${text
      .split("\n")
      .map((line) => `(${line}) Tj 0 -14 Td`)
      .join(" ")} ET`,
  );

/** A page for each content, long enough for any: what stands outside of a page is no text of it. */
export function pagesOf(contents: readonly Buffer[], trailer = "", more: readonly string[] = []): Uint8Array {
  const first = 4;
  const page = (at: number): string =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 -20000 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + contents.length + at} 0 R >>`;
  return pdfOf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${contents.map((_, at) => `${first + at} 0 R`).join(" ")}] /Count ${contents.length} >>`,
      FONT,
      ...contents.map((_, at) => page(at)),
      ...contents.map(stream),
      ...more,
    ],
    trailer,
  );
}

export const textPdf = (...pages: string[]): Uint8Array => pagesOf(pages.map(linesOf));

/** It opens with a password that nobody knows. */
export const lockedPdf = (): Uint8Array => {
  const text = linesOf("secret");
  const unknown = `<${"5a".repeat(32)}>`;
  return pagesOf([text], "/Encrypt 6 0 R /ID [<00> <00>]", [
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O ${unknown} /U ${unknown} >>`,
  ]);
};
