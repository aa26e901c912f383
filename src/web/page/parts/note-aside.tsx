/** Beside a note: its outline, and which notes link to it, each with its line. Where there is no room beside it, the outline stands folded above the text. */

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
      {headings.length > 1 && (
        <nav aria-label="Outline">
          <h2>Outline</h2>
          <OutlineList headings={headings} />
        </nav>
      )}
      <h2>
        {value && value.total > 0 ? `Linked from ${plural(value.total, "place")}` : "No note links here."}
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
        <a href={noteAddress(path, "note", { line })}>{seen(title)}</a>
        <p dir="auto">{seen(context)}</p>
      </li>
    ))}
  </ul>
);

export const FoldedOutline = ({ headings }: { headings: Env["headings"] }) =>
  headings.length > 1 ? (
    <details class="properties">
      <summary>Outline</summary>
      <OutlineList headings={headings} />
    </details>
  ) : null;

const OutlineList = ({ headings }: { headings: Env["headings"] }) => {
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <ol class="outline">
      {headings.map(({ level, words, id }) => (
        <li key={id} class={`level-${level - top}`}>
          <a href="#" onClick={(event) => show(event, id)}>
            {seen(words)}
          </a>
        </li>
      ))}
    </ol>
  );
};

const show = (event: Event, id: string): void => {
  event.preventDefault();
  const heading = document.getElementById(id);
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  heading?.scrollIntoView();
};
