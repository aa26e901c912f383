/** A change: what differs in each note, what else it touched, and undo with what would stay. */

import { useActs } from "../acts.ts";
import { inSentence, useApp, useAuthor } from "../app.ts";
import type { Change as Shown } from "../../wire.ts";
import { ChangedNotes } from "../parts/changed-notes.tsx";
import { Deed, deedWords } from "../parts/deed.tsx";
import { LongRest } from "../parts/long-list.tsx";
import { DeadEnd } from "../parts/refusal-line.tsx";
import { hasMore, UndoPreview } from "../parts/undo-preview.tsx";
import { undoAddress } from "../route.ts";
import { useRest, useTakingBack } from "../taking-back.ts";
import { useCall } from "../use-call.ts";
import { momentOf, plural, seen, toolWords } from "../words.ts";
import { useTitle } from "./screen.tsx";

/** So many notes stand in one answer. */
const PAGE = 20;

export const Change = ({ id }: { id: string }) => {
  const app = useApp();
  const called = useAuthor();
  const { value: change, refusal } = useCall<Shown>("change", { id });
  const mayWrite = app.hello.value!.mayWrite;
  const preview = useTakingBack({ revisions: [id] });
  const rest = useRest({ revisions: [id] }, preview);
  const others = rest.value?.touched ?? 0;
  useTitle(change ? `${called(change.author)} ${deedWords(change.deed, called)}` : "A change");
  useActs({
    undo: preview.isReady ? preview.takeBack : null,
    undoAll: change && (() => app.go(undoAddress(change.author, { since: change.date }))),
  });
  if (refusal) return <DeadEnd refusal={refusal} heading="A change" />;
  if (!change) return <p class="count">Looking…</p>;
  return (
    <article>
      <header class="page-head">
        <h1>
          <span title={seen(change.author)}>{called(change.author)}</span> <Deed deed={change.deed} />
        </h1>
        <p class="meta">
          {momentOf(new Date(change.date))}
          {change.tool && ` · with ${seen(toolWords(change.tool))}`}
          {change.acceptedBy && ` · accepted by ${inSentence(called(change.acceptedBy))}`}
          {change.outside && " · in another program"}
          {change.message !== "" && ` · ${seen(change.message)}`}
        </p>
        <div class="acts">
          {rest.isReady ? (
            <button type="button" class="main" onClick={rest.takeBack}>
              Undo the other {others === 1 ? "note" : plural(others, "note")}
            </button>
          ) : (
            <button type="button" class="main" disabled={!preview.isReady} onClick={preview.takeBack}>
              Undo
            </button>
          )}
          <a href={undoAddress(change.author, { since: change.date })}>
            Undo all by {inSentence(called(change.author))} since then…
          </a>
        </div>
        {mayWrite ? (
          <UndoPreview preview={preview.value} refusal={preview.refusal} />
        ) : (
          <p class="meta">This server was started to read only: nothing can be undone from here.</p>
        )}
      </header>
      {preview.isReady && hasMore(preview.value) && <h2>What changed</h2>}
      <ChangedNotes notes={change.changed} followed={change.followed} />
      <LongRest<Shown>
        call="change"
        input={{ id }}
        size={PAGE}
        first={change}
        show={({ changed, followed }) => <ChangedNotes notes={changed} followed={followed} isMore />}
      />
    </article>
  );
};
