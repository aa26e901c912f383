/** One change on one line: what was done to which notes, by which tool, in how many words. */

import type { Revision, Touched } from "../../wire.ts";
import { inSentence, useAuthor } from "../app.ts";
import { changeAddress } from "../route.ts";
import { nameOf, plural, seen, timeOf, verbOf } from "../words.ts";

const NAMED = 3;

export const RevisionLine = ({ revision, withAuthor }: { revision: Revision; withAuthor?: boolean }) => {
  const { notes, touched, tool, acceptedBy, date, author } = revision;
  const called = useAuthor();
  const more = touched - Math.min(notes.length, NAMED);
  return (
    <a class="revision" href={changeAddress(revision.id)}>
      <time dateTime={date}>{timeOf(new Date(date))}</time>
      <span class="what">
        {withAuthor && <b>{called(author)} </b>}
        {deeds(notes.slice(0, NAMED))}
        {more > 0 && ` and ${plural(more, "more note")}`}
        {tool && <span class="tool"> {seen(tool.replaceAll("_", " "))}</span>}
        {acceptedBy && <span class="tool"> accepted by {inSentence(called(acceptedBy))}</span>}
      </span>
      <Words notes={notes} />
    </a>
  );
};

/** `wrote Ada, edited Bob and Eve`. */
const deeds = (notes: readonly Touched[]) =>
  notes.map((note, at) => {
    const verb = notes[at - 1]?.done === note.done ? "" : `${verbOf(note.done)} `;
    const from = note.from === undefined ? "" : `${nameOf(note.from)} to `;
    return (
      <span key={note.path}>
        {at > 0 && ", "}
        {verb}
        {seen(from)}
        <cite>{seen(nameOf(note.path))}</cite>
      </span>
    );
  });

/** Words that came and went, over all notes of the change. */
export const Words = ({ notes }: { notes: readonly Touched[] }) => {
  const sum = (which: "added" | "removed"): number =>
    notes.reduce((all, note) => all + (note[which] ?? 0), 0);
  const [added, removed] = [sum("added"), sum("removed")];
  if (added === 0 && removed === 0) return <span class="words" />;
  return (
    <span class="words">
      {added > 0 && (
        <span class="plus" aria-label={`${plural(added, "word")} added`}>
          +{added.toLocaleString("en-US")}
        </span>
      )}{" "}
      {removed > 0 && (
        <span class="minus" aria-label={`${plural(removed, "word")} removed`}>
          −{removed.toLocaleString("en-US")}
        </span>
      )}
    </span>
  );
};
