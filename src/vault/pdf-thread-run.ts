/** What runs in the thread of a PDF (pdf-thread.ts): the text of some of its pages. No font is loaded, nothing is fetched, and no code of the file is run. */

import { parentPort, workerData } from "node:worker_threads";
import type { PdfAnswer, PdfWork } from "./pdf-thread.ts";

/** Characters of all pages together, once there is one page; and of one page. */
const TEXTS = 60_000;
const PAGE = 1_000_000;

const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  enableXfa: false,
  verbosity: 0,
  // The package would take these from another one, where that is installed.
  standardFontDataUrl: undefined,
  cMapUrl: undefined,
} as const;

type Unpdf = typeof import("unpdf");
type Page = Awaited<ReturnType<Awaited<ReturnType<Unpdf["getDocumentProxy"]>>["getPage"]>>;

void answer(workerData as PdfWork).then((value) => parentPort!.postMessage(value, []));

async function answer({ bytes, from, to }: PdfWork): Promise<PdfAnswer> {
  for (const name of ["fetch", "WebSocket", "XMLHttpRequest"]) Reflect.deleteProperty(globalThis, name);
  const unpdf = await loaded();
  if (unpdf === null) return { no: "package" };
  try {
    const pdf = await unpdf.getDocumentProxy(bytes, OPTIONS);
    const pages = pdf.numPages;
    if (from > pages) return { no: "page", pages };
    const texts: string[] = [];
    for (let at = from, length = 0; at <= Math.min(to, pages) && length < TEXTS; at++) {
      const text = await textOf(await pdf.getPage(at));
      texts.push(text);
      length += text.length;
    }
    return { pages, texts };
  } catch (error) {
    return { no: (error as Error).name === "PasswordException" ? "password" : "document" };
  }
}

async function loaded(): Promise<Unpdf | null> {
  try {
    return await import("unpdf");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** A page is read piece by piece, and no further than there is room. */
async function textOf(page: Page): Promise<string> {
  const reader = page.streamTextContent().getReader();
  let text = "";
  for (let step = await reader.read(); !step.done && text.length < PAGE; step = await reader.read())
    for (const item of step.value.items) if ("str" in item) text += item.str + (item.hasEOL ? "\n" : "");
  await reader.cancel();
  page.cleanup();
  // Half a character is in no text that a client could read.
  return text.slice(0, PAGE).replace(/\p{Surrogate}/gu, "\ufffd");
}
