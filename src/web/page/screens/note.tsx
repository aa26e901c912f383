/** A note: read as it is or as it was; beside it the outline, what links here, and the rules it breaks. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Note as Shown, PageEvent } from "../../wire.ts";
import { useActs } from "../acts.ts";
import { useApp, type App } from "../app.ts";
import { Aside } from "../parts/note-aside.tsx";
import { RefusalLine } from "../parts/refusal-line.tsx";
import type { Env } from "../reading/env.ts";
import { Glance } from "../reading/glance.tsx";
import { openReader, Reader } from "../reading/reader.tsx";
import { noteAddress, searchAddress } from "../route.ts";
import { restore } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { dayOf, folderOf, momentOf, nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export type NoteProps = { path: string; at: string | null; section: string | null };

export const NoteScreen = ({ path, at, section }: NoteProps) => {
  const app = useApp();
  const input = at === null ? { path } : { path, revision: at };
  const { value: note, refusal } = useCall<Shown>(
    "note",
    input,
    (event, shown) =>
      event.kind === "note" && at === null && (event.path === path || leadsAnew(shown, event)),
  );
  const headings = useSignal<Env["headings"]>([]);
  const renderer = useMemo(openReader, []);
  useTitle(note?.title ?? path);
  useSection(section, headings.value);
  const { mayWrite, place } = app.hello.value!;
  const isNow = at === null;
  useActs({
    edit: isNow && mayWrite ? () => app.go(noteAddress(path, "edit")) : null,
    history: () => app.go(noteAddress(path, "history")),
    links: () => app.go(noteAddress(path, "links")),
    obsidian: place === null ? null : () => location.assign(obsidianAddress(place, path)),
    restore: !isNow && mayWrite ? () => void setBack(app, path, at) : null,
  });
  if (refusal && !note) return <RefusalLine refusal={refusal} />;
  if (!note) return <p class="count">Reading…</p>;
  return (
    <div class="note-page">
      <article>
        <NoteHead note={note} />
        {refusal && <RefusalLine refusal={refusal} />}
        {note.rules && (
          <div class="refusal" role="note">
            It breaks the rules of {seen(note.rules.folder)}: {seen(note.rules.issues.join("; "))}.
          </div>
        )}
        {note.text === null ? (
          <p>This note is not UTF-8 text, so it cannot be shown.</p>
        ) : (
          <Reader renderer={renderer} note={note} onHeadings={(found) => (headings.value = found)} />
        )}
        <Glance renderer={renderer} />
      </article>
      <Aside note={note} headings={headings.value} />
    </div>
  );
};

const obsidianAddress = (place: string, path: string): string =>
  `obsidian://open?path=${encodeURIComponent(`${place}/${path}`)}`;

const setBack = async (app: App, path: string, revision: string): Promise<void> => {
  if (await restore(app, path, revision)) app.go(noteAddress(path));
};

/** Whether a link of the note leads elsewhere since: its note was made, or is gone. */
const leadsAnew = (note: Shown | null, { how, path }: Extract<PageEvent, { kind: "note" }>): boolean => {
  const name = nameOf(path).toLowerCase();
  const links = note?.links ?? [];
  if (how === "went") return links.some((link) => link.path === path);
  return (
    how === "came" && links.some((link) => link.path === null && nameOf(link.target).toLowerCase() === name)
  );
};

const NoteHead = ({ note }: { note: Shown }) => {
  const app = useApp();
  const { place } = app.hello.value!;
  const { path, at } = note;
  return (
    <header class="page-head">
      {at !== null && <Past note={note} />}
      <p class="meta">{seen(folderOf(path))}</p>
      <h1>{seen(note.title)}</h1>
      <p class="meta">
        changed {momentOf(new Date(note.modified))}
        {note.created && ` · made ${dayOf(new Date(note.created))}`}
        {note.tags.map((tag) => (
          <>
            {" "}
            <a key={tag} class="tag" href={searchAddress(`tag:${tag}`)}>
              #{seen(tag)}
            </a>
          </>
        ))}
      </p>
      <Fields note={note} />
      <nav class="acts" aria-label="This note">
        {at === null && app.hello.value!.mayWrite && <a href={noteAddress(path, "edit")}>Edit</a>}
        <a href={noteAddress(path, "history")}>History</a>
        <a href={noteAddress(path, "links")}>Links</a>
        {place !== null && <a href={obsidianAddress(place, path)}>Open in Obsidian</a>}
      </nav>
    </header>
  );
};

/** A note as it was, with the way back to it. */
const Past = ({ note }: { note: Shown }) => {
  const app = useApp();
  return (
    <p class="past">
      This is how it was. <a href={noteAddress(note.path)}>How it is now</a>{" "}
      {app.hello.value!.mayWrite && (
        <button type="button" onClick={() => void setBack(app, note.path, note.at!)}>
          Restore this
        </button>
      )}
    </p>
  );
};

const SHOWN_APART = new Set(["tags", "tag", "title", "aliases", "alias"]);
const Fields = ({ note: { shownFields, trouble } }: { note: Shown }) => {
  const fields = shownFields.filter(({ name, value }) => !SHOWN_APART.has(name) && value !== "");
  if (trouble !== null) return <p class="refusal">Its fields cannot be read: {seen(trouble)}</p>;
  if (fields.length === 0) return null;
  return (
    <dl class="fields">
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{seen(name)}</dt>
          <dd>{seen(value)}</dd>
        </div>
      ))}
    </dl>
  );
};

/** The section that the address names comes into view. */
const useSection = (section: string | null, headings: Env["headings"]): void => {
  useEffect(() => {
    const found = headings.find(({ text }) => text === section);
    if (found) document.getElementById(found.id)?.scrollIntoView();
  }, [section, headings]);
};
