/** What runs in the second thread of a first indexing (index-thread.ts): slices of notes come in, and go out prepared (decision 14). */

import { parentPort } from "node:worker_threads";
import { openAnalyzer } from "../search/analyzer.ts";
import { prepareNotes, type NewSlice } from "../index/new-notes.ts";
import type { Answer } from "./index-thread.ts";

const analyzer = openAnalyzer();
parentPort!.on("message", (slice: NewSlice) => parentPort!.postMessage(answerTo(slice), []));

function answerTo(slice: NewSlice): Answer {
  try {
    return prepareNotes(analyzer, slice);
  } catch {
    return "failed";
  }
}
