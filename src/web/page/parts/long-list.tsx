/** The rest of a list that may be long: its pages are asked for as they come near, and let go of once they are far away. So a page of the browser never holds more than a few of them. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useCall, type Calls } from "../use-call.ts";
import { RefusalLine } from "./refusal-line.tsx";

type Props<A> = {
  /** What is asked for each page, with the `offset` at which it begins. */
  call: string;
  input: object;
  on?: Calls<A>;
  /** How many stand on a page; the first page is shown by whoever calls this. */
  size: number;
  /** `before`: the page above it, as far as it is known. */
  show(answer: A, offset: number, before: A | null): ComponentChildren;
  first: A;
};

export function LongRest<A extends { more: boolean }>({ first, ...props }: Props<A>) {
  const pages = useSignal(1);
  // Answers of pages that are near, so that a page can look at the one above it.
  const answers = useRef<A[]>([]);
  answers.current[0] = first;
  if (!first.more) return null;
  return (
    <>
      {Array.from({ length: pages.value }, (_, at) => (
        <LongPage
          key={at}
          {...props}
          offset={(at + 1) * props.size}
          before={() => answers.current[at] ?? null}
          came={(answer) => {
            answers.current[at + 1] = answer;
            if (answer.more && pages.value < at + 2) pages.value = at + 2;
          }}
          went={() => delete answers.current[at + 1]}
        />
      ))}
    </>
  );
}

type PageProps<A> = Omit<Props<A>, "first" | "size"> & {
  offset: number;
  before(): A | null;
  came(answer: A): void;
  went(): void;
};

/** How far from what is seen a page is asked for, and how high one is taken for that nobody has seen. */
const NEAR = "200px";
const ESTIMATE = 1200;

function LongPage<A extends { more: boolean }>({
  call,
  input,
  on,
  offset,
  show,
  before,
  came,
  went,
}: PageProps<A>) {
  const place = useRef<HTMLDivElement>(null);
  const near = useSignal(false);
  const height = useRef(ESTIMATE);
  const { value, refusal, again } = useCall<A>(call, near.value ? { ...input, offset } : null, on);
  useEffect(() => {
    if (value) came(value);
    else if (!near.value) went();
  }, [value, near.value]);
  useEffect(() => {
    const element = place.current!;
    const watch = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)!.isIntersecting;
        // Where the keyboard is, it stays.
        if (!isNear && element.contains(document.activeElement)) return;
        if (!isNear && near.value) height.current = element.offsetHeight;
        near.value = isNear;
      },
      { rootMargin: `${NEAR} 0px` },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={place} class="long-page" style={value ? {} : { height: `${height.current}px` }}>
      {refusal && !value && <RefusalLine refusal={refusal} again={again} />}
      {value && show(value, offset, before())}
    </div>
  );
}
