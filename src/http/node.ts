/** The one file with `node:http`: sockets, their sizes and times, and a Request made of each message. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atMost } from "../notebook/waiting.ts";
import { failureLine } from "../protocol/failure.ts";
import type { Limits } from "./limits.ts";
import type { Pieces } from "./parts.ts";
import type { Http } from "./router.ts";
import { isStream } from "./streams.ts";

export type Listening = {
  host: string;
  port: number;
  /** Takes no new requests, lets calls under way end for a moment, closes the rest. */
  close(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  port: number;
  limits: Limits;
  log(line: string): void;
};

export const listen = async (http: Http, { host, port, limits, log }: ListenOptions): Promise<Listening> => {
  const underWay = new Set<Promise<void>>();
  const server = createServer(
    {
      maxHeaderSize: limits.header,
      headersTimeout: limits.headersTime,
      // The body has its own limits; this one is the last resort.
      requestTimeout: limits.longBodyTime + limits.headersTime,
      connectionsCheckingInterval: Math.min(250, limits.headersTime / 4),
      keepAliveTimeout: 65_000,
    },
    (incoming, outgoing) => {
      const work = serve(http, incoming, outgoing).catch((error: unknown) => {
        log(failureLine("A request failed and was answered with an error.", error));
        if (!outgoing.headersSent) outgoing.writeHead(500);
        outgoing.end();
      });
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
  );
  server.maxConnections = limits.sockets;
  await listening(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    host: address.address,
    port: address.port,
    async close() {
      http.stop();
      server.close();
      server.closeIdleConnections();
      await atMost(limits.grace, Promise.allSettled(underWay));
      await http.close();
      server.closeAllConnections();
    },
  };
};

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });

const serve = async (http: Http, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const request = requestOf(incoming, gone.signal);
  if (!request) {
    outgoing.writeHead(400, { connection: "close" }).end();
    return;
  }
  const address = incoming.socket.remoteAddress ?? "";
  const response = await http.fetch(request, { address, body: piecesOf(incoming) });
  // What was not read of a body cannot be told from the next request.
  if (!incoming.complete && !incoming.readableEnded) response.headers.set("connection", "close");
  await send(response, outgoing);
};

/** Without its body, which is handed on beside it: a web stream for each would cost as much as reading a note. */
const requestOf = (incoming: IncomingMessage, signal: AbortSignal): Request | null => {
  const { method = "GET", url = "/", headers } = incoming;
  if (!url.startsWith("/")) return null;
  const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  try {
    const request = new Request(`http://${headers.host ?? "invalid"}${url}`, { method, headers: list });
    // Handed to the constructor it would be followed by a second signal with a finalizer, a tenth of the cost of a read.
    return Object.defineProperty(request, "signal", { value: signal });
  } catch {
    return null;
  }
};

const piecesOf =
  (incoming: IncomingMessage): Pieces =>
  (take) =>
    new Promise((resolve, reject) => {
      incoming.on("data", (piece: Uint8Array) => {
        if (take(piece)) return;
        incoming.pause();
        resolve();
      });
      incoming.on("end", resolve);
      incoming.on("error", reject);
      incoming.on("close", () => reject(new Error("The body broke off.")));
    });

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  const headers = [...response.headers].flat();
  if (!isStream(response)) {
    // An answer of one piece is written at once, with its length.
    const bytes = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(response.status, [...headers, "content-length", String(bytes.byteLength)]);
    outgoing.end(bytes);
    return;
  }
  outgoing.writeHead(response.status, headers);
  // A client waits for these before it takes a stream for open; its first line may be long in coming.
  outgoing.flushHeaders();
  const reader = response.body!.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  outgoing.on("close", cancel);
  // Whoever has gone already is not told of again.
  if (outgoing.destroyed) cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const hasRoom = outgoing.write(value);
    if (outgoing.destroyed) return;
    if (!hasRoom) await drained(outgoing);
  }
  outgoing.end();
};

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.on("drain", go);
    outgoing.on("close", go);
  });
