/** What keeps a text from being saved, and what can be done about it; and what was left unsaved an earlier time. */

import { nameOf, momentOf, seen } from "../words.ts";
import type { Writing } from "./use-writing.ts";

export const OlderDrafts = ({ writing: { drafts, takeDraft } }: { writing: Writing }) => (
  <>
    {drafts.older.value.map((draft) => (
      <p key={draft.name} class="past">
        You left words unsaved here {momentOf(new Date(draft.at))}.{" "}
        <button type="button" onClick={() => takeDraft(draft)}>
          Take them
        </button>{" "}
        <button type="button" onClick={() => drafts.dropOlder(draft)}>
          Drop them
        </button>
      </p>
    ))}
  </>
);

export const SomebodyElse = ({ writing: { changed, conflict, refusal } }: { writing: Writing }) => {
  if (!changed.value || conflict.value || refusal.value) return null;
  return (
    <p class="past" role="status">
      {changed.value === "went"
        ? "Somebody else removed or renamed this note meanwhile. When you save, you choose where your text goes."
        : "Somebody else changed this note meanwhile. When you save, both are merged."}
    </p>
  );
};

export const Broken = ({ writing: { broken } }: { writing: Writing }) => {
  if (broken.value.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      <p>It is not saved, because it breaks rules of its folder:</p>
      <ul>
        {broken.value.map(({ says }) => (
          <li key={says}>{seen(says)}</li>
        ))}
      </ul>
    </div>
  );
};

/** What was typed can be taken elsewhere; where the note is gone, it can be saved all the same. */
export const NotSaved = ({ writing }: { writing: Writing }) => {
  const refusal = writing.refusal.value;
  if (!refusal) return null;
  return (
    <div class="refusal" role="alert">
      <p>It is not saved. {seen(refusal.message)} What you wrote stays here.</p>
      <div class="acts">
        {refusal.code === "note_missing" && (
          <Elsewhere writing={writing} movedTo={refusal.details?.["movedTo"] as string | undefined} />
        )}
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(writing.editor.current!.text())}
        >
          Copy my text
        </button>
      </div>
    </div>
  );
};

const Elsewhere = ({ writing, movedTo }: { writing: Writing; movedTo: string | undefined }) => {
  const { path, version } = writing.target.current;
  return (
    <>
      {movedTo === undefined ? (
        <button type="button" onClick={() => void writing.saveTo({ path, version: null })}>
          Save as a new note
        </button>
      ) : (
        <button type="button" onClick={() => void writing.saveTo({ path: movedTo, version })}>
          Save to {seen(nameOf(movedTo))}
        </button>
      )}
      <button type="button" onClick={writing.dropAll}>
        Drop my text
      </button>
    </>
  );
};
