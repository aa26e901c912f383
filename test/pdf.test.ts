/** Text of PDFs by page, in the built thread: as real clients get it, and within bounds of time and memory, whatever the file holds. */

import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pagesIn } from "../src/notebook/files/pdf.ts";
import { openPdfReader, type PdfLimits } from "../src/vault/pdf-thread.ts";
import { openNative, type NativeSession } from "./native-session.ts";
import { lockedPdf, pagesOf, pdfOf, textPdf } from "./pdfs.ts";

const BUILT = resolve("dist/pdf-thread.cjs");
const MINUTE = 60_000;

/** What the thread says of a file, with bounds of the test's own. */
const said = async (bytes: Uint8Array, limits: Partial<PdfLimits> = {}, script = BUILT): Promise<string> => {
  const read = openPdfReader(script, { milliseconds: MINUTE, megabytes: 128, ...limits });
  return read(bytes, { from: 1, to: 3 }, undefined).then(
    ({ texts }) => texts.join("|"),
    (error: Error) => error.message,
  );
};

test.each([
  ["", [1, Infinity]],
  ["height=400", [1, Infinity]],
  ["page=3", [3, 3]],
  ["page=3-5", [3, 5]],
  ["page=3-", [3, Infinity]],
  ["zoom=2&page=7", [7, 7]],
])("#%s means pages %j", (anchor, [from, to]) => {
  expect(pagesIn(anchor)).toEqual({ from, to });
});

test.each(["page=", "page=0", "page=5-3", "page=x", "page=-1", "page=1e9", "page=1234567890"])(
  "#%s is refused",
  (anchor) => {
    expect(() => pagesIn(anchor)).toThrow("Pages are such as #page=3 or #page=3-5");
  },
);

describe("as a client reads it", () => {
  let session: NativeSession;
  beforeAll(async () => {
    session = await openNative({}, { folder: true, pdf: openPdfReader(BUILT) });
    const root = session.vault.root!;
    const long = Array.from({ length: 900 }, (_, at) => `line ${at + 1} of a page that is long enough`).join(
      "\n",
    );
    writeFileSync(join(root, "three.pdf"), textPdf("Hello\nWorld", "Second page", "Third"));
    writeFileSync(join(root, "called.txt"), textPdf("By its bytes"));
    writeFileSync(join(root, "long.pdf"), textPdf("Short", long, long));
    writeFileSync(join(root, "scan.pdf"), pagesOf([Buffer.from("0 0 10 10 re f")]));
    writeFileSync(join(root, "locked.pdf"), lockedPdf());
    writeFileSync(join(root, "damaged.pdf"), textPdf("Hello").subarray(0, 150));
    writeFileSync(join(root, "endless.pdf"), textPdf("Hello"));
    truncateSync(join(root, "endless.pdf"), 3_000_000_000_000);
    await session.vault.notebook.refresh();
  });
  afterAll(() => session.close());

  test("all pages, one, or some, each in a block of its own", async () => {
    expect((await session.done("read_notes", { notes: ["three.pdf"] })).blocks).toEqual([
      "three.pdf, page 1-3 of 3",
      "three.pdf#page=1",
      "Hello\nWorld",
      "three.pdf#page=2",
      "Second page",
      "three.pdf#page=3",
      "Third",
    ]);
    const { blocks, data } = await session.done("read_notes", { notes: ["[[three.pdf#page=2-9]]"] });
    expect(blocks.slice(1)).toEqual(["three.pdf#page=2", "Second page", "three.pdf#page=3", "Third"]);
    expect(data["notes"]).toEqual([
      {
        note: "three.pdf#page=2-3",
        type: "application/pdf",
        pages: 3,
        texts: [
          { page: 2, text: "Second page" },
          { page: 3, text: "Third" },
        ],
      },
    ]);
    expect((await session.done("read_notes", { notes: ["called.txt"] })).text).toContain("By its bytes");
  });

  test("what does not fit is named, with the pages and lines to go on from", async () => {
    const whole = await session.done("read_notes", { notes: ["long.pdf"] });
    expect(whole.blocks[0]).toBe('long.pdf, page 1-2 of 3 (go on with "long.pdf#page=3-3")');
    const part = await session.done("read_notes", { notes: ["long.pdf#page=2"], lines: "899-" });
    expect(part.blocks[1]).toBe("long.pdf#page=2, lines 899-900 of 900");
    expect(part.blocks[2]).toBe(
      "line 899 of a page that is long enough\nline 900 of a page that is long enough",
    );
  });

  test("a page without text says so", async () => {
    expect((await session.done("read_notes", { notes: ["scan.pdf"] })).text).toContain(
      "scan.pdf#page=1: no text; it may be a picture of one.",
    );
  });

  test.each([
    ["three.pdf#page=4", 'file_refused: "three.pdf" has no such page: it has 3.'],
    ["three.pdf#page=two", "input_refused: Pages are such as"],
    ["locked.pdf", 'file_refused: "locked.pdf" is encrypted: it opens with a password only.'],
    ["damaged.pdf", 'file_refused: "damaged.pdf" is damaged, or no PDF.'],
    ["endless.pdf", 'too_large: "endless.pdf" is a PDF of 3000 GB; those up to 33.6 MB are read.'],
  ])("attack 102: %s is refused", async (note, words) => {
    const answer = await session.call("read_notes", { notes: [note] });
    expect([answer.isError, answer.text.startsWith(words)]).toEqual([true, true]);
  });

  test("lines of several pages are refused", async () => {
    const answer = await session.call("read_notes", { notes: ["three.pdf"], lines: "1-2" });
    expect(answer.text).toContain('Lines of a PDF are those of one page: name it, "three.pdf#page=1"');
  });
});

describe("attack 102: a PDF made to do harm", () => {
  test("that unfolds to more memory than there is is given up", async () => {
    const bomb = pagesOf([Buffer.alloc(300_000_000, 32)]);
    const before = process.memoryUsage.rss();
    expect(await said(bomb, { megabytes: 16 })).toBe("needs more than 16 MB of memory to be read");
    expect(process.memoryUsage.rss() - before).toBeLessThan(250_000_000);
  });

  test("that takes too long is given up, and so is one that nobody waits for any more", async () => {
    const slow = () => pagesOf([Buffer.from("BT /F1 12 Tf (x) Tj ET ".repeat(500_000))]);
    expect(await said(slow(), { milliseconds: 50 })).toBe("takes longer than 0.05 seconds to be read");
    const gone = new AbortController();
    const read = openPdfReader(BUILT);
    const reading = read(slow(), { from: 1, to: 1 }, gone.signal);
    setTimeout(() => gone.abort(new Error("nobody waits")), 20);
    await expect(reading).rejects.toThrow("nobody waits");
    await expect(read(slow(), { from: 1, to: 1 }, gone.signal)).rejects.toThrow("nobody waits");
  });

  test("with pages in pages in pages, each many times, is read as far as asked, or given up", async () => {
    const kids = (of: number) => `[${`${of} 0 R `.repeat(10)}]`;
    const levels = Array.from(
      { length: 8 },
      (_, at) => `<< /Type /Pages /Kids ${kids(at + 3)} /Count ${10 ** (8 - at)} >>`,
    );
    const page = "<< /Type /Page /MediaBox [0 0 9 9] /Resources << >> >>";
    const bomb = pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", ...levels, page]);
    expect(await said(bomb, { milliseconds: 5000 })).toMatch(/^(?:\|\|)?$|is damaged|takes longer/);
  });

  test("with objects that name themselves, or none, is damaged", async () => {
    expect(await said(pdfOf(["<< /Type /Catalog /Pages 1 0 R >>"]))).toMatch(/is damaged|has no such page/);
    expect(await said(pdfOf(["<< /Type /Catalog /Pages 9 0 R >>"]))).toMatch(/is damaged|has no such page/);
    expect(await said(Buffer.from("%PDF-1.7 and nothing"))).toBe("is damaged, or no PDF");
  });
});

test("without the package one sentence says how to get it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-pdf-"));
  copyFileSync(BUILT, join(folder, "pdf-thread.cjs"));
  expect(await said(textPdf("x"), {}, join(folder, "pdf-thread.cjs"))).toBe(
    "is a PDF, and the package that reads those is not installed: add it with npm install unpdf@1.7.0 where notewright is installed, or npx -y -p unpdf@1.7.0 -p notewright notewright …",
  );
  rmSync(folder, { recursive: true });
});
