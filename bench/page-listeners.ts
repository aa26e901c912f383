/** Open pages as a server sees them: a stream of events each, and the calls that a page makes when it hears of a change. */

import type { Opened } from "../test/page/opened.ts";

export type Pages = { heard(): number; close(): void };

export const openPages = async (opened: Opened, count: number): Promise<Pages> => {
  const leaving = new AbortController();
  let heard = 0;
  const ask = async (token: string, name: string, input: object): Promise<void> => {
    await (await opened.api(token, name, input)).text();
  };
  const open = async (): Promise<void> => {
    const token = await opened.token();
    for (const name of ["hello", "proposals"]) await ask(token, name, {});
    await ask(token, "changes", { limit: 40 });
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${opened.base}api/events`, { headers, signal: leaving.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const listen = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        // A change that was recorded comes as its line; a page asks only for what was not told by itself.
        heard += value.split('"kind":"revision"').length - 1;
        if (value.includes('"kind":"history"')) await ask(token, "changes", { limit: 40, again: true });
      }
    };
    void listen().catch(() => undefined);
  };
  for (let at = 0; at < count; at++) await open();
  return { heard: () => heard, close: () => leaving.abort() };
};
