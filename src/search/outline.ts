/** The outline of a stored body: where its sections and chunks begin, and the words of its links that say more than the target's name. */

import type { FoundNote } from "../notebook/filter.ts";
import { sectionHash } from "../notebook/handle.ts";
import type { Note } from "../notebook/note.ts";
import { linkKey } from "../notebook/resolve.ts";

/** `hash` is that of the text as it was written, which the stored body may not be. Ten of them are shown by a search, so they are not made then. */
export type StoredSection = [start: number, level: number, heading: string, hash: string];
/** A link is known by its place among the note's links. */
export type StoredLabel = [at: number, label: string];
export type Outline = { sections: StoredSection[]; labels: StoredLabel[]; chunks: number[] };

const LABELS = 200;
const LABEL_LENGTH = 200;
const HEADING_LENGTH = 500;
/** Nobody writes more by hand; beyond, a hit is shown without its section. */
const SECTIONS = 10_000;

/** The body in NFC, as it is searched, and its sections. */
export function bodyOf(note: Note): { body: string; sections: StoredSection[] } {
  const written = note.text ?? "";
  const { bodyStart } = note.front;
  const sections = note.firstSections(SECTIONS);
  const named = (text: string): string => text.slice(0, HEADING_LENGTH).normalize("NFC");
  if (written.normalize("NFC") === written)
    return {
      body: written.slice(bodyStart),
      sections: sections.map(({ start, end, heading }) => [
        start - bodyStart,
        heading.level,
        named(heading.text),
        sectionHash(written.slice(start, end)),
      ]),
    };
  // Lines are normalized alone as they are together, so the places can be followed from heading to heading.
  let body = "";
  let done = bodyStart;
  const moved = sections.map(({ start, end, heading }): StoredSection => {
    body += written.slice(done, start).normalize("NFC");
    done = start;
    return [body.length, heading.level, named(heading.text), sectionHash(written.slice(start, end))];
  });
  return { body: body + written.slice(done).normalize("NFC"), sections: moved };
}

/** The labels of links, where a label is not the name of the note that the link leads to. */
export function labelsOf(note: Note): StoredLabel[] {
  const labels: StoredLabel[] = [];
  for (const [at, { label, target }] of note.links.entries()) {
    if (labels.length === LABELS) break;
    if (label && linkKey(label) !== linkKey(target))
      labels.push([at, label.slice(0, LABEL_LENGTH).normalize("NFC")]);
  }
  return labels;
}

/** The section that stands at a place of the body. */
export function sectionAt({ sections }: Outline, at: number): FoundNote["section"] {
  const index = sections.findLastIndex(([start]) => start <= at);
  const section = sections[index];
  if (!section || index === SECTIONS - 1) return null;
  const [, , heading, hash] = section;
  return { heading, hash };
}
