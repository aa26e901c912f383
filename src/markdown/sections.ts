/** Sections: a heading and the lines it rules, up to the next heading of its level or a higher one. */

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

/** How a caller names a section: by its text, perhaps its level; `folded` ignores case. The first that fits is meant. */
export type SectionName = { text: string; level?: number; folded?: boolean };
