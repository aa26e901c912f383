/** What changed, newest first: the same on every page that is open, as it happens. */

import type { Changes, Revision } from "../../wire.ts";
import { useApp, useAuthor } from "../app.ts";
import { useLastHere } from "../last-here.ts";
import { undoAddress } from "../route.ts";
import { movesDown, PAGE, useChanges } from "../use-changes.ts";
import { dayOf, momentOf, plural, seen, timeOf } from "../words.ts";
import { groupsOf, notesIn, type Group } from "./groups.ts";
import { LongRest } from "./long-list.tsx";
import { FirstRun } from "../screens/first-run.tsx";
import { RefusalLine } from "./refusal-line.tsx";
import { RevisionLine } from "./revision-line.tsx";

export const WhatChanged = () => {
  const app = useApp();
  const { value, refusal, again } = useChanges();
  const since = useLastHere();
  if (refusal && !value) return <RefusalLine refusal={refusal} again={again} />;
  if (!value) return <p class="count">Looking what changed…</p>;
  if (shownIn(value).length === 0 && !value.more) return <FirstRun connect={app.hello.value!.connect} />;
  return (
    <section aria-labelledby="changed">
      <h2 id="changed">{since === null ? "What changed" : sinceWords(since, value)}</h2>
      <ChangesPage changes={value} since={since} before={null} />
      <LongRest<Changes>
        call="changes"
        input={{ limit: PAGE }}
        on={movesDown}
        size={PAGE}
        first={value}
        show={(changes, _, before) => <ChangesPage changes={changes} since={since} before={before} />}
      />
    </section>
  );
};

/** A first recording names no note: nobody wrote it. */
const shownIn = ({ revisions }: Changes): Revision[] => revisions.filter(({ notes }) => notes.length > 0);

const isSince = (since: number | null, revision: Revision | undefined): boolean =>
  since !== null && revision !== undefined && Date.parse(revision.date) > since;

type PageProps = { changes: Changes; since: number | null; before: Changes | null };

/** Forty changes in their groups; where it comes to those that were seen before, it says so. */
const ChangesPage = ({ changes, since, before }: PageProps) => {
  const groups = groupsOf(shownIn(changes));
  const fresh = groups.filter(({ revisions }) => isSince(since, revisions[0]));
  const old = groups.filter((group) => !fresh.includes(group));
  const wasFresh = fresh.length > 0 || isSince(since, before?.revisions.at(-1));
  return (
    <>
      <GroupList groups={fresh} />
      {old.length > 0 && wasFresh && <h2>Before that</h2>}
      <GroupList groups={old} />
    </>
  );
};

const sinceWords = (since: number, first: Changes): string => {
  const when = momentOf(new Date(since));
  const fresh = groupsOf(shownIn(first).filter((revision) => isSince(since, revision)));
  if (fresh.length === 0) return `Nothing has changed since you were last here (${when})`;
  const notes = fresh.reduce((sum, group) => sum + notesIn(group), 0);
  const atLeast = first.more && isSince(since, first.revisions.at(-1)) ? "at least " : "";
  return `Since you were last here (${when}): ${atLeast}${plural(notes, "note")}`;
};

const GroupList = ({ groups }: { groups: readonly Group[] }) => (
  <ol class="groups" hidden={groups.length === 0}>
    {groups.map((group) => (
      <li key={group.revisions.at(-1)!.id}>
        <GroupBlock group={group} />
      </li>
    ))}
  </ol>
);

const momentIn = ({ date }: Revision): string => timeOf(new Date(date));

/** `today, 18:41–18:53`. What other programs wrote may be recorded later than it was written, so the order is not that of time. */
const spanOf = (revisions: readonly Revision[]): string => {
  const times = revisions.map(({ date }) => Date.parse(date));
  const [from, to] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  if (momentOf(from) === momentOf(to)) return momentOf(to);
  return dayOf(from) === dayOf(to)
    ? `${momentOf(from)}–${timeOf(to)}`
    : `${momentOf(from)} – ${momentOf(to)}`;
};

const GroupBlock = ({ group }: { group: Group }) => {
  const { author, outside, revisions } = group;
  const times = new Set(revisions.map(momentIn));
  // The heading says it where there is only one.
  const said = times.size === 1 ? momentIn(revisions[0]!) : "";
  return (
    <section class="group">
      <h3>
        <span class="author" title={seen(author)}>
          {useAuthor()(author)}
        </span>{" "}
        <span class="when">
          {spanOf(revisions)}
          {outside && " · in another program"}
        </span>
        {revisions.length > 1 && (
          <a class="quiet" href={undoAddress(author, { revisions: revisions.map(({ id }) => id) })}>
            Undo these…
          </a>
        )}
      </h3>
      <ol class="revisions">
        {revisions.map((revision, at) => (
          <li key={revision.id}>
            <RevisionLine revision={revision} above={at === 0 ? said : momentIn(revisions[at - 1]!)} />
          </li>
        ))}
      </ol>
    </section>
  );
};
