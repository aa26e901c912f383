/** A search while its words are typed: asked for with the very key, before anything is drawn; the last hits stay until the next are there. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Hits, Refusal } from "../wire.ts";
import { refusalOf, useApp } from "./app.ts";
import { openAsking } from "./asking.ts";
import { isBack } from "./use-call.ts";

/** Hits, and what they are the hits of. */
export type FoundFor = { query: string; hits: Hits };
export type Search = { found: FoundFor | null; refusal: Refusal | null; ask(words: string): void };

/** `more`: what is asked for besides the words. */
export const useSearch = (more: { limit?: number } = {}): Search => {
  const app = useApp();
  const found = useSignal<FoundFor | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const asked = useRef("");
  const leaving = useRef(new AbortController());

  const look = async (): Promise<void> => {
    const query = asked.current;
    if (query === "") return;
    leaving.current = new AbortController();
    try {
      const hits = await app.server.call<Hits>("search", { query, ...more }, leaving.current.signal);
      if (query !== asked.current) return;
      found.value = { query, hits };
      refusal.value = null;
    } catch (error) {
      const said = refusalOf(error);
      // A query may be half typed.
      if (said && said.code !== "query_malformed") refusal.value = said;
    }
  };
  const asking = useRef(openAsking(look));
  useEffect(() => {
    const stop = app.onEvent((event) => {
      const { kind } = event;
      if (isBack(event, refusal.value) || (found.value && (kind === "note" || kind === "reset")))
        asking.current.heard({});
    });
    return () => {
      stop();
      asking.current.stop();
      leaving.current.abort();
    };
  }, []);
  return {
    found: found.value,
    refusal: refusal.value,
    ask(words) {
      const query = words.trim();
      if (query === asked.current) return;
      asked.current = query;
      leaving.current.abort();
      if (query !== "") return void asking.current.again();
      found.value = null;
      refusal.value = null;
    },
  };
};
