/** Fetches a client's metadata document. One of three files that open connections; it does so only after the owner has signed in. On Node. */

import { lookup } from "node:dns/promises";
import { request } from "node:https";
import { isIP } from "node:net";
import { DOCUMENT_SIZE, DOCUMENT_TIME, type FetchDocument } from "./client-document.ts";
import { isPublicAddress } from "./public-address.ts";

export type FetchOptions = {
  resolve?: (host: string) => Promise<string[]>;
  isPublic?: (address: string) => boolean;
  /** Certificates to trust, where they are not the system's. */
  ca?: string;
  /** Milliseconds for all of it. */
  time?: number;
};

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export const documentFetcher =
  ({
    resolve = addressesOf,
    isPublic = isPublicAddress,
    ca,
    time = DOCUMENT_TIME,
  }: FetchOptions = {}): FetchDocument =>
  async (address) => {
    const url = new URL(address);
    if (url.protocol !== "https:") return { refused: "its address does not begin with https" };
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const signal = AbortSignal.timeout(time);
    try {
      const found = isIP(host) > 0 ? [host] : await within(signal, resolve(host));
      const [first] = found;
      if (first === undefined) return { refused: "its host has no address" };
      // One that is not public among several is a trap.
      if (!found.every(isPublic)) return { refused: "its host is not on the public internet" };
      return await textAt(url, { host, connect: first, ca, signal });
    } catch {
      return { refused: signal.aborted ? "it did not come in time" : "its host cannot be reached" };
    }
  };

/** A name that nobody resolves must not hold the request for longer than a host that does not answer. */
const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, failed) =>
      signal.addEventListener("abort", () => failed(new Error("late")), { once: true }),
    ),
  ]);

type Target = { host: string; connect: string; ca: string | undefined; signal: AbortSignal };

/** Connects to the very address that was checked; the certificate must be the host's. Redirects are not followed. */
const textAt = (
  url: URL,
  { host, connect, ca, signal }: Target,
): Promise<{ text: string } | { refused: string }> =>
  new Promise((done, failed) => {
    const asked = request(
      {
        host: connect,
        port: url.port === "" ? 443 : Number(url.port),
        path: `${url.pathname}${url.search}`,
        ...(isIP(host) > 0 ? {} : { servername: host }),
        headers: { host: url.host, accept: "application/json", "accept-encoding": "identity" },
        agent: false,
        ...(ca === undefined ? {} : { ca }),
        signal,
      },
      (answer) => {
        const end = (result: { text: string } | { refused: string }): void => {
          done(result);
          asked.destroy();
        };
        const status = answer.statusCode ?? 0;
        if (status >= 300 && status < 400)
          return end({ refused: "it is somewhere else by now, and redirects are not followed" });
        if (status !== 200) return end({ refused: `its host answered with ${status}` });
        const pieces: Buffer[] = [];
        let size = 0;
        answer.on("data", (piece: Buffer) => {
          size += piece.length;
          if (size > DOCUMENT_SIZE) return end({ refused: `it is larger than ${DOCUMENT_SIZE} bytes` });
          pieces.push(piece);
        });
        answer.on("end", () => done({ text: Buffer.concat(pieces).toString("utf8") }));
        answer.on("error", failed);
      },
    );
    asked.on("error", failed);
    asked.end();
  });
