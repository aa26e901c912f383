/** What undoing would do: whether something stays that was written since, and which notes cannot be taken back. */

import type { Refusal, Undoing } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { nameOf, plural, seen } from "../words.ts";
import { ChangedNotes } from "./changed-notes.tsx";
import { Diff } from "./diff.tsx";
import { RefusalLine } from "./refusal-line.tsx";

type Props = {
  preview: Undoing | null;
  refusal: Refusal | null;
  /** What it would do stands on the screen by itself. */
  isShown?: boolean;
};

export const UndoPreview = ({ preview, refusal, isShown }: Props) => {
  if (refusal) return <RefusalLine refusal={refusal} />;
  if (!preview) return null;
  if (preview.conflicts.length > 0) return <Conflicts preview={preview} />;
  if (preview.changed.length === 0) return <p class="meta">There is nothing left of it to undo.</p>;
  const { stays, broken, changed } = preview;
  if (!hasMore(preview)) return null;
  const words = [
    stays.length > 0 &&
      `${names(stays)} ${stays.length === 1 ? "was" : "were"} edited since; undo keeps those words.`,
    broken.length > 0 && `${plural(broken.length, "note")} will break a rule again.`,
    !isShown && "What undo would do",
  ]
    .filter(Boolean)
    .join(" ");
  if (isShown) return <p class="meta">{words}</p>;
  return (
    <details class="folded">
      <summary>{words}</summary>
      <ChangedNotes notes={changed} />
    </details>
  );
};

/** Whether undoing does more than to set all back to what it was. */
export const hasMore = (preview: Undoing | null): boolean =>
  preview !== null && (preview.stays.length > 0 || preview.broken.length > 0);

const names = (paths: readonly string[]): string =>
  seen(paths.length > 2 ? plural(paths.length, "note") : paths.map(nameOf).join(" and "));

const Conflicts = ({ preview: { conflicts } }: { preview: Undoing }) => (
  <div class="conflicts" role="note">
    {conflicts.map(({ path, reason, diff }) => (
      <details key={path}>
        <summary>
          <cite>{seen(nameOf(path))}</cite> cannot be undone: {seen(reason)}.
        </summary>
        <p class="meta">
          From <a href={noteAddress(path)}>the note as it is</a> to what it was:
        </p>
        <Diff diff={diff} />
      </details>
    ))}
  </div>
);
