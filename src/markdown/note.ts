/** What one linear pass over a note's text finds. */

import { fieldLinks } from "./field-links.ts";
import { readFront, type Fields, type Front } from "./frontmatter.ts";
import { allHeadings, countOwn, firstOwn, leadingWords, type HeadingList } from "./heading-list.ts";
import { readInline } from "./inline.ts";
import { targetKind } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";
import { readProse } from "./prose.ts";
import { sectionsOf, type Heading, type Section } from "./sections.ts";
import { atOnce, type Steps } from "./steps.ts";
import { fieldTags, plainTexts } from "./tags.ts";

export type ParsedNote = {
  front: Front;
  fields: Fields;
  /** The field `title`, else a heading of level 1 that begins the body; null where the file's name must serve. */
  title: string | null;
  /** Without the mark; each once, in order of appearance. */
  tags: { fields: string[]; inline: string[] };
  aliases: string[];
  headings: Heading[];
  /** How many there are; and as many of them, for who does not need the others: headings are made when they are asked for. */
  sectionCount(): number;
  firstSections(count: number): Section[];
  /** Links to notes; some may lead to an attachment that is called so. */
  links: LinkMark[];
  /** Links that can lead to attachments only, by the ending of their target. */
  fileLinks: LinkMark[];
  /** Links to a heading or block of the note itself; they have no target. */
  ownLinks: LinkMark[];
  /** Block ids, written `^like-this` at the end of a block. */
  blocks: string[];
};

export const parseNote = (text: string): ParsedNote => atOnce(readNote(text));

/** Parses in steps, for a text that may take long. */
export function* readNote(text: string): Steps<ParsedNote> {
  const { front, fields } = readFront(text);
  const prose = yield* readProse(text, front.bodyStart, front.bodyLine);
  const { links, tags, blocks } = yield* readInline(prose);
  const found = prose.headings;
  let headings: Heading[] | null = null;
  const [toNotes, toFiles, toItself]: [LinkMark[], LinkMark[], LinkMark[]] = [[], [], []];
  for (const link of numbered(text, [...fieldLinks(text, front), ...links]))
    if (link.target === "") toItself.push(link);
    else (targetKind(link.target, link.form) === "attachment" ? toFiles : toNotes).push(link);
  return {
    front,
    fields,
    title: titleOf(fields, found, front.bodyStart),
    tags: { fields: fieldTags(fields), inline: tags },
    aliases: aliasesOf(fields),
    get headings() {
      return (headings ??= allHeadings(found));
    },
    sectionCount: () => countOwn(found),
    firstSections(count) {
      const first = firstOwn(found, count);
      return sectionsOf(first.headings, (level) => first.nextStart(level) ?? text.length);
    },
    links: toNotes,
    fileLinks: toFiles,
    ownLinks: toItself,
    blocks,
  };
}

function titleOf(fields: Fields, headings: HeadingList, bodyStart: number): string | null {
  const title = plainTexts(fields["title"])[0]?.trim();
  if (title && !Array.isArray(fields["title"])) return title;
  return leadingWords(headings, bodyStart);
}

/** From `aliases` and `alias`: a list, or text parted by commas. */
function aliasesOf(fields: Fields): string[] {
  const found = [fields["aliases"], fields["alias"]].flatMap((value) =>
    typeof value === "string" ? value.split(",") : plainTexts(value),
  );
  return [...new Set(found.map((alias) => alias.trim()).filter((alias) => alias !== ""))];
}

/** In order of place, each with its line. */
function numbered(text: string, links: LinkMark[]): LinkMark[] {
  links.sort((a, b) => a.start - b.start);
  let line = 1;
  let newline = text.indexOf("\n");
  for (const link of links) {
    for (; newline >= 0 && newline < link.start; newline = text.indexOf("\n", newline + 1)) line++;
    link.line = line;
  }
  return links;
}
