/** Home: search as one types; beneath it what changed. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Hits, Refusal } from "../../wire.ts";
import { refusalOf, useApp, type App } from "../app.ts";
import { HitList } from "../parts/hit-list.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { WhatChanged } from "../parts/what-changed.tsx";
import { searchAddress } from "../route.ts";
import { useTitle } from "./screen.tsx";

export const Home = ({ query }: { query: string }) => {
  const app = useApp();
  const typed = useSignal(query);
  const found = useSearch(app, typed.value);
  const field = useRef<HTMLInputElement>(null);
  useTitle(typed.value);
  // Before the next key: an effect after the frame would set back what was typed meanwhile.
  useLayoutEffect(() => {
    if (typed.value !== query) typed.value = query;
  }, [query]);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  /** The address follows what is typed, without a step of its own for each letter. */
  const search = (words: string): void => {
    typed.value = words;
    history.replaceState(null, "", searchAddress(words.trim()));
    app.route.value = { screen: "home", query: words };
  };
  return (
    <>
      <h1 class="unseen">{app.hello.value!.vault}</h1>
      <search>
        <input
          id="search"
          ref={field}
          type="search"
          aria-label="Search your notes"
          placeholder={`Search ${app.hello.value!.notes.toLocaleString("en-US")} notes`}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            search(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") search("");
            if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".hits a")?.focus();
            if (event.key === "Enter") document.querySelector<HTMLElement>(".hits a")?.click();
          }}
        />
      </search>
      {found.refusal && <RefusalLine refusal={found.refusal} />}
      {typed.value.trim() === "" ? (
        <>
          <Waiting />
          <WhatChanged />
        </>
      ) : (
        found.hits && <HitList hits={found.hits} query={typed.value.trim()} />
      )}
    </>
  );
};

/** Hits for what is typed; the last ones stay until the next are there. */
const useSearch = (app: App, typed: string): { hits: Hits | null; refusal: Refusal | null } => {
  const hits = useSignal<Hits | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const query = typed.trim();
  // At once: an effect would wait for a frame.
  useLayoutEffect(() => {
    if (query === "") {
      hits.value = null;
      return undefined;
    }
    const leaving = new AbortController();
    app.server
      .call<Hits>("search", { query }, leaving.signal)
      .then((answer) => {
        hits.value = answer;
        refusal.value = null;
      })
      .catch((error: unknown) => {
        const said = refusalOf(error);
        // A query may be half typed.
        if (said && said.code !== "query_malformed") refusal.value = said;
      });
    return () => leaving.abort();
  }, [query, app.changed.value]);
  return { hits: hits.value, refusal: refusal.value };
};
