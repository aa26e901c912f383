/** Search as one types: asked for with the very key, before anything is drawn; the last hits stay until the next are there. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Hits, Refusal } from "../wire.ts";
import { refusalOf, useApp } from "./app.ts";

/** Hits, and what they are the hits of. */
export type FoundFor = { query: string; hits: Hits };
export type Search = { found: FoundFor | null; refusal: Refusal | null; ask(words: string): void };

export const useSearch = (): Search => {
  const app = useApp();
  const found = useSignal<FoundFor | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const asked = useRef("");
  const leaving = useRef<AbortController | null>(null);

  const look = (): void => {
    const query = asked.current;
    leaving.current?.abort();
    if (query === "") {
      found.value = null;
      refusal.value = null;
      return;
    }
    leaving.current = new AbortController();
    app.server
      .call<Hits>("search", { query }, leaving.current.signal)
      .then((hits) => {
        found.value = { query, hits };
        refusal.value = null;
      })
      .catch((error: unknown) => {
        const said = refusalOf(error);
        // A query may be half typed.
        if (said && said.code !== "query_malformed") refusal.value = said;
      });
  };
  useEffect(() => {
    const stop = app.changed.subscribe(() => {
      if (found.value) look();
    });
    return () => {
      stop();
      leaving.current?.abort();
    };
  }, []);
  return {
    found: found.value,
    refusal: refusal.value,
    ask(words) {
      const query = words.trim();
      if (query === asked.current) return;
      asked.current = query;
      look();
    },
  };
};
