/** A workspace's history on its way out: a git bundle, streamed as it is made. */

import { refusal } from "../http/answers.ts";
import type { RowsHistory } from "../history/rows.ts";

export const bundleResponse = async (history: RowsHistory): Promise<Response> => {
  const pieces = await history.bundle();
  if (!pieces) return refusal(404, "Nothing has been recorded yet.", {}, "not_found");
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/x-git-bundle",
      "content-disposition": 'attachment; filename="history.bundle"',
      "cache-control": "no-store",
    },
  });
};
