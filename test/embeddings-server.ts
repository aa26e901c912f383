/** An embeddings endpoint on loopback: real vectors of a simple kind (letters in threes, of words brought together by a small table), and every way to misbehave. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Conduct =
  | "well"
  | "fails"
  | "stalls"
  | "too few"
  | "sizes differ"
  | "another size"
  | "no numbers"
  | "zeros"
  | "redirects"
  | "floods"
  | "no json"
  | "refuses zebras"
  | "hangs up";

export type EmbeddingsServer = {
  origin: string;
  conduct: Conduct;
  /** What it was asked: paths, keys and texts. */
  asked: { path: string; key: string | undefined; model: string; texts: string[] }[];
  /** Where redirects lead. */
  elsewhere: number;
  close(): Promise<void>;
};

/** Words that mean the same, as far as this goes. */
const SAME = [
  ["car", "automobile", "vehicle", "motorcar"],
  ["doctor", "physician", "medic"],
  ["happy", "glad", "cheerful", "joyful"],
  ["sofa", "couch", "settee"],
];
const STOP = new Set(["the", "a", "is", "of", "and", "to", "in", "my", "i", "we", "was"]);
export const SIZE = 256;

export function vectorOf(text: string, size = SIZE): number[] {
  const vector = Array.from({ length: size }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (STOP.has(word)) continue;
    const meant = SAME.find((same) => same.includes(word))?.[0] ?? word;
    const padded = ` ${meant} `;
    for (let at = 0; at + 3 <= padded.length; at++) {
      const hash = hashOf(padded.slice(at, at + 3));
      vector[hash % size]! += (hash >>> 16) & 1 ? 1 : -1;
    }
  }
  // A text without a word has some direction too.
  vector[0]! += 0.01;
  return vector;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

export async function startEmbeddings(): Promise<EmbeddingsServer> {
  const state: EmbeddingsServer = {
    origin: "",
    conduct: "well",
    asked: [],
    elsewhere: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/elsewhere")) {
      state.elsewhere++;
      response.end("{}");
    } else void answer(state, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

async function answer(
  state: EmbeddingsServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = "";
  for await (const part of request) body += String(part);
  const { model, input } = JSON.parse(body) as { model: string; input: string[] };
  const path = request.url ?? "";
  state.asked.push({ path, key: request.headers.authorization, model, texts: input });
  const send = (vectors: unknown[]): void =>
    void response.end(
      JSON.stringify(
        path.endsWith("/api/embed")
          ? { model, embeddings: vectors }
          : // In any order, as long as it is said which is which.
            { data: vectors.map((embedding, index) => ({ index, embedding })).toReversed() },
      ),
    );
  const vectors = input.map((text) => vectorOf(text));
  switch (state.conduct) {
    case "well":
      return send(vectors);
    case "fails":
      return void response.writeHead(500).end("the secret of the server");
    case "stalls":
      return;
    case "too few":
      return send(vectors.slice(1));
    case "sizes differ":
      return send(vectors.map((vector, at) => (at === vectors.length - 1 ? vector.slice(1) : vector)));
    case "another size":
      return send(input.map((text) => vectorOf(text, SIZE / 2)));
    case "no numbers":
      return send(vectors.map((vector) => [...vector.slice(1), null]));
    case "zeros":
      return send(vectors.map((vector) => vector.map(() => 0)));
    case "redirects":
      return void response.writeHead(302, { location: `${state.origin}/elsewhere` }).end();
    case "floods":
      return flood(response);
    case "no json":
      return void response.end("<html>");
    case "refuses zebras":
      return input.some((text) => text.includes("zebra"))
        ? void response.writeHead(400).end("too long")
        : send(vectors);
    case "hangs up":
      return void response.destroy();
  }
}

/** More than anybody should read. */
function flood(response: ServerResponse): void {
  const part = Buffer.alloc(1 << 20, 32);
  let sent = 0;
  const more = (): void => {
    while (sent++ < 2000) if (!response.write(part)) return void response.once("drain", more);
    response.end();
  };
  more();
}
