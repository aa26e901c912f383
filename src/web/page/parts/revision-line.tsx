/** One change on one line: what was done to which notes, in how many words. */

import type { Revision, Touched } from "../../wire.ts";
import { inSentence, useAuthor } from "../app.ts";
import { changeAddress } from "../route.ts";
import { plural, seen, timeOf, toolWords } from "../words.ts";
import { Deed } from "./deed.tsx";

/** `above`: the time that stands on the line above; the same is not said again. */
export const RevisionLine = ({ revision, above }: { revision: Revision; above: string }) => {
  const { deed, notes, tool, acceptedBy, date } = revision;
  const called = useAuthor();
  const time = timeOf(new Date(date));
  return (
    <a
      class="revision"
      href={changeAddress(revision.id)}
      title={tool ? seen(`with ${toolWords(tool)}`) : undefined}
    >
      <time dateTime={date} class={time === above ? "again" : undefined}>
        {time}
      </time>
      <span class="what">
        <Deed deed={deed} />
        {acceptedBy && `, accepted by ${inSentence(called(acceptedBy))}`}
      </span>
      <Words notes={notes} />
    </a>
  );
};

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
