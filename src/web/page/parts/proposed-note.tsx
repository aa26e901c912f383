/** One note of a proposal: its diff, both sides where they are in conflict, and its text to be edited. */

import { useSignal } from "@preact/signals";
import type { ShownProposal } from "../../wire.ts";
import type { Edits } from "../proposal-edits.ts";
import { noteAddress } from "../route.ts";
import { folderOf, nameOf, seen } from "../words.ts";
import { Diff } from "./diff.tsx";
import { Late } from "./late.tsx";

type Props = {
  note: ShownProposal["shown"][number];
  /** It is the only one. */
  alone: boolean;
  chosen: boolean;
  edits: Edits;
  accept(): void;
  decline(): void;
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

export const ProposedNote = ({ note, alone, chosen, edits, accept, decline }: Props) => {
  const editing = useSignal(false);
  const edited = edits.of(note.path);
  const { path, origin, kind, file, diff, conflict, text } = note;
  const name = seen(nameOf(path));
  return (
    <section
      class={chosen && !alone ? "proposed chosen" : "proposed"}
      data-path={path}
      data-kind={kind}
      tabIndex={-1}
      aria-label={name}
    >
      <h2>
        {file === null ? <a href={noteAddress(origin ?? path)}>{name}</a> : name}{" "}
        <span class="where">
          {seen(
            [folderOf(path), KIND[kind], kind === "moved" ? `from ${origin}` : ""]
              .filter(Boolean)
              .join(" · "),
          )}
        </span>
      </h2>
      {conflict && (
        <p class="refusal" role="note">
          In conflict: {seen(conflict.reason)}. Below is the way from the note as it is to what was proposed.
        </p>
      )}
      {edited !== null && <p class="past">You edited it; accepting writes what you made of it.</p>}
      {diff ? <Diff diff={diff} /> : <p class="gap">{withoutText(kind, file)}</p>}
      {editing.value && (
        <Late
          load={async () => (await import("../editing/text-editor.tsx")).TextEditor}
          props={{
            label: `Text of ${name}`,
            text: edited?.text ?? text ?? "",
            changed: (made) => edits.keep(path, made, note.seen),
            done: () => (editing.value = false),
          }}
        />
      )}
      <div class="acts">
        {!alone && (
          <>
            <button type="button" disabled={conflict !== null && edited === null} onClick={accept}>
              Accept {name}
            </button>
            <button type="button" onClick={decline}>
              Decline {name}
            </button>
          </>
        )}
        {kind !== "removed" && text !== null && (
          <button type="button" aria-pressed={editing.value} onClick={() => (editing.value = !editing.value)}>
            Edit {name}
          </button>
        )}
      </div>
    </section>
  );
};
