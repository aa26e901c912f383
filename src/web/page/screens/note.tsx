/** A note: read as it is or as it was; beside it the outline, what links here, and the rules it breaks. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Note as Shown, PageEvent } from "../../wire.ts";
import { useActs } from "../acts.ts";
import { useApp } from "../app.ts";
import { Aside, FoldedOutline } from "../parts/note-aside.tsx";
import { NoteFields } from "../parts/note-fields.tsx";
import { DeadEnd, RefusalLine } from "../parts/refusal-line.tsx";
import { useWide } from "../parts/use-wide.ts";
import type { Env } from "../reading/env.ts";
import { Glance } from "../reading/glance.tsx";
import { openReader, Reader } from "../reading/reader.tsx";
import { noteAddress, searchAddress } from "../route.ts";
import { setBack } from "../undo.ts";
import { useCall } from "../use-call.ts";
import { dayOf, folderOf, momentOf, nameOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export type NoteProps = { path: string; at: string | null; section: string | null; line: number | null };

export const NoteScreen = ({ path, at, section, line }: NoteProps) => {
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
  const wide = useWide();
  useTitle(note?.title ?? path);
  useSection(section, headings.value);
  useLine(line, note);
  const { mayWrite, place } = app.hello.value!;
  const isNow = at === null;
  useActs({
    edit: isNow && mayWrite ? () => app.go(noteAddress(path, "edit")) : null,
    history: () => app.go(noteAddress(path, "history")),
    links: () => app.go(noteAddress(path, "links")),
    obsidian: place === null ? null : () => location.assign(obsidianAddress(place, path)),
    restore: !isNow && mayWrite ? () => void setBack(app, path, at) : null,
  });
  if (refusal && !note) return <DeadEnd refusal={refusal} heading={nameOf(path)} path={path} />;
  if (!note) return <p class="count">Reading…</p>;
  return (
    <div class="note-page">
      <article>
        <NoteHead note={note} isWide={wide} />
        {refusal && <RefusalLine refusal={refusal} />}
        {note.rules && <BrokenRules rules={note.rules} />}
        {!wide && <FoldedOutline headings={headings.value} />}
        {note.text === null ? (
          <p>This note is not UTF-8 text, so it cannot be shown.</p>
        ) : note.text.slice(note.bodyStart).trim() === "" ? (
          <p class="meta">This note is empty.</p>
        ) : (
          <Reader renderer={renderer} note={note} onHeadings={(found) => (headings.value = found)} />
        )}
        <Glance renderer={renderer} />
      </article>
      <Aside note={note} headings={wide ? headings.value : []} />
    </div>
  );
};

const BrokenRules = ({ rules: { folder, issues } }: { rules: NonNullable<Shown["rules"]> }) => (
  <div class="refusal" role="note">
    <p>It breaks the rules of {seen(folder)}:</p>
    <ul>
      {issues.map((issue) => (
        <li key={issue}>{seen(issue)}</li>
      ))}
    </ul>
  </div>
);

const obsidianAddress = (place: string, path: string): string =>
  `obsidian://open?path=${encodeURIComponent(`${place}/${path}`)}`;

/** Whether a link of the note leads elsewhere since: its note was made, or is gone. */
const leadsAnew = (note: Shown | null, { how, path }: Extract<PageEvent, { kind: "note" }>): boolean => {
  const name = nameOf(path).toLowerCase();
  const links = note?.links ?? [];
  if (how === "went") return links.some((link) => link.path === path);
  return (
    how === "came" && links.some((link) => link.path === null && nameOf(link.target).toLowerCase() === name)
  );
};

const NoteHead = ({ note, isWide }: { note: Shown; isWide: boolean }) => {
  const app = useApp();
  const { place } = app.hello.value!;
  const { path, at } = note;
  return (
    <header class="page-head">
      {at !== null && <Past note={note} />}
      <p class="meta">{seen(folderOf(path))}</p>
      <h1 dir="auto">{seen(note.title)}</h1>
      <p class="meta">
        {at === null && `Changed ${momentOf(new Date(note.modified))}`}
        {at === null && note.created && ` · Created ${dayOf(new Date(note.created))}`}
        {note.tags.map((tag) => (
          <>
            {" "}
            <a key={tag} class="tag" href={searchAddress(`tag:${tag}`)}>
              #{seen(tag)}
            </a>
          </>
        ))}
      </p>
      <nav class="acts" aria-label="This note">
        {at === null && app.hello.value!.mayWrite && <a href={noteAddress(path, "edit")}>Edit</a>}
        <a href={noteAddress(path, "history")}>History</a>
        <a href={noteAddress(path, "links")}>Links</a>
        {place !== null && <a href={obsidianAddress(place, path)}>Open in Obsidian</a>}
      </nav>
      <NoteFields note={note} isOpen={isWide} />
    </header>
  );
};

/** A note as it was, with the way back to it. */
const Past = ({ note }: { note: Shown }) => {
  const app = useApp();
  return (
    <p class="past">
      You are reading the version of {momentOf(new Date(note.recorded!))}.{" "}
      <a href={noteAddress(note.path)}>Read it as it is now</a>{" "}
      {app.hello.value!.mayWrite && (
        <button type="button" onClick={() => void setBack(app, note.path, note.at!)}>
          Restore this
        </button>
      )}
    </p>
  );
};

/** The section that the address names comes into view. */
const useSection = (section: string | null, headings: Env["headings"]): void => {
  useEffect(() => {
    const found = headings.find(({ text, words }) => text === section || words === section);
    if (found) document.getElementById(found.id)?.scrollIntoView();
  }, [section, headings]);
};

/** The block that a line of the source stands in comes into view. */
const useLine = (line: number | null, note: Shown | null): void => {
  useEffect(() => {
    if (line === null || !note?.text) return;
    const below = note.text.split("\n").length - line + 1;
    const block = [
      ...document.querySelectorAll<HTMLElement>(".note-page > article > .reading > [data-below]"),
    ]
      .toReversed()
      .find(({ dataset }) => Number(dataset["below"]) >= below);
    block?.classList.add("meant");
    block?.scrollIntoView({ block: "center" });
  }, [line, note?.path, note !== null]);
};
