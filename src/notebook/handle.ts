/** Handles: one piece of text that names a note or one of its sections, and can tell whether the section is still the one that was seen. */

import { NoteError } from "../markdown/errors.ts";
import { label } from "../markdown/label.ts";
import { headingsOf, sectionsOf, type Heading, type Section } from "../markdown/sections.ts";
import { shortHash } from "./note.ts";
import type { Version } from "./parts.ts";
import { namedNote, notePath, type NotePath } from "./paths.ts";

/**
 * Written `path.md`, `path.md@1a2b3c4d`, `path.md#Heading` or `path.md#Heading@1a2b3c4d`: of a section the hash of its text, of a
 * whole note the first digits of its version. `.md` may be left out where nothing follows but a heading.
 */
export type Handle = { path: NotePath; heading: string | null; hash: string | null };

export function parseHandle(written: string): Handle {
  const whole =
    /^(.*?\.md)(?:#(.*?))?(?:@([0-9a-f]{8}))?$/s.exec(written) ??
    /^(.*?)(?:#(.*?))?(?:@([0-9a-f]{8}))?$/s.exec(written)!;
  const [, path = "", heading, hash] = whole;
  return {
    path: path.endsWith(".md") ? notePath(path) : namedNote(path),
    heading: heading || null,
    hash: hash ?? null,
  };
}

/** A longer heading is cut in handles: its hash says which section it is. */
const HEADING_SHOWN = 200;

export const sayHandle = (path: NotePath, heading: string, hash: string): string =>
  `${path}#${heading.length > HEADING_SHOWN ? `${heading.slice(0, HEADING_SHOWN)}…` : heading}@${hash}`;

const isNamed = (heading: string, written: string | null): boolean =>
  heading === written ||
  (written?.length === HEADING_SHOWN + 1 &&
    written.endsWith("…") &&
    heading.startsWith(written.slice(0, -1)));

/** As many digits as a section's hash has: two versions of one note do not share them by chance. */
export const noteHandle = ({ path, version }: { path: NotePath; version: Version }): string =>
  `${path}@${version.slice(0, 8)}`;

/** The hash of a section's text with its heading, blank lines at its end left out. */
export const sectionHash = (text: string): string => shortHash(text.trimEnd());

/** A section, which of those with its heading it is (from 0), and the handle that names it as it is now. */
export type Handled = Section & { nth: number; handle: string };

/** Sections of a note with their handles: the first of it, or all of one heading. */
export function sectionsWithHandles(path: NotePath, text: string, sections: readonly Section[]): Handled[] {
  const counts = new Map<string, number>();
  return sections.map((section) => {
    const name = section.heading.text;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const hash = sectionHash(text.slice(section.start, section.end));
    return { ...section, nth, handle: sayHandle(path, name, hash) };
  });
}

/**
 * The section that a handle names. With a hash: the one whose text is as it was seen, wherever it stands now and however many share its
 * heading. Where none is, it has changed: `version_conflict` for an edit; a reader takes the first of that heading. Without a
 * hash an edit is refused (`name_ambiguous`) where several share the heading.
 */
export function sectionBy(
  text: string,
  { path, heading, hash }: Handle,
  purpose: "read" | "edit",
  headings: readonly Heading[] = headingsOf(text),
): Handled {
  const named = sectionsOf(
    headings,
    () => text.length,
    (each) => isNamed(each.text, heading),
  );
  const sections = sectionsWithHandles(path, text, named);
  const [first] = sections;
  if (!first) throw noSection(path, heading, headings);
  if (hash === null) {
    if (sections.length === 1 || purpose === "read") return first;
    const candidates = sections.slice(0, HEADINGS_NAMED).map((section) => section.handle);
    throw new NoteError(
      "name_ambiguous",
      `"${path}" has ${sections.length} sections of that name: ${candidates.join(", ")}. Say which, by its handle.`,
      { path, section: heading, candidates },
    );
  }
  const same = sections.find((section) => section.handle.endsWith(`@${hash}`));
  if (same) return same;
  if (purpose === "read") return first;
  throw new NoteError(
    "version_conflict",
    `That section of "${path}" has changed since it was seen. Read it again and repeat the change.`,
    { path, section: heading, handle: first.handle },
  );
}

const HEADINGS_NAMED = 20;

function noSection(path: NotePath, section: string | null, headings: readonly Heading[]): NoteError {
  const there = headings.filter((each) => !each.nested).map((each) => each.text);
  const shown = there.slice(0, HEADINGS_NAMED).map((text) => `"${label(text)}"`);
  const hint =
    there.length === 0
      ? "It has none."
      : `There are: ${shown.join(", ")}${there.length > shown.length ? " …" : ""}.`;
  return new NoteError("section_missing", `The note "${path}" has no section of that name. ${hint}`, {
    path,
    section,
    headings: there.slice(0, HEADINGS_NAMED),
  });
}
