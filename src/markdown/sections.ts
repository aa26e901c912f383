/** Sections: a heading and the lines it rules, up to the next heading of its level or a higher one. */

import { readFront } from "./frontmatter.ts";
import { allHeadings } from "./heading-list.ts";
import { readProse } from "./prose.ts";
import { atOnce, type Steps } from "./steps.ts";

export type Heading = {
  level: number;
  /** The text without marks: `## A *b* ##` gives `A *b*`. */
  text: string;
  kind: "atx" | "setext";
  /** Inside a quote or a list. Such a heading is listed but rules no section. */
  nested: boolean;
  /** Line of the file, counted from 1. */
  line: number;
  /** Offset where its first line begins, and the offset just after its last line's newline (or the end of the text). */
  start: number;
  end: number;
};

/** How a caller names a section: by its text, perhaps its level; `folded` ignores case. It is the first that fits, or the `nth`, counted from 0. */
export type SectionName = { text: string; level?: number; folded?: boolean; nth?: number };

/** `start` is where the heading's line begins, `contentStart` just after it, `end` where the next section of its level or a higher one begins. */
export type Section = { heading: Heading; start: number; contentStart: number; end: number };

export const headingsOf = (text: string): Heading[] => atOnce(readHeadings(text));

/** Finds the headings of a whole note, frontmatter and all, in steps. */
export function* readHeadings(text: string): Steps<Heading[]> {
  const { front } = readFront(text);
  return allHeadings((yield* readProse(text, front.bodyStart, front.bodyLine)).headings);
}

/** Headings inside quotes and lists neither rule a section nor end one. */
export function sectionOf(text: string, headings: readonly Heading[], name: SectionName): Section | null {
  const fold = (each: string) => (name.folded ? each.normalize("NFC").toLowerCase() : each);
  const wanted = fold(name.text);
  const fits = (heading: Heading) =>
    !heading.nested && (name.level ?? heading.level) === heading.level && fold(heading.text) === wanted;
  let left = name.nth ?? 0;
  const index = headings.findIndex((each) => fits(each) && left-- === 0);
  const heading = headings[index];
  if (!heading) return null;
  const following = headings.findIndex(
    (each, at) => at > index && !each.nested && each.level <= heading.level,
  );
  return {
    heading,
    start: heading.start,
    contentStart: heading.end,
    end: headings[following]?.start ?? text.length,
  };
}

/** The sections of the headings that are wanted, in order, found in one pass. `after`: where one of a level that is open at the end of them ends. */
export function sectionsOf(
  headings: readonly Heading[],
  after: (level: number) => number,
  isWanted: (heading: Heading) => boolean = () => true,
): Section[] {
  const sections: Section[] = [];
  // Where the next heading of each level or a higher one begins, seen from behind.
  const next = Array.from({ length: 7 }, (_, level) => after(level));
  for (let at = headings.length - 1; at >= 0; at--) {
    const heading = headings[at]!;
    if (heading.nested) continue;
    if (isWanted(heading))
      sections.push({ heading, start: heading.start, contentStart: heading.end, end: next[heading.level]! });
    next.fill(heading.start, heading.level);
  }
  return sections.toReversed();
}
