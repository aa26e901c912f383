/** Activity: which calls clients of this server made, as they are made. What was said in them is not kept. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Call, Calls } from "../../wire.ts";
import { useApp } from "../app.ts";
import { LongRest } from "../parts/long-list.tsx";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

/** So many stand in one answer. */
const PAGE = 100;

export const Activity = () => {
  const app = useApp();
  const { value } = useCall<Calls>("activity", {});
  const later = useSignal<Call[]>([]);
  useTitle("Activity");
  useEffect(
    () =>
      app.onEvent((event) => {
        if (event.kind === "call") later.value = [event.call, ...later.value].slice(0, PAGE);
      }),
    [],
  );
  const known = new Map([...later.value, ...(value?.calls ?? [])].map((call) => [call.id, call]));
  const calls = [...known.values()].slice(0, PAGE);
  return (
    <article>
      <header class="page-head">
        <h1>Activity</h1>
        <p class="meta">
          What apps connected over HTTP did, newest first. Apps that start Notewright themselves appear only
          on the <a href="#/">home page</a>, when they change something.
        </p>
      </header>
      {value && calls.length === 0 && <p>No app has done anything since the server started.</p>}
      <CallList calls={calls} />
      {value && (
        <LongRest<Calls>
          call="activity"
          input={{}}
          size={PAGE}
          first={value}
          show={(page) => <CallList calls={page.calls.filter(({ id }) => !known.has(id))} />}
        />
      )}
    </article>
  );
};

const CallList = ({ calls }: { calls: readonly Call[] }) => (
  <ol class="calls" hidden={calls.length === 0}>
    {calls.map((call) => (
      <li key={call.id}>
        <b>{seen(call.who)}</b>
        {call.program !== call.who && <span class="meta"> ({seen(call.program)})</span>}{" "}
        {seen(call.tool.replaceAll("_", " "))}{" "}
        {call.paths.slice(0, 3).map((path) => (
          <>
            {path.endsWith(".md") ? (
              <a href={noteAddress(path)}>{seen(nameOf(path))}</a>
            ) : (
              seen(nameOf(path))
            )}{" "}
          </>
        ))}
        {call.paths.length > 3 && `and ${call.paths.length - 3} more `}
        <span class="meta">
          {momentOf(new Date(call.at))}
          {` · ${call.milliseconds.toLocaleString("en-US")} ms`}
          {call.outcome !== "done" && ` · ${seen(call.outcome.replaceAll("_", " "))}`}
        </span>
      </li>
    ))}
  </ol>
);
