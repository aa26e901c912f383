/** A call whose answer a screen shows: asked again when its input changes, and when something happened that may change the answer. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { PageEvent, Refusal } from "../wire.ts";
import { refusalOf, useApp } from "./app.ts";

/** The last good answer stays while another is asked for. */
export type Asked<T> = { value: T | null; refusal: Refusal | null; again(): void };

/** `on`: whether an event calls for asking again. */
export const useCall = <T>(
  name: string,
  input: object | null,
  on: (event: PageEvent) => boolean = () => false,
): Asked<T> => {
  const app = useApp();
  const value = useSignal<T | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const turn = useSignal(0);
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
      .call<T>(name, input, leaving.signal)
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
        if (event.kind === "reset" || on(event)) turn.value++;
      }),
    [key],
  );
  return { value: value.value, refusal: refusal.value, again: () => void turn.value++ };
};
