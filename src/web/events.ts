/** Events: what a page is told while it is open, each with an id. The last thousand are kept, so that a page that lost its connection catches up. */

import type { Notebook } from "../notebook/notebook.ts";
import type { PageEvent } from "./wire.ts";

export type Events = {
  /** Tells every open page. */
  tell(event: PageEvent): void;
  /** The id of the newest event. From now on all are kept, so that a stream can begin after it. */
  at(): string;
  /** A stream of what came after the event of that id, and of what comes; null where there are too many. `token`: whose it is. */
  stream(after: string | null, token?: string): Response | null;
  /** Ends the streams of a token that is no good any more. */
  endOf(token: string): void;
  close(): void;
};

export type EventLimits = {
  /** How many events are kept. */
  ring: number;
  /** How many streams are open at once. */
  streams: number;
  /** Milliseconds after which a stream ends; the page opens another. */
  life: number;
  /** Milliseconds between two comment lines, which keep a stream open through proxies. */
  keepAlive: number;
  /** How many bytes of events may wait for a page that does not read; then its stream ends. */
  waiting: number;
  /** Milliseconds for which events are gathered: whoever made the change is answered first, and what one call did is sent together. */
  gather: number;
};
export const EVENT_LIMITS: EventLimits = {
  ring: 1000,
  streams: 100,
  life: 10 * 60_000,
  keepAlive: 25_000,
  waiting: 1024 * 1024,
  gather: 10,
};

/** Whatever else tells of events, until the function that it gives is called. */
export type Source = (tell: (event: PageEvent) => void) => () => void;

type Line = { at: number; text: string };
type Stream = { token: string; send(text: string): void; end(): void };

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };

/** `boot` tells the ids of this server from those of an earlier one. */
export const openEvents = (
  notebook: Notebook,
  boot: string,
  { limits = EVENT_LIMITS, others = [] }: { limits?: EventLimits; others?: readonly Source[] } = {},
): Events => {
  const ring: Line[] = [];
  const streams = new Set<Stream>();
  let last = 0;
  let stops: (() => void)[] | null = null;
  let gathered: string[] = [];
  let sending: ReturnType<typeof setTimeout> | undefined;

  const tell = (event: PageEvent): void => {
    last++;
    const line = { at: last, text: lineOf(`${boot}.${last}`, event) };
    ring.push(line);
    if (ring.length > limits.ring) ring.shift();
    if (streams.size === 0) return;
    gathered.push(line.text);
    sending ??= setTimeout(sendGathered, limits.gather);
  };
  const sendGathered = (): void => {
    clearTimeout(sending);
    sending = undefined;
    // More than is kept at once: whoever lists anything asks again.
    const isMuch = gathered.length > limits.ring;
    const text = isMuch ? lineOf(`${boot}.${last}`, { kind: "reset" }) : gathered.join("");
    gathered = [];
    if (text !== "") for (const stream of streams) stream.send(text);
  };
  // Nobody listens to the notebook before the first page is open: then no change costs more.
  const listen = (): void => {
    stops ??= [
      notebook.onChange(({ notes }) => {
        for (const { path, version, listed } of notes)
          tell({ kind: "note", path, how: version === null ? "went" : listed ? "came" : "changed" });
      }),
      ...others.map((listenTo) => listenTo(tell)),
    ];
  };
  /** What the page has missed; where that is no longer known it is told to begin anew. */
  const missed = (after: string | null): string[] => {
    if (after === null) return [];
    const [id, number] = [
      after.slice(0, after.lastIndexOf(".")),
      Number(after.slice(after.lastIndexOf(".") + 1)),
    ];
    const known = id === boot && number <= last && number >= last - ring.length;
    if (!known) return [lineOf(`${boot}.${last}`, { kind: "reset" })];
    return ring.filter(({ at }) => at > number).map(({ text }) => text);
  };

  return {
    tell,
    at() {
      listen();
      return `${boot}.${last}`;
    },
    stream(after, token = "") {
      if (streams.size >= limits.streams) return null;
      listen();
      sendGathered();
      const body = streamOf(streams, token, limits, () => [
        lineOf(`${boot}.${last}`, { kind: "open" }),
        ...missed(after),
      ]);
      return new Response(body, { headers: HEADERS });
    },
    endOf(token) {
      for (const stream of streams) if (stream.token === token) stream.end();
    },
    close() {
      clearTimeout(sending);
      for (const stop of stops ?? []) stop();
      for (const stream of streams) stream.end();
    },
  };
};

const lineOf = (id: string, event: PageEvent): string => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;

/** One page's stream: it is among `streams` for as long as it is open, and begins with what `first` gives. */
const streamOf = (
  streams: Set<Stream>,
  token: string,
  { waiting, keepAlive, life }: EventLimits,
  first: () => string[],
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let stream: Stream;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string): void => {
          if ((controller.desiredSize ?? 0) < -waiting) return stream.end();
          controller.enqueue(encoder.encode(text));
        };
        const beat = setInterval(() => send(":\n\n"), keepAlive);
        const over = setTimeout(() => stream.end(), life);
        stream = {
          token,
          send,
          end() {
            clearInterval(beat);
            clearTimeout(over);
            if (streams.delete(stream)) controller.close();
          },
        };
        streams.add(stream);
        for (const text of first()) send(text);
      },
      cancel() {
        streams.delete(stream);
        stream.end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
  );
};
