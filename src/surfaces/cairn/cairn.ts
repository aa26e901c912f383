/** The `cairn` surface: eight tools over notes named by path, made for building linked knowledge in small steps. */

import type { Surface } from "../surface.ts";
import { explain } from "./explain.ts";
import { links, list, search } from "./tools/finding.ts";
import { daily, patch, read, remove, write } from "./tools/notes.ts";

export const cairn: Surface = {
  name: "cairn",
  instructions:
    "Linked Markdown notes named by path (no .md). Search or list before writing; add to notes with cairn_patch and cairn_daily rather than rewriting them; link with [[path]], [[name]] or an alias.",
  tools: [read, write, patch, remove, search, links, daily, list],
  explain,
};
