/** Undo several changes of a client, those of one group or all since a time: what that would do, which notes stand in its way, and one button. */

import { useSignal } from "@preact/signals";
import type { PageEvent } from "../../wire.ts";
import { inSentence, useApp, useAuthor } from "../app.ts";
import { ChangedNotes } from "../parts/changed-notes.tsx";
import { UndoPreview } from "../parts/undo-preview.tsx";
import type { Several } from "../route.ts";
import { useTakingBack } from "../taking-back.ts";
import { momentOf, plural } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const UndoAll = ({ author, which }: { author: string; which: Several }) => {
  const app = useApp();
  const skip = useSignal<string[]>([]);
  const isSince = "since" in which;
  const what = { ...which, ...(isSince ? { author } : {}), skip: skip.value };
  const isMore = (event: PageEvent): boolean =>
    isSince && event.kind === "revision" && event.revision.author === author;
  const { value, refusal, isReady, takeBack } = useTakingBack(what, isMore);
  const called = inSentence(useAuthor()(author));
  const heading = isSince ? `Undo all by ${called}` : `Undo these changes by ${called}`;
  useTitle(heading);
  const left = value?.conflicts.map(({ path }) => path) ?? [];
  const changes = value && left.length === 0 ? value.changed : [];
  return (
    <article>
      <header class="page-head">
        <h1>{heading}</h1>
        <p class="meta">
          {isSince
            ? `since ${momentOf(new Date(which.since))}. What others wrote since stays.`
            : "Only those of one group. What was written since stays."}
        </p>
        <div class="acts">
          <button type="button" class="main" disabled={!isReady} onClick={takeBack}>
            {value && value.touched > 0
              ? `Undo ${plural(value.revisions, "change")} in ${plural(value.touched, "note")}`
              : "Undo"}
          </button>
          {left.length > 0 && (
            <button type="button" onClick={() => (skip.value = [...skip.value, ...left])}>
              Leave {plural(left.length, "note")} as {left.length === 1 ? "it is" : "they are"}
            </button>
          )}
        </div>
        {app.hello.value!.mayWrite ? (
          <UndoPreview preview={value} refusal={refusal} isShown />
        ) : (
          <p class="meta">This server was started to read only: nothing can be undone from here.</p>
        )}
      </header>
      {changes.length > 0 && <h2>What undo would do</h2>}
      <ChangedNotes notes={changes} />
      {value && value.touched > changes.length && left.length === 0 && (
        <p class="gap">and {plural(value.touched - changes.length, "more note")}</p>
      )}
    </article>
  );
};
