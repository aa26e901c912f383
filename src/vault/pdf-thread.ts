/** A thread for each PDF that is read: within bounds of time and memory, it gives the text of some pages, and ends. The package that reads PDFs is the user's to add. */

import { Worker } from "node:worker_threads";
import { NoteError } from "../markdown/errors.ts";
import type { PageRange, PdfReader, PdfText } from "../notebook/files/pdf.ts";
import { gate } from "../notebook/gate.ts";
import { builtScript } from "./built-script.ts";

/** What the thread is given; it is asked nothing else. */
export type PdfWork = PageRange & { bytes: Uint8Array };
/** What it answers: a text, or why there is none. */
export type PdfAnswer = PdfText | { no: "package" | "password" | "document" | "page"; pages?: number };

export type PdfLimits = { milliseconds: number; megabytes: number };
const LIMITS: PdfLimits = { milliseconds: 10_000, megabytes: 128 };
/** Megabytes of its young generation. */
const YOUNG = 16;
/** How often the memory of the process is looked at: buffers are not in the heap, which has a limit of its own. */
const LOOK_MS = 50;
const MEGABYTE = 1024 * 1024;
/** Megabytes that the process grows by with any PDF: the package itself, and what else goes on meanwhile. */
const OWN = 32;

const refused = (words: string): NoteError => new NoteError("file_refused", words);
const NO: Record<Exclude<PdfAnswer, PdfText>["no"], string> = {
  package:
    "is a PDF, and the package that reads those is not installed: add it with npm install unpdf@1.7.0 where notewright is installed, or npx -y -p unpdf@1.7.0 -p notewright notewright …",
  password: "is encrypted: it opens with a password only",
  document: "is damaged, or no PDF",
  page: "has no such page",
};

/** One PDF at a time: each may take all of the memory that there is for them. */
export function openPdfReader(script = builtScript("pdf-thread"), limits = LIMITS): PdfReader {
  const turn = gate(1);
  return async (bytes, range, signal) => {
    if (script === null) throw refused("is a PDF, and sources that were not built read none");
    await turn.enter(signal);
    try {
      const answer = await answerOf(script, { ...range, bytes }, limits, signal);
      if (!("no" in answer)) return answer;
      throw refused(answer.no === "page" ? `${NO.page}: it has ${answer.pages}` : NO[answer.no]);
    } finally {
      turn.leave();
    }
  };
}

async function answerOf(
  script: string,
  work: PdfWork,
  { milliseconds, megabytes }: PdfLimits,
  signal: AbortSignal | undefined,
): Promise<PdfAnswer> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const before = process.memoryUsage.rss();
  const thread = new Worker(script, {
    name: "pdf",
    workerData: work,
    transferList: [work.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: YOUNG },
    env: {},
    execArgv: [],
    // What it might print is not for our own streams.
    stdout: true,
    stderr: true,
  });
  try {
    return await new Promise<PdfAnswer>((resolve, reject) => {
      const refuse = (words: string): void => reject(refused(words));
      const tooMuch = `needs more than ${megabytes} MB of memory to be read`;
      const timer = setTimeout(
        refuse,
        milliseconds,
        `takes longer than ${milliseconds / 1000} seconds to be read`,
      );
      const look = setInterval(() => {
        if (process.memoryUsage.rss() - before > (megabytes + OWN) * MEGABYTE) refuse(tooMuch);
      }, LOOK_MS);
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { signal: ended.signal });
      ended.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        clearInterval(look);
      });
      thread.on("message", resolve);
      thread.on("error", (error: NodeJS.ErrnoException) =>
        refuse(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch : NO.document),
      );
      thread.on("exit", () => refuse(NO.document));
    });
  } finally {
    ended.abort();
    await thread.terminate();
  }
}
