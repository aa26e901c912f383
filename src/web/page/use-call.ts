/** A call whose answer a screen shows: asked again when its input changes, and when something happened that may change the answer. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PageEvent, Refusal } from "../wire.ts";
import { refusalOf, useApp } from "./app.ts";
import { openAsking, type Asking } from "./asking.ts";

/** The last good answer stays while another is asked for. */
export type Asked<T> = {
  value: T | null;
  refusal: Refusal | null;
  /** Ends when the answer is there. */
  again(): Promise<void>;
  /** How many calls have begun, and which of them the answer is to. */
  begun(): number;
  answer: number;
};

/** Whether an event calls for asking again, given what is shown; an object is what is asked for besides then. */
export type Calls<T = unknown> = (event: PageEvent, shown: T | null) => boolean | object;

/** Whether the server was gone when it was last asked, and is back. */
export const isBack = ({ kind }: PageEvent, refusal: Refusal | null): boolean =>
  kind === "open" && refusal?.code === "gone";

export const useCall = <T>(name: string, input: object | null, on: Calls<T> = () => false): Asked<T> => {
  const app = useApp();
  const value = useSignal<T | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const answer = useSignal(0);
  const begun = useRef(0);
  const asking = useRef<Asking>(null);
  const calls = useRef(on);
  calls.current = on;
  // At once: an effect would wait for a frame.
  useLayoutEffect(() => {
    value.value = null;
    refusal.value = null;
    if (input === null) return undefined;
    const leaving = new AbortController();
    const ask = async (besides: object): Promise<void> => {
      const call = ++begun.current;
      try {
        const given = await app.server.call<T>(name, { ...input, ...besides }, leaving.signal);
        if (leaving.signal.aborted) return;
        value.value = given;
        answer.value = call;
        refusal.value = null;
      } catch (error) {
        if (!leaving.signal.aborted) refusal.value = refusalOf(error) ?? refusal.value;
      }
    };
    const made = openAsking(ask);
    asking.current = made;
    void made.again();
    const stop = app.onEvent((event) => {
      const besides =
        event.kind === "reset" || isBack(event, refusal.value) || calls.current(event, value.value);
      if (besides) made.heard(besides === true ? {} : besides);
    });
    return () => {
      leaving.abort();
      made.stop();
      stop();
    };
  }, [name, JSON.stringify(input)]);
  return {
    value: value.value,
    refusal: refusal.value,
    again: async () => asking.current?.again(),
    begun: () => begun.current,
    answer: answer.value,
  };
};
