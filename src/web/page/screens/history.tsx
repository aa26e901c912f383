/** The history of a note: a list, and what the chosen change did to it. `[` and `]` step through it. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Change, Changes, Revision } from "../../wire.ts";
import { inSentence, useApp, useAuthor } from "../app.ts";
import { useKeys } from "../keys.ts";
import { Diff } from "../parts/diff.tsx";
import { LongRest } from "../parts/long-list.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { Words } from "../parts/revision-line.tsx";
import { changeAddress, noteAddress } from "../route.ts";
import { restore } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { mayTouch, PAGE } from "../use-changes.ts";
import { momentOf, nameOf, seen, verbOf } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const History = ({ path }: { path: string }) => {
  const isIt = mayTouch(path);
  const input = { path, limit: PAGE };
  const { value, refusal, again } = useCall<Changes>("changes", input, isIt);
  const chosen = useSignal(0);
  const { revision, isLast, isBeyond } = useChosen(path, value, chosen.value);
  useKeys({
    "[": () => !isLast && chosen.value++,
    "]": () => chosen.value > 0 && chosen.value--,
  });
  useTitle(`History of ${nameOf(path)}`);
  useEffect(() => {
    if (isBeyond) chosen.value--;
  }, [isBeyond, chosen.value]);
  useEffect(() => {
    document.querySelector(".version[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen.value]);
  if (refusal) return <RefusalLine refusal={refusal} again={again} />;
  const list = (changes: Changes, offset: number) => (
    <Versions revisions={changes.revisions} offset={offset} chosen={chosen} />
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
      {value && value.revisions.length === 0 && <p>Nothing of this note is recorded yet.</p>}
      {value && value.revisions.length > 0 && (
        <div class="versions" role="group" aria-label="Changes, newest first" tabIndex={0}>
          {list(value, 0)}
          <LongRest<Changes> call="changes" input={input} on={isIt} size={PAGE} first={value} show={list} />
        </div>
      )}
      {revision && <Version id={revision.id} path={path} isNewest={chosen.value === 0} />}
    </article>
  );
};

/** The change at that place: one of the first page, or one that is asked for by itself. Keys that come before its answer may lead beyond the last. */
const useChosen = (
  path: string,
  first: Changes | null,
  at: number,
): { revision: Revision | undefined; isLast: boolean; isBeyond: boolean } => {
  const known = first?.revisions[at];
  const far = useCall<Changes>("changes", known || !first ? null : { path, offset: at, limit: 1 });
  const isEnd = first === null || (at === first.revisions.length - 1 && !first.more);
  if (known || !first) return { revision: known, isLast: isEnd, isBeyond: false };
  const revision = far.value?.revisions[0];
  return {
    revision,
    isLast: far.value !== null && !far.value.more,
    isBeyond: at > 0 && far.value !== null && !revision,
  };
};

type VersionsProps = { revisions: readonly Revision[]; offset: number; chosen: Signal<number> };

const Versions = ({ revisions, offset, chosen }: VersionsProps) => {
  const called = useAuthor();
  return (
    <ol start={offset + 1}>
      {revisions.map((one, at) => (
        <li key={one.id}>
          <button
            type="button"
            class="version"
            aria-pressed={offset + at === chosen.value}
            onClick={() => (chosen.value = offset + at)}
          >
            <span>{momentOf(new Date(one.date))}</span>
            <span>
              {called(one.author)} {one.notes[0] ? verbOf(one.notes[0].done) : "recorded"} it
              {one.acceptedBy && `, accepted by ${inSentence(called(one.acceptedBy))}`}
            </span>
            <Words notes={one.notes} />
          </button>
        </li>
      ))}
    </ol>
  );
};

const Version = ({ id, path, isNewest }: { id: string; path: string; isNewest: boolean }) => {
  const app = useApp();
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
        {!isNewest && app.hello.value!.mayWrite && note?.done !== "removed" && (
          <button type="button" onClick={() => void restore(app, path, id)}>
            Restore it
          </button>
        )}
      </div>
      {note ? <Diff diff={note.diff} /> : <p class="gap">It was recorded as it was found.</p>}
    </section>
  );
};
