/** The body of a request: read with a bound on its size, its time and what all bodies take together, then parsed with a bound on its depth. */

import { tooNested } from "../markdown/nesting.ts";
import { refusal } from "./answers.ts";
import type { Limits } from "./limits.ts";
import type { From, Pieces } from "./parts.ts";

export type Bodies = {
  /** The bytes of the body, or the answer that refuses it. Whoever got bytes gives them back with `done`. */
  read(
    request: Request,
    from: From,
    kind?: BodyKind,
  ): Promise<{ bytes: Uint8Array; done(): void } | Response>;
};

/** Which types are taken, and how many bytes; a page of another origin may send types but JSON without asking first. */
export type BodyKind = { types: RegExp; called: string; most: number };

type BodyLimits = Pick<Limits, "body" | "bodies" | "bodyTime" | "longBodyTime" | "bodyRate">;

export const openBodies = (limits: BodyLimits): Bodies => {
  let held = 0;
  const crowded = (): Response =>
    refusal(503, "Too many large requests are under way. Try again in a moment.", { "retry-after": "1" });
  const json: BodyKind = {
    types: /^application\/json\s*(?:;|$)/i,
    called: "application/json",
    most: limits.body,
  };

  return {
    async read(request, from, { types, called, most } = json) {
      const tooLarge = (): Response =>
        refusal(413, `The body is larger than ${most / 1024} KiB.`, { connection: "close" });
      const encoding = request.headers.get("content-encoding");
      if (encoding !== null && encoding !== "identity")
        return refusal(415, "Compressed bodies are not taken.", { connection: "close" });
      if (!types.test(request.headers.get("content-type") ?? ""))
        return refusal(415, `The body must be of the type ${called}.`, { connection: "close" });
      if (Number(request.headers.get("content-length") ?? 0) > most) return tooLarge();
      const pieces = from.body ?? (request.body && piecesOf(request.body));
      if (pieces === null) return { bytes: new Uint8Array(), done: () => undefined };
      let size = 0;
      const done = (): void => {
        held -= size;
        size = 0;
      };
      const take = (bytes: number): Response | null => {
        [size, held] = [size + bytes, held + bytes];
        if (size > most) return tooLarge();
        return held > limits.bodies ? crowded() : null;
      };
      // A client may go in the middle of its body; nobody sees the answer.
      const taken = await collected(pieces, limits, take).catch(() => refusal(400, "The body broke off."));
      if (taken instanceof Response) {
        done();
        return taken;
      }
      return { bytes: joined(taken, size), done };
    },
  };
};

/** Hands on a request of signing in whose body, a form or a registration of so many bytes, has been read; or refuses it. */
export const withForm = async (
  bodies: Bodies,
  most: number,
  request: Request,
  from: From,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> => {
  if (request.method !== "POST") return answer(request);
  const types = /^application\/(?:json|x-www-form-urlencoded)\s*(?:;|$)/i;
  const called = "application/x-www-form-urlencoded or application/json";
  const taken = await bodies.read(request, from, { types, called, most });
  if (taken instanceof Response) return taken;
  const { url, headers } = request;
  const body = new TextDecoder().decode(taken.bytes);
  try {
    return await answer(new Request(url, { method: "POST", headers, body }));
  } finally {
    taken.done();
  }
};

/** The pieces of a body that is a stream. */
const piecesOf =
  (body: ReadableStream<Uint8Array>): Pieces =>
  async (take) => {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (!take(value)) return void reader.cancel().catch(() => undefined);
    }
  };

/** The answer must be there, and the socket closed, before the time is over: so much of it is given to the body. */
const IN_TIME = 29 / 30;

/** The pieces as they come, until `take` refuses one or they come too slowly. */
const collected = (
  from: Pieces,
  limits: BodyLimits,
  take: (bytes: number) => Response | null,
): Promise<Uint8Array[] | Response> =>
  new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    const begun = performance.now();
    let size = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const end = (taken: Uint8Array[] | Response): void => {
      ended = true;
      clearTimeout(timer);
      resolve(taken);
    };
    /** A body may take as long as it keeps coming at the rate, between the two limits. */
    const wait = (): void => {
      const earned = Math.min((size / limits.bodyRate) * 1000, limits.longBodyTime);
      const left = Math.max(limits.bodyTime, earned) * IN_TIME - (performance.now() - begun);
      if (left <= 0) end(refusal(408, "The body came too slowly.", { connection: "close" }));
      else timer = setTimeout(wait, left);
    };
    wait();
    from((piece) => {
      if (ended) return false;
      size += piece.byteLength;
      const refused = take(piece.byteLength);
      if (refused) end(refused);
      else pieces.push(piece);
      return refused === null;
    }).then(
      () => end(pieces),
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

const joined = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
};

/** The value of a JSON text, or the answer that refuses it. */
export const parsedJson = (bytes: Uint8Array): { value: unknown } | Response => {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return parseError("The body is not UTF-8.");
  }
  const much = tooNested(text);
  if (much !== null) return parseError(`The body cannot be used: ${much}.`);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseError("The body is not JSON.");
  }
};

/** As the protocol has it for a message that cannot be read. */
const parseError = (message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32700, message } }, { status: 400 });
