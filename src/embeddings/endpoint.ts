/** An endpoint that turns texts into vectors, asked over HTTP: Ollama's `/api/embed` or one that speaks as OpenAI's `/v1/embeddings`. One of three files that open connections. */

import { NoteError } from "../markdown/errors.ts";
import { isLoopback } from "../markdown/loopback.ts";

export type EndpointSettings = { url: string; model: string; key: string | undefined };

/** One vector a text, in order; or why there are none. `texts`: it was these texts that it would not take. */
export type Answer = { vectors: Float32Array[] } | { failure: string; texts?: true };
export type Endpoint = {
  model: string;
  /** Never throws, and never takes longer than `milliseconds`. */
  embed(texts: readonly string[], milliseconds: number, signal: AbortSignal): Promise<Answer>;
};

/** Far more than a batch comes to; what is longer is not read to its end. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const LONGEST_VECTOR = 8192;
/** What an endpoint says where the texts are at fault: too long, or not to its liking. */
const OF_THE_TEXTS = new Set([400, 413, 422]);

type Dialect = "ollama" | "openai";

export function openEndpoint({ url: written, model, key }: EndpointSettings): Endpoint {
  const { url, dialect } = placeOf(written, key !== undefined);
  return {
    model,
    async embed(texts, milliseconds, signal) {
      const timeout = AbortSignal.timeout(milliseconds);
      try {
        const answer = await fetch(url, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({ model, input: texts }),
          // Whoever is sent elsewhere hands notes to a place that the user did not name.
          redirect: "manual",
          signal: AbortSignal.any([timeout, signal]),
        });
        if (!answer.ok) return await refusal(answer);
        const bytes = await bytesOf(answer);
        if (bytes === null) return { failure: "its answer is too large" };
        return vectorsIn(dialect, JSON.parse(new TextDecoder().decode(bytes)), texts.length);
      } catch (error) {
        if (timeout.aborted) return { failure: `it did not answer within ${milliseconds} ms` };
        return {
          failure: error instanceof SyntaxError ? "its answer is not JSON" : "it could not be reached",
        };
      }
    },
  };
}

const refused = (message: string): NoteError => new NoteError("input_refused", message);

/** The address of an Ollama alone is enough. */
function placeOf(written: string, hasKey: boolean): { url: URL; dialect: Dialect } {
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol))
    throw refused(
      "The embeddings endpoint is no address: give one such as http://localhost:11434/api/embed or https://api.example.com/v1/embeddings.",
    );
  const url = new URL(written);
  if (url.username !== "" || url.password !== "")
    throw refused(
      "The embeddings endpoint has a name or password in its address. Give a key as NOTEWRIGHT_EMBEDDINGS_KEY in the environment.",
    );
  if (hasKey && url.protocol === "http:" && !isLoopback(url.hostname))
    throw refused("The key for embeddings would travel unprotected: give an https address.");
  if (url.pathname === "/") url.pathname = "/api/embed";
  if (url.pathname.endsWith("/v1")) url.pathname += "/embeddings";
  if (url.pathname.endsWith("/api/embed")) return { url, dialect: "ollama" };
  if (url.pathname.endsWith("/embeddings")) return { url, dialect: "openai" };
  throw refused("The path of the embeddings endpoint ends in /api/embed (Ollama) or /embeddings (OpenAI).");
}

async function refusal(answer: Response): Promise<Answer> {
  await answer.body?.cancel();
  const { status } = answer;
  if (status >= 300 && status < 400) return { failure: "it sends elsewhere, which is not followed" };
  return {
    failure: `it answered with status ${status}`,
    ...(OF_THE_TEXTS.has(status) ? { texts: true } : {}),
  };
}

/** Null where there are too many. */
async function bytesOf(answer: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > ANSWER_BYTES) return null;
    parts.push(part);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function vectorsIn(dialect: Dialect, answer: unknown, wanted: number): Answer {
  const lists = dialect === "ollama" ? listIn(answer, "embeddings") : inOrder(listIn(answer, "data"));
  if (!lists || lists.length !== wanted) return { failure: "its answer has not one vector for each text" };
  const length = Array.isArray(lists[0]) ? lists[0].length : 0;
  const vectors: Float32Array[] = [];
  for (const list of lists) {
    if (!Array.isArray(list) || list.length !== length || length < 1 || length > LONGEST_VECTOR)
      return { failure: "its vectors are not of one size" };
    const vector = new Float32Array(length);
    for (let at = 0; at < length; at++) vector[at] = typeof list[at] === "number" ? list[at] : Number.NaN;
    if (vector.some((number) => !Number.isFinite(number)) || !vector.some((number) => number !== 0))
      return { failure: "its vectors are not all numbers" };
    vectors.push(vector);
  }
  return { vectors };
}

const listIn = (answer: unknown, name: string): unknown[] | null => {
  const list = (answer as Record<string, unknown> | null)?.[name];
  return Array.isArray(list) ? list : null;
};

/** OpenAI numbers its vectors. */
function inOrder(data: unknown[] | null): unknown[] | null {
  if (!data) return null;
  const vectors = Array.from<unknown>({ length: data.length });
  data.forEach((item, at) => {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    vectors[typeof index === "number" ? index : at] = embedding;
  });
  return vectors;
}
