/** Fetches a client's metadata document from a Worker, which reaches the public internet alone. Only after the owner has signed in. */

import { DOCUMENT_SIZE, DOCUMENT_TIME, type FetchDocument } from "../oauth/client-document.ts";

/** Numbers, and names that no public server has. */
const CLOSED = /^[\d.]+$|^\[|^[^.]+$|\.(?:localhost|local|internal|home\.arpa|test|invalid)$/;

export const fetchDocument: FetchDocument = async (address) => {
  const { protocol, hostname } = new URL(address);
  if (protocol !== "https:") return { refused: "its address does not begin with https" };
  if (CLOSED.test(hostname)) return { refused: "its host is not on the public internet" };
  const signal = AbortSignal.timeout(DOCUMENT_TIME);
  try {
    const answer = await fetch(address, {
      redirect: "manual",
      headers: { accept: "application/json" },
      signal,
    });
    if (answer.status >= 300 && answer.status < 400)
      return { refused: "it is somewhere else by now, and redirects are not followed" };
    if (answer.status !== 200) return { refused: `its host answered with ${answer.status}` };
    return await textOf(answer);
  } catch {
    return { refused: signal.aborted ? "it did not come in time" : "its host cannot be reached" };
  }
};

const textOf = async (answer: Response): Promise<{ text: string } | { refused: string }> => {
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  let [text, size] = ["", 0];
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { text: text + decoder.decode() };
    size += value.byteLength;
    if (size > DOCUMENT_SIZE) {
      void reader?.cancel().catch(() => undefined);
      return { refused: `it is larger than ${DOCUMENT_SIZE} bytes` };
    }
    text += decoder.decode(value, { stream: true });
  }
};
