/** Beside a note: its outline, and which notes link to it, each with its line. */

import type { Backlinks, Note } from "../../wire.ts";
import type { Env } from "../reading/env.ts";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { plural, seen } from "../words.ts";

export const Aside = ({ note, headings }: { note: Note; headings: Env["headings"] }) => {
  const { value } = useCall<Backlinks>("backlinks", { path: note.path }, ({ kind }) => kind === "note");
  return (
    <aside aria-label="About this note">
      {headings.length > 1 && <Outline headings={headings} />}
      <h2>
        {value && value.total > 0 ? `Linked from ${plural(value.total, "place")}` : "No note links here"}
      </h2>
      {value?.indexing && <p class="meta">Still indexing, {value.indexing}.</p>}
      <ul class="backlinks">
        {value?.links.map(({ path, title, line, context }) => (
          <li key={`${path} ${line} ${context}`}>
            <a href={noteAddress(path)}>{seen(title)}</a>
            <p>{seen(context)}</p>
          </li>
        ))}
      </ul>
    </aside>
  );
};

const Outline = ({ headings }: { headings: Env["headings"] }) => (
  <nav aria-label="Outline">
    <h2>Outline</h2>
    <ol class="outline">
      {headings.map(({ level, text, id }) => (
        <li key={id} class={`level-${level}`}>
          <a href="#" onClick={(event) => show(event, id)}>
            {seen(text)}
          </a>
        </li>
      ))}
    </ol>
  </nav>
);

const show = (event: Event, id: string): void => {
  event.preventDefault();
  const heading = document.getElementById(id);
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  heading?.scrollIntoView();
};
