/** One note of a proposal: its diff, both sides where they are in conflict, and its text to be edited. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ShownProposal } from "../../wire.ts";
import type { Deciding } from "../deciding.ts";
import type { Edits } from "../proposal-edits.ts";
import { noteAddress } from "../route.ts";
import { folderOf, nameOf, seen, wayOf } from "../words.ts";
import { Diff } from "./diff.tsx";
import { Late } from "./late.tsx";

type Props = {
  note: ShownProposal["shown"][number];
  /** It is the only one. */
  alone: boolean;
  deciding: Deciding;
  edits: Edits;
};

const KIND = { new: "new", edited: "", moved: "moved", removed: "removed" };

const FILE = {
  new: "comes back from the trash",
  edited: "stays",
  moved: "moves as it is",
  removed: "goes to the trash",
};

/** What becomes of a file that has no text to show. */
const withoutText = (kind: keyof typeof FILE, file: string | null): string =>
  file === null ? "It is no text, so it cannot be shown." : `A file of ${file}, which ${FILE[kind]}.`;

/** A reason as a sentence. */
const reasonOf = (reason: string): string =>
  reason === "was changed in the same lines since"
    ? "Somebody changed the same lines since."
    : `It ${seen(reason)}.`;

export const ProposedNote = ({ note, alone, deciding, edits }: Props) => {
  const editing = useSignal(false);
  const place = useRef<HTMLElement>(null);
  const edited = edits.of(note.path);
  const { path, origin, kind, file, diff, conflict, text } = note;
  const name = seen(nameOf(path));
  const isHeld = deciding.since !== null;
  // Diffs are long: what is typed, or marked, draws none of them anew.
  const shown = useMemo(
    () =>
      diff ? <Diff diff={diff} isMoved={kind === "moved"} /> : <p class="gap">{withoutText(kind, file)}</p>,
    [diff, kind, file],
  );
  return (
    <section
      ref={place}
      class={deciding.marked === path && !alone ? "proposed chosen" : "proposed"}
      data-path={path}
      data-kind={kind}
      tabIndex={-1}
      aria-label={name}
    >
      <h2>
        {file === null ? <a href={noteAddress(origin ?? path)}>{name}</a> : name}{" "}
        <span class="where">
          {seen(
            kind === "moved" && origin
              ? wayOf(origin, path)
              : [folderOf(path), KIND[kind]].filter(Boolean).join(" · "),
          )}
        </span>
      </h2>
      {conflict && (
        <p class="refusal" role="note">
          {reasonOf(conflict.reason)} Below is the way from the note as it is to what was proposed.
        </p>
      )}
      {edited !== null && <p class="past">You edited it; accepting writes what you made of it.</p>}
      {shown}
      {editing.value && (
        <Late
          load={async () => (await import("../editing/text-editor.tsx")).TextEditor}
          props={{
            label: `Text of ${name}`,
            text: edited?.text ?? text ?? "",
            changed: (made) => edits.type(path, made, note.seen),
            done() {
              editing.value = false;
              place.current?.focus();
            },
          }}
        />
      )}
      <div class="acts">
        {!alone && (
          <>
            <button
              type="button"
              disabled={isHeld || (conflict !== null && edited === null)}
              aria-label={`Accept ${name}`}
              onClick={() => deciding.accept(path, kind === "removed")}
            >
              Accept
            </button>
            <button
              type="button"
              disabled={isHeld}
              aria-label={`Decline ${name}`}
              onClick={() => deciding.decline(path)}
            >
              Decline
            </button>
          </>
        )}
        {kind !== "removed" && text !== null && !editing.value && (
          <button type="button" aria-label={`Edit ${name}`} onClick={() => (editing.value = true)}>
            Edit
          </button>
        )}
      </div>
      {deciding.asks(path) && <Removal what={name} deciding={deciding} />}
    </section>
  );
};

/** Removing a note is asked once more, because a key is soon pressed. The way goes on at the answer. */
export const Removal = ({ what, deciding }: { what: string; deciding: Deciding }) => {
  const answer = useRef<HTMLButtonElement>(null);
  // Before the next key, which is meant for it.
  useLayoutEffect(() => answer.current!.focus(), []);
  return (
    <p class="past" role="alert">
      Accepting removes {what}.{" "}
      <button ref={answer} type="button" onClick={deciding.yes}>
        Yes, remove it
      </button>{" "}
      <button type="button" onClick={deciding.no}>
        No
      </button>
    </p>
  );
};
