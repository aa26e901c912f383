/** Undo all that a client did since a time: what that would do, which notes stand in its way, and one button. */

import { useSignal } from "@preact/signals";
import type { Undoing } from "../../wire.ts";
import { useApp, useAuthor } from "../app.ts";
import { ChangedNotes } from "../parts/changed-notes.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { UndoPreview } from "../parts/undo-preview.tsx";
import { undo } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { momentOf, plural } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const UndoAll = ({ author, since }: { author: string; since: string }) => {
  const app = useApp();
  const skip = useSignal<string[]>([]);
  const what = { author, since, skip: skip.value };
  const { value, refusal, again } = useCall<Undoing>(
    "undo",
    { ...what, preview: true },
    ({ kind }) => kind === "note",
  );
  const heading = `Undo all of ${useAuthor()(author)}`;
  useTitle(heading);
  const left = value?.conflicts.map(({ path }) => path) ?? [];
  const changes = value && value.conflicts.length === 0 ? value.changed : [];
  return (
    <article>
      <header class="page-head">
        <h1>{heading}</h1>
        <p class="meta">since {momentOf(new Date(since))}. What others wrote since stays.</p>
        <div class="acts">
          <button
            type="button"
            class="main"
            disabled={changes.length === 0 || !app.hello.value!.mayWrite}
            onClick={() => void undo(app, what).then(again)}
          >
            {value ? `Undo ${plural(value.revisions, "change")} in ${plural(value.touched, "note")}` : "Undo"}
          </button>
          {left.length > 0 && (
            <button type="button" onClick={() => (skip.value = [...skip.value, ...left])}>
              Leave {plural(left.length, "note")} as it is, undo the rest
            </button>
          )}
        </div>
        {refusal ? <RefusalLine refusal={refusal} /> : <UndoPreview preview={value} refusal={null} />}
      </header>
      <ChangedNotes notes={changes} />
      {value && value.touched > changes.length && (
        <p class="gap">and {plural(value.touched - changes.length, "more note")}</p>
      )}
    </article>
  );
};
