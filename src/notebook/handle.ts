/** Handles: one piece of text that names a note or one of its sections, and can tell whether the section is still the one that was seen. */

import { NoteError } from "../markdown/errors.ts";
import { sectionOf, type Heading, type Section } from "../markdown/sections.ts";
import { shortHash, textOf, type Note } from "./note.ts";
import { notePath, type NotePath } from "./paths.ts";

/** Written `path.md`, `path.md#Heading` or `path.md#Heading@1a2b3c4d`; `.md` may be left out where nothing follows but a heading. */
export type Handle = { path: NotePath; heading: string | null; hash: string | null };

export function parseHandle(written: string): Handle {
  const whole =
    /^(.*?\.md)(?:#(.*?))?(?:@([0-9a-f]{8}))?$/s.exec(written) ??
    /^(.*?)(?:#(.*?))?(?:@([0-9a-f]{8}))?$/s.exec(written)!;
  const [, path = "", heading, hash] = whole;
  return {
    path: notePath(path.endsWith(".md") ? path : `${path}.md`),
    heading: heading || null,
    hash: hash ?? null,
  };
}

export const sayHandle = (path: NotePath, heading: string, hash: string): string =>
  `${path}#${heading}@${hash}`;

/** Of a section's text with its heading, blank lines at its end left out. */
export const sectionHash = (text: string): string => shortHash(text.trimEnd());

/**
 * The section that is meant. With a hash: the one whose text is as it was seen, wherever it stands now and however many share its
 * heading. Where none is, it has changed: `version_conflict` for an edit; a reader takes the first of that heading.
 */
export function sectionBy(note: Note, handle: Handle, purpose: "read" | "edit"): Section {
  const text = textOf(note);
  const named = note.headings.filter((heading) => !heading.nested && heading.text === handle.heading);
  const sections = named.map((heading) => sectionAt(text, note.headings, heading));
  const same = sections.find(
    (section) => handle.hash === null || sectionHash(text.slice(section.start, section.end)) === handle.hash,
  );
  if (same) return same;
  const [first] = sections;
  if (!first)
    throw new NoteError(
      "section_missing",
      `The note "${note.path}" has no section of that name. Read its outline for those there are.`,
      {
        path: note.path,
        section: handle.heading,
      },
    );
  if (purpose === "read") return first;
  throw new NoteError(
    "version_conflict",
    `That section of "${note.path}" has changed since it was seen. Read it again and repeat the change.`,
    {
      path: note.path,
      section: handle.heading,
    },
  );
}

function sectionAt(text: string, headings: readonly Heading[], heading: Heading): Section {
  return sectionOf(text, headings.slice(headings.indexOf(heading)), {
    text: heading.text,
    level: heading.level,
  })!;
}
