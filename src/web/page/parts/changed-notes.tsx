/** The notes of a change, one below the other, each with what differs in it. */

import type { ChangedNote } from "../../wire.ts";
import { noteAddress } from "../route.ts";
import { folderOf, nameOf, plural, seen, wayOf } from "../words.ts";
import { Diff } from "./diff.tsx";
import { Words } from "./revision-line.tsx";

const DONE = { edited: "", created: "new", removed: "removed", moved: "moved" };

type Props = {
  notes: readonly ChangedNote[];
  /** In how many notes of the change links alone followed a move. */
  followed?: number;
  /** Others stand above. */
  isMore?: boolean;
};

/** Notes whose links followed a move are folded. */
export const ChangedNotes = ({ notes, followed = 0, isMore }: Props) => {
  const follow = followed === 0 ? [] : notes.filter(({ done }) => done === "edited");
  return (
    <>
      {notes.map((note) => !follow.includes(note) && <Changed key={note.path} note={note} />)}
      {follow.length > 0 && (
        <details class="folded">
          <summary>
            Links followed in {isMore ? plural(follow.length, "more note") : plural(followed, "note")}
          </summary>
          {follow.map((note) => (
            <Changed key={note.path} note={note} />
          ))}
        </details>
      )}
    </>
  );
};

const Changed = ({ note }: { note: ChangedNote }) => (
  <section class="changed-note" aria-label={nameOf(note.path)}>
    <h2>
      <a href={noteAddress(note.path)}>{seen(nameOf(note.path))}</a>{" "}
      <span class="where">
        {seen(
          note.from
            ? wayOf(note.from, note.path)
            : [folderOf(note.path), DONE[note.done]].filter(Boolean).join(" · "),
        )}
      </span>
      <Words notes={[note]} />
    </h2>
    <Diff diff={note.diff} isMoved={note.from !== undefined} />
  </section>
);
