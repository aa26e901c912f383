/** What runs in the second thread of a first indexing (index-thread.ts): slices of notes come in, and go out ready. */

import { parentPort } from "node:worker_threads";
import { readyNotes, type MakeReady } from "../sqlite/new-notes.ts";
import type { Answer } from "./index-thread.ts";

parentPort!.on("message", (given: Parameters<MakeReady>) => parentPort!.postMessage(answerTo(given), []));

function answerTo(given: Parameters<MakeReady>): Answer {
  try {
    return readyNotes(...given);
  } catch {
    return "failed";
  }
}
