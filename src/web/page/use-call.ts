/** A call whose answer a screen shows: asked again when its input changes, and when something happened that may change the answer. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { PageEvent, Refusal } from "../wire.ts";
import { refusalOf, useApp } from "./app.ts";

/** The last good answer stays while another is asked for. */
export type Asked<T> = { value: T | null; refusal: Refusal | null; again(): void };

/** Whether an event calls for asking again; an object is what is asked for besides then. */
export type Calls = (event: PageEvent) => boolean | object;

export const useCall = <T>(name: string, input: object | null, on: Calls = () => false): Asked<T> => {
  const app = useApp();
  const value = useSignal<T | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const turn = useSignal<object>({});
  const key = JSON.stringify(input);
  useLayoutEffect(() => {
    value.value = null;
    refusal.value = null;
  }, [name, key]);
  // At once: an effect would wait for a frame.
  useLayoutEffect(() => {
    if (input === null) return undefined;
    const leaving = new AbortController();
    app.server
      .call<T>(name, { ...input, ...turn.value }, leaving.signal)
      .then((answer) => {
        value.value = answer;
        refusal.value = null;
      })
      .catch((error: unknown) => {
        refusal.value = refusalOf(error) ?? refusal.value;
      });
    return () => leaving.abort();
  }, [name, key, turn.value]);
  useEffect(
    () =>
      app.onEvent((event) => {
        const besides = event.kind === "reset" || on(event);
        if (besides) turn.value = besides === true ? {} : { ...besides };
      }),
    [key],
  );
  return { value: value.value, refusal: refusal.value, again: () => void (turn.value = {}) };
};
