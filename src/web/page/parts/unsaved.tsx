/** Notes that the person wrote in and did not save, each with the way back to its words. */

import { useMemo } from "preact/hooks";
import { useApp } from "../app.ts";
import { unsavedOf, writingAddress } from "../unsaved.ts";
import { folderOf, momentOf, nameOf, seen } from "../words.ts";

export const UnsavedNotes = () => {
  const app = useApp();
  const notes = useMemo(() => {
    const all = unsavedOf(app);
    // A note may have several drafts: its editor offers the others.
    return all.filter((one, at) => all.findIndex(({ path }) => path === one.path) === at);
  }, []);
  if (notes.length === 0) return null;
  return (
    <section class="waiting" aria-labelledby="unsaved">
      <h2 id="unsaved">You wrote this and did not save it</h2>
      <ul>
        {notes.map((draft) => (
          <li key={draft.name}>
            <a href={writingAddress(draft)}>{seen(nameOf(draft.path))}</a>{" "}
            <span class="where">
              {[seen(folderOf(draft.path)), momentOf(new Date(draft.at))].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
