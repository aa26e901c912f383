/** Home: search as one types; beneath it what changed. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useApp, type App } from "../app.ts";
import { HitList } from "../parts/hit-list.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { UnsavedNotes } from "../parts/unsaved.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { WhatChanged } from "../parts/what-changed.tsx";
import { searchAddress } from "../route.ts";
import { useSearch } from "../use-search.ts";
import { useTitle } from "./screen.tsx";

export const Home = ({ query }: { query: string }) => {
  const app = useApp();
  const typed = useSignal(query);
  const { found, refusal, ask } = useSearch();
  const field = useRef<HTMLInputElement>(null);
  useTitle(typed.value);
  const address = useAddress(app);
  // Before the next key: an effect after the frame would set back what was typed meanwhile.
  useLayoutEffect(() => {
    address.forget();
    ask(query);
    if (typed.value !== query) typed.value = query;
  }, [query]);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const search = (words: string): void => {
    ask(words);
    typed.value = words;
    address.follow(words);
  };
  // Enter means the hits of what is typed: where they are not there yet, they are waited for.
  const goes = useRef(false);
  const isThere = found !== null && found.query === typed.value.trim();
  useLayoutEffect(() => {
    if (goes.current && isThere) openFirst();
    if (isThere) goes.current = false;
  }, [found, isThere]);
  // A key alone draws no hit anew: the list stays the same until there are others.
  const hits = useMemo(() => found && <HitList hits={found.hits} query={found.query} />, [found]);
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
          onBlur={address.settle}
          onKeyDown={(event) => {
            // Enter then ends the writing of a word in Japanese, Chinese or Korean.
            if (event.isComposing) return;
            goes.current = event.key === "Enter" && !isThere;
            if (event.key === "Escape") search("");
            if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".hits a")?.focus();
            if (event.key === "Enter") address.settle();
            if (event.key === "Enter" && isThere) openFirst();
          }}
        />
      </search>
      {refusal && <RefusalLine refusal={refusal} />}
      {typed.value.trim() === "" ? (
        <>
          <Waiting />
          <UnsavedNotes />
          <WhatChanged />
        </>
      ) : (
        hits
      )}
    </>
  );
};

/** Milliseconds after the last key until the address says what is typed: hits come first. */
const FOLLOWS = 300;

/** The address follows what is typed, without a step of its own for each letter; at once where the field is left. */
const useAddress = (app: App) => {
  const waits = useRef<{ words: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const forget = (): void => {
    clearTimeout(waits.current?.timer);
    waits.current = null;
  };
  const settle = (): void => {
    if (!waits.current) return;
    const { words } = waits.current;
    forget();
    history.replaceState(null, "", searchAddress(words.trim()));
    app.route.value = { screen: "home", query: words };
  };
  const follow = (words: string): void => {
    forget();
    waits.current = { words, timer: setTimeout(settle, FOLLOWS) };
  };
  useEffect(() => forget, []);
  return { follow, settle, forget };
};

const openFirst = (): void => document.querySelector<HTMLElement>(".hits a")?.click();
