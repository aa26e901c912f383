/** What undoing would do: whether something stays that was written since, and which notes cannot be taken back. */

import type { Refusal, Undoing } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { nameOf, plural, seen } from "../words.ts";
import { ChangedNotes } from "./changed-notes.tsx";
import { Diff } from "./diff.tsx";
import { RefusalLine } from "./refusal-line.tsx";

export const UndoPreview = ({ preview, refusal }: { preview: Undoing | null; refusal: Refusal | null }) => {
  if (refusal) return <RefusalLine refusal={refusal} />;
  if (!preview) return null;
  if (preview.conflicts.length > 0) return <Conflicts preview={preview} />;
  if (preview.changed.length === 0) return <p class="meta">There is nothing left of it to undo.</p>;
  const { stays, broken, changed } = preview;
  if (stays.length === 0 && broken.length === 0) return null;
  return (
    <details class="folded">
      <summary>
        {stays.length > 0 && (
          <>
            {names(stays)} {stays.length === 1 ? "was" : "were"} edited since; undo keeps those words.{" "}
          </>
        )}
        {broken.length > 0 && <>{plural(broken.length, "note")} will break a rule again. </>}
        What undo would do
      </summary>
      <ChangedNotes notes={changed} />
    </details>
  );
};

const names = (paths: readonly string[]): string =>
  seen(paths.length > 2 ? plural(paths.length, "note") : paths.map(nameOf).join(" and "));

const Conflicts = ({ preview: { conflicts } }: { preview: Undoing }) => (
  <div class="conflicts" role="note">
    <p>
      It cannot be undone as a whole: the same lines were edited since. Below is the way from each note as it
      is to what it was.
    </p>
    {conflicts.map(({ path, reason, diff }) => (
      <details key={path}>
        <summary>
          <a href={noteAddress(path)}>{seen(nameOf(path))}</a>: {seen(reason)}
        </summary>
        <Diff diff={diff} />
      </details>
    ))}
  </div>
);
