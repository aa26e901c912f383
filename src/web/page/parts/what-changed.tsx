/** What changed, newest first: the same on every page that is open, as it happens. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Changes } from "../../wire.ts";
import { useApp, useAuthor } from "../app.ts";
import { undoAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { dayOf, momentOf, plural, timeOf } from "../words.ts";
import { groupsOf, notesIn, type Group } from "./groups.ts";
import { FirstRun } from "../screens/first-run.tsx";
import { RefusalLine } from "./refusal-line.tsx";
import { RevisionLine } from "./revision-line.tsx";

const PAGE = 40;
const LAST = "last here";

export const WhatChanged = () => {
  const app = useApp();
  const limit = useSignal(PAGE);
  const { value, refusal, again } = useCall<Changes>(
    "changes",
    { limit: limit.value },
    ({ kind }) => kind === "note",
  );
  const since = useLastHere();
  if (refusal && !value) return <RefusalLine refusal={refusal} again={again} />;
  if (!value) return <p class="count">Looking what changed…</p>;
  const groups = groupsOf(value.revisions.filter(({ notes }) => notes.length > 0));
  if (groups.length === 0) return <FirstRun hello={app.hello.value!} />;
  const isNew = (group: Group): boolean => since !== null && Date.parse(group.revisions[0]!.date) > since;
  const fresh = groups.filter(isNew);
  return (
    <section aria-labelledby="changed">
      <h2 id="changed">{since === null ? "What changed" : sinceWords(since, fresh)}</h2>
      <GroupList groups={fresh} />
      {fresh.length > 0 && fresh.length < groups.length && <h2>Before that</h2>}
      <GroupList groups={groups.filter((group) => !isNew(group))} />
      {value.more && limit.value < 200 && (
        <button type="button" onClick={() => (limit.value = Math.min(200, limit.value + PAGE))}>
          Older changes
        </button>
      )}
    </section>
  );
};

const sinceWords = (since: number, fresh: readonly Group[]): string => {
  const when = momentOf(new Date(since));
  const notes = fresh.reduce((sum, group) => sum + notesIn(group), 0);
  return fresh.length === 0
    ? `Nothing has changed since you were last here (${when})`
    : `Since you were last here (${when}): ${plural(notes, "note")}`;
};

/** When the page was last left, as it was remembered before this visit; remembered anew while it is shown. */
const useLastHere = (): number | null => {
  const app = useApp();
  const last = useSignal(Number(sessionStorage.getItem(LAST) ?? app.remembered(LAST) ?? Number.NaN));
  useEffect(() => {
    // One visit has one "last": coming home from a note, or loading the page anew, is no other visit.
    sessionStorage.setItem(LAST, String(last.value));
    const leave = (): void => app.remember(LAST, String(Date.now()));
    leave();
    const timer = setInterval(leave, 30_000);
    return () => clearInterval(timer);
  }, []);
  return Number.isNaN(last.value) ? null : last.value;
};

const GroupList = ({ groups }: { groups: readonly Group[] }) => (
  <ol class="groups">
    {groups.map((group) => (
      <li key={group.revisions.at(-1)!.id}>
        <GroupBlock group={group} />
      </li>
    ))}
  </ol>
);

const GroupBlock = ({ group }: { group: Group }) => {
  const { author, outside, revisions } = group;
  const [newest, oldest] = [new Date(revisions[0]!.date), new Date(revisions.at(-1)!.date)];
  const until = timeOf(oldest) === timeOf(newest) ? "" : `–${timeOf(newest)}`;
  return (
    <section class="group">
      <h3>
        <span class="author">{useAuthor()(author)}</span>{" "}
        <span class="when">
          {dayOf(newest)}, {timeOf(oldest)}
          {until}
          {outside && " · in another program"}
        </span>
        {revisions.length > 1 && (
          <a class="quiet" href={undoAddress(author, revisions.at(-1)!.date)}>
            Undo these…
          </a>
        )}
      </h3>
      <ol class="revisions">
        {revisions.map((revision) => (
          <li key={revision.id}>
            <RevisionLine revision={revision} />
          </li>
        ))}
      </ol>
    </section>
  );
};
