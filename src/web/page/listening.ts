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

/** Listens until the token is no good any more. The tab that reads holds a lock; when it is closed, the next one reads on after the last event that it was told of. */
export const listening = async (listener: Listener): Promise<void> => {
  const name = `notewright events ${location.pathname}`;
  const others = new BroadcastChannel(name);
  let last: string | null = null;
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
    if (!("asks" in data)) return take(data);
    if (!reads) return;
    pass({ there: isThere });
    if (last !== null) pass({ id: last, event: { kind: "open" } });
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

/** Milliseconds until the next try, at first and at most. */
const [SOON, LATE] = [500, 8000];

const reading = async (
  { headers, expelled }: Listener,
  last: () => string | null,
  tell: (told: Told) => void,
): Promise<void> => {
  for (let pause = SOON; ; pause = Math.min(pause * 2, LATE)) {
    try {
      const after = last();
      const more: Record<string, string> = after === null ? {} : { "last-event-id": after };
      const response = await fetch("api/events", { headers: { ...headers(), ...more } });
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
