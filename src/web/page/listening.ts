/** Events: one tab of a browser reads them for all its tabs, because a browser keeps six connections to a server, and a seventh tab would wait for ever. */

import type { PageEvent } from "../wire.ts";

/** What the reading tab tells the others; `asks` is a tab that has just been opened. */
type Told = { id: string; event: PageEvent } | { there: boolean } | { asks: true };

type Listener = {
  headers(): Record<string, string>;
  heard(event: PageEvent): void;
  there(there: boolean): void;
  expelled(): void;
};

/** Listens to what comes after an event until the token is no good any more. The tab that reads holds a lock; when it is closed, the next one reads on after the last event that it was told of. */
export const listening = async (after: string, listener: Listener): Promise<void> => {
  const name = `notewright events ${location.pathname}`;
  const others = new BroadcastChannel(name);
  let last = after;
  let reads = false;
  let isThere = true;
  const take = (told: Told): void => {
    if ("there" in told) listener.there((isThere = told.there));
    if ("id" in told) {
      last = told.id;
      listener.heard(told.event);
    }
  };
  // A channel has no origin but our own.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const pass = (told: Told): void => others.postMessage(told);
  const tell = (told: Told): void => {
    pass(told);
    take(told);
  };
  others.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    if ("asks" in data) {
      if (reads) for (const told of [{ there: isThere }, { id: last, event: OPEN }]) pass(told);
      return;
    }
    // The reading tab is further than this one, which was opened just now: nobody told it of what lies between.
    const isBehind = "id" in data && data.event.kind === "open" && !isReached(data.id, last);
    take(isBehind ? { id: data.id, event: { kind: "reset" } } : data);
  });
  pass({ asks: true });
  const read = (told: (told: Told) => void): Promise<void> => reading(listener, () => last, told);
  // Locks are kept from pages that another computer sends without encryption: there each tab reads for itself.
  if (!navigator.locks) await read(take);
  else
    await navigator.locks.request(name, () => {
      reads = true;
      return read(tell);
    });
  others.close();
};

const OPEN: PageEvent = { kind: "open" };

/** Whether an event is that one, or comes before it. Ids are those of one run of the server, and a number. */
export const isReached = (id: string, last: string): boolean => {
  const [run, number] = partsOf(id);
  const [lastRun, lastNumber] = partsOf(last);
  return run === lastRun && number <= lastNumber;
};
const partsOf = (id: string): [string, number] => {
  const dot = id.lastIndexOf(".");
  return [id.slice(0, dot), Number(id.slice(dot + 1))];
};

/** Milliseconds until the next try, at first and at most. */
const [SOON, LATE] = [500, 8000];

const reading = async (
  { headers, expelled }: Listener,
  last: () => string,
  tell: (told: Told) => void,
): Promise<void> => {
  for (let pause = SOON; ; pause = Math.min(pause * 2, LATE)) {
    try {
      const response = await fetch("api/events", { headers: { ...headers(), "last-event-id": last() } });
      if (response.status === 401) return expelled();
      if (response.ok && response.body) {
        tell({ there: true });
        pause = SOON;
        for await (const told of eventsIn(response.body)) tell(told);
        continue;
      }
    } catch {
      // The next try tells more.
    }
    tell({ there: false });
    await new Promise((done) => setTimeout(done, pause));
  }
};

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; event: PageEvent }> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, id = "", data] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (data !== undefined) yield { id, event: JSON.parse(data) as PageEvent };
    }
  }
}
