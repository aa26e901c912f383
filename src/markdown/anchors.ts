/** Anchors: what stands behind the `#` of a link, and whether a note has the heading or the block that it names. Headings are compared as Obsidian does; in a Markdown link also by the slug that GitHub gives them. */

import { percentDecoded } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";
import type { Heading } from "./sections.ts";

/** What links can lead to inside a note. */
export type Anchors = { headings: { level: number; key: string }[]; slugs: Set<string>; blocks: Set<string> };

/** A note with more headings than this is not looked through: nobody wrote them by hand, and none is said to be missing. */
const HEADINGS = 20_000;

/** Null where there is too much to look through. */
export function anchorsOf(note: { headings: readonly Heading[]; blocks: readonly string[] }): Anchors | null {
  if (note.headings.length > HEADINGS) return null;
  return {
    headings: note.headings.map(({ level, text }) => ({ level, key: keyOf(text) })),
    slugs: slugsOf(note.headings),
    blocks: new Set(note.blocks.map((id) => id.toLowerCase())),
  };
}

/** What the note lacks that an anchor names; null where it has it, or nothing of a note is meant. */
export function missingIn(
  there: Anchors,
  { anchor, form }: Pick<LinkMark, "anchor" | "form">,
): "heading" | "block" | null {
  const written = (form === "markdown" ? percentDecoded(anchor) : anchor).slice(1);
  if (!namesPlace(anchor)) return null;
  const segments = written.split("#").filter((segment) => segment.trim() !== "");
  const last = segments.at(-1)!.trim();
  if (last.startsWith("^")) return there.blocks.has(last.slice(1).toLowerCase()) ? null : "block";
  const key = keyOf(written);
  const found =
    there.headings.some((heading) => heading.key === key) ||
    (segments.length > 1 && isBelow(segments.map(keyOf), there.headings)) ||
    (form === "markdown" && there.slugs.has(written.toLowerCase()));
  return found ? null : "heading";
}

/** `#page=3` and `#height=400` are for whatever shows the file. */
export const namesPlace = (anchor: string): boolean =>
  !/^#(?:page|height)=/i.test(anchor) && anchor.replaceAll("#", "").trim() !== "";

/** As Obsidian compares headings: in any case, with punctuation and runs of blanks as one blank. */
const keyOf = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/(?![-_])[\s\p{P}\p{Sc}\p{Sk}\p{Sm}]+/gu, " ")
    .trim();

/** Whether the last of these is a heading below the others, in their order, whatever stands between. */
function isBelow(wanted: readonly string[], headings: Anchors["headings"]): boolean {
  const above: Anchors["headings"] = [];
  for (const heading of headings) {
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop();
    above.push(heading);
    if (heading.key !== wanted.at(-1)) continue;
    let met = 0;
    for (const { key } of above.slice(0, -1)) if (key === wanted[met] && met < wanted.length - 1) met++;
    if (met === wanted.length - 1) return true;
  }
  return false;
}

/** GitHub's: the words as they are shown, in lower case, blanks as `-`, and a number where one comes again. */
function slugsOf(headings: readonly Heading[]): Set<string> {
  const counts = new Map<string, number>();
  const slugs = new Set<string>();
  for (const { text } of headings) {
    const shown = text
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
    const slug = shown
      .normalize("NFC")
      .toLowerCase()
      .trim()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    slugs.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return slugs;
}
