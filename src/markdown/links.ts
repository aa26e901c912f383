/** Links to notes: wikilinks and embeds, Markdown links and images, reference definitions, wikilinks in fields. Found with line and span; rewritten in the style they were written in. */

export type LinkMark = {
  form: "wiki" | "markdown";
  embed: boolean;
  /** The note meant: percent-decoded, unescaped, NFC as typed, without anchor; keeps `.md`, `./`, `../` and a leading `/` if written. */
  target: string;
  /** `#Heading`, `#^block` (as written, with its mark), or "". */
  anchor: string;
  /** The words shown instead of the target, or null. */
  label: string | null;
  /** The whole link, as offsets into the text. */
  start: number;
  end: number;
  /** The part a new target replaces (without anchor, label, brackets). */
  targetStart: number;
  targetEnd: number;
  /** Line of the file, counted from 1. */
  line: number;
  where: "body" | "fields";
};
