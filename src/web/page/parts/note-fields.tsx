/** The fields of a note, by name; links in them lead where they do in the text. */

import type { Note } from "../../wire.ts";
import { wikilinkOf } from "../reading/wikilinks.ts";
import { seen } from "../words.ts";

const SHOWN_APART = new Set(["tags", "tag", "title", "aliases", "alias"]);

/** `isOpen`: whether they are shown before somebody asks for them. */
export const NoteFields = ({ note, isOpen }: { note: Note; isOpen: boolean }) => {
  const fields = note.shownFields.filter(({ name, value }) => !SHOWN_APART.has(name) && value !== "");
  if (note.trouble !== null) return <p class="refusal">Its fields cannot be read: {seen(note.trouble)}</p>;
  if (fields.length === 0) return null;
  return (
    <details class="properties" open={isOpen}>
      <summary>Properties</summary>
      <dl class="fields">
        {fields.map(({ name, value }) => (
          <div key={name}>
            <dt>{seen(name)}</dt>
            <dd dir="auto">
              <Value value={value} note={note} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const LINK = /(\[\[[^[\]]+\]\]|https?:\/\/[^\s"<>]+)/;

const Value = ({ value, note }: { value: string; note: Note }) => {
  const reading = { path: note.path, links: new Map(note.links.map(({ target, path }) => [target, path])) };
  return (
    <>
      {value.split(LINK).map((part, at) => {
        if (at % 2 === 0) return seen(part);
        if (!part.startsWith("[["))
          return (
            <a key={at} class="outward" href={part} target="_blank" rel="noreferrer noopener">
              {seen(part)}
            </a>
          );
        const { href, label, kind } = wikilinkOf(part.slice(2, -2), reading);
        return (
          <a key={at} class={kind} href={href}>
            {seen(label)}
          </a>
        );
      })}
    </>
  );
};
