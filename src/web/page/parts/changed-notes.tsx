/** The notes of a change, one below the other, each with what differs in it. */

import type { ChangedNote } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { folderOf, nameOf, seen } from "../words.ts";
import { Diff } from "./diff.tsx";
import { Words } from "./revision-line.tsx";

const DONE = { edited: "", created: "new", removed: "removed", moved: "moved" };

export const ChangedNotes = ({ notes }: { notes: readonly ChangedNote[] }) => (
  <>
    {notes.map((note) => (
      <section class="changed-note" key={note.path} aria-label={nameOf(note.path)}>
        <h2>
          <a href={noteAddress(note.path)}>{seen(nameOf(note.path))}</a>{" "}
          <span class="where">
            {seen(
              [folderOf(note.path), DONE[note.done], note.from ? `from ${note.from}` : ""]
                .filter(Boolean)
                .join(" · "),
            )}
          </span>
          <Words notes={[note]} />
        </h2>
        <Diff diff={note.diff} />
      </section>
    ))}
  </>
);
