/** The history of a note: a list, and what the chosen change did to it. `[` and `]` step through it. */

import { useSignal } from "@preact/signals";
import type { Change, Changes } from "../../wire.ts";
import { useApp, useAuthor } from "../app.ts";
import { useKeys } from "../keys.ts";
import { Diff } from "../parts/diff.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { Words } from "../parts/revision-line.tsx";
import { changeAddress, noteAddress } from "../route.ts";
import { restore } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { momentOf, nameOf, seen, verbOf } from "../words.ts";
import { useTitle } from "./screen.tsx";

const LISTED = 200;

export const History = ({ path }: { path: string }) => {
  const called = useAuthor();
  const { value, refusal, again } = useCall<Changes>(
    "changes",
    { path, limit: LISTED },
    (event) => event.kind === "note" && event.path === path,
  );
  const chosen = useSignal(0);
  const revisions = value?.revisions ?? [];
  const step = (by: number): void => {
    chosen.value = Math.max(0, Math.min(revisions.length - 1, chosen.value + by));
  };
  useKeys({ "[": () => step(1), "]": () => step(-1) });
  useTitle(`History of ${nameOf(path)}`);
  if (refusal) return <RefusalLine refusal={refusal} again={again} />;
  const revision = revisions[chosen.value];
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
      {value && revisions.length === 0 && <p>Nothing of this note is recorded yet.</p>}
      <ol class="versions" aria-label="Changes, newest first">
        {revisions.map((one, at) => (
          <li key={one.id}>
            <button
              type="button"
              class="version"
              aria-pressed={at === chosen.value}
              onClick={() => (chosen.value = at)}
            >
              <span>{momentOf(new Date(one.date))}</span>
              <span>
                {called(one.author)} {one.notes[0] ? verbOf(one.notes[0].done) : "recorded"} it
              </span>
              <Words notes={one.notes} />
            </button>
          </li>
        ))}
      </ol>
      {value?.more && <p class="gap">Older changes are not listed here; notewright history shows them.</p>}
      {revision && <Version id={revision.id} path={path} isNewest={chosen.value === 0} />}
    </article>
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
