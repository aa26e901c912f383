/** Beside a note: its outline, and which notes link to it, each with its line. */

import type { Backlink, Backlinks, Note, PageEvent } from "../../wire.ts";
import type { Env } from "../reading/env.ts";
import { noteAddress } from "../route.ts";
import { useCall } from "../use-call.ts";
import { plural, seen } from "../words.ts";
import { LongRest } from "./long-list.tsx";

/** So many stand in one answer. */
const PAGE = 40;
const isNote = ({ kind }: PageEvent): boolean => kind === "note";

export const Aside = ({ note, headings }: { note: Note; headings: Env["headings"] }) => {
  const input = { path: note.path };
  const { value } = useCall<Backlinks>("backlinks", input, isNote);
  return (
    <aside aria-label="About this note">
      {headings.length > 1 && <Outline headings={headings} />}
      <h2>
        {value && value.total > 0 ? `Linked from ${plural(value.total, "place")}` : "No note links here"}
      </h2>
      {value?.indexing && <p class="meta">Still indexing, {value.indexing}.</p>}
      {value && (
        <>
          <BacklinkList links={value.links} />
          <LongRest<Backlinks>
            call="backlinks"
            input={input}
            on={isNote}
            size={PAGE}
            first={value}
            show={({ links }) => <BacklinkList links={links} />}
          />
        </>
      )}
    </aside>
  );
};

const BacklinkList = ({ links }: { links: readonly Backlink[] }) => (
  <ul class="backlinks" hidden={links.length === 0}>
    {links.map(({ path, title, line, context }) => (
      <li key={`${path} ${line} ${context}`}>
        <a href={noteAddress(path)}>{seen(title)}</a>
        <p>{seen(context)}</p>
      </li>
    ))}
  </ul>
);

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
