/** The history of a note: a list, and what the chosen change did to it. `[` and `]` step through it. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Change, Changes, Revision } from "../../wire.ts";
import { useActs } from "../acts.ts";
import { inSentence, useApp, useAuthor } from "../app.ts";
import { Diff } from "../parts/diff.tsx";
import { LongRest } from "../parts/long-list.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { Words } from "../parts/revision-line.tsx";
import { changeAddress, noteAddress } from "../route.ts";
import { restore } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { mayTouch, PAGE } from "../use-changes.ts";
import { momentOf, nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const History = ({ path }: { path: string }) => {
  const app = useApp();
  const isIt = mayTouch(path);
  const input = { path, limit: PAGE };
  const { value, refusal, again } = useCall<Changes>("changes", input, isIt);
  const { at, revision, older, newer, choose } = useChosen(path, value);
  const isNewest = revision?.id === value?.revisions[0]?.id;
  const mayRestore = revision && !isNewest && app.hello.value!.mayWrite && !isRemoval(revision, path);
  const restoreIt = mayRestore ? () => void restore(app, path, revision.id) : null;
  useActs({ older, newer, restore: restoreIt });
  useTitle(`History of ${nameOf(path)}`);
  useEffect(() => {
    document.querySelector(".version[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (refusal && !value) return <RefusalLine refusal={refusal} again={() => void again()} />;
  const list = (changes: Changes, offset: number) => (
    <Versions revisions={changes.revisions} offset={offset} chosen={revision?.id} choose={choose} />
  );
  return (
    <article>
      <header class="page-head">
        <h1>
          History of <a href={noteAddress(path)}>{seen(nameOf(path))}</a>
        </h1>
        <p class="meta">
          <kbd>[</kbd> older, <kbd>]</kbd> newer
        </p>
      </header>
      {refusal && <RefusalLine refusal={refusal} again={() => void again()} />}
      {value && value.revisions.length === 0 && <p>Nothing of this note is recorded yet.</p>}
      {value && value.revisions.length > 0 && (
        <div class="versions" role="group" aria-label="Changes, newest first" tabIndex={0}>
          {list(value, 0)}
          <LongRest<Changes> call="changes" input={input} on={isIt} size={PAGE} first={value} show={list} />
        </div>
      )}
      {revision && <Version id={revision.id} path={path} restore={restoreIt} />}
    </article>
  );
};

const isRemoval = ({ notes }: Revision, path: string): boolean =>
  notes.some((note) => note.path === path && note.done === "removed");

type Chosen = {
  /** Its place in the list. */
  at: number;
  revision: Revision | null;
  older(): unknown;
  newer(): unknown;
  choose(revision: Revision, at: number): void;
};

/** Null: the one at that place is still to be found. */
type Place = { at: number; revision: Revision | null };

/** The change that is looked at stays the same one when others come above it: its place moves. One that is far down is asked for by its place. */
const useChosen = (path: string, first: Changes | null): Chosen => {
  const place = useSignal<Place>({ at: 0, revision: null });
  const top = useRef<string>(undefined);
  const end = useRef(Number.POSITIVE_INFINITY);
  const { at, revision } = place.value;
  const known = first?.revisions[at] ?? null;
  const isFar = first !== null && !revision && !known;
  const far = useCall<Changes>("changes", isFar ? { path, offset: at, limit: 1 } : null);
  useLayoutEffect(() => {
    if (!first) return;
    const came = Math.max(
      0,
      first.revisions.findIndex(({ id }) => id === top.current),
    );
    top.current = first.revisions[0]?.id;
    end.current = first.more ? end.current + came : first.revisions.length - 1;
    if (revision || at > 0) place.value = { at: at + came, revision };
  }, [first]);
  useLayoutEffect(() => {
    if (revision || !first) return;
    const found = known ?? far.value?.revisions[0] ?? null;
    if (far.value && !far.value.more) end.current = found ? at : at - 1;
    if (found) place.value = { at, revision: found };
    // Keys that came before the answer may lead beyond the last.
    else if (far.value && at > 0) go(at - 1);
  }, [first, known, far.value, revision]);
  const go = (to: number): void => void (place.value = { at: to, revision: first?.revisions[to] ?? null });
  return {
    at,
    revision,
    older: () => first && place.value.at < end.current && go(place.value.at + 1),
    newer: () => place.value.at > 0 && go(place.value.at - 1),
    choose: (one, its) => void (place.value = { at: its, revision: one }),
  };
};

type VersionsProps = {
  revisions: readonly Revision[];
  offset: number;
  chosen: string | undefined;
  choose: Chosen["choose"];
};

const Versions = ({ revisions, offset, chosen, choose }: VersionsProps) => {
  const called = useAuthor();
  return (
    <ol start={offset + 1}>
      {revisions.map((one, at) => (
        <li key={one.id}>
          <button
            type="button"
            class="version"
            aria-pressed={one.id === chosen}
            onClick={() => choose(one, offset + at)}
          >
            <span>{momentOf(new Date(one.date))}</span>
            <span>
              {called(one.author)} {one.notes[0]?.done ?? "recorded"} it
              {one.acceptedBy && `, accepted by ${inSentence(called(one.acceptedBy))}`}
            </span>
            <Words notes={one.notes} />
          </button>
        </li>
      ))}
    </ol>
  );
};

type VersionProps = {
  id: string;
  path: string;
  /** Null where there is nothing to restore. */
  restore: (() => void) | null;
};

const Version = ({ id, path, restore: restoreIt }: VersionProps) => {
  const { value, refusal } = useCall<Change>("change", { id, path });
  if (refusal) return <RefusalLine refusal={refusal} />;
  if (!value) return <p class="count">Looking…</p>;
  const [note] = value.changed;
  return (
    <section aria-label="What it did">
      <div class="acts">
        <a href={changeAddress(id)}>The whole change</a>
        {note?.done !== "removed" && (
          <a href={noteAddress(path, "note", { at: id })}>The note as it was then</a>
        )}
        {restoreIt && (
          <button type="button" onClick={restoreIt}>
            Restore it
          </button>
        )}
      </div>
      {note ? <Diff diff={note.diff} /> : <p class="gap">It was recorded as it was found.</p>}
    </section>
  );
};
