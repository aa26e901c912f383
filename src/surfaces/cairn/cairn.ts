/** The `cairn` surface: eight tools over notes named by path, made for building linked knowledge in small steps. */

import type { Surface } from "../surface.ts";
import { findingTools } from "./tools/finding.ts";
import { noteTools } from "./tools/notes.ts";
import { explain } from "./explain.ts";

const { read, write, patch, remove, daily } = noteTools;
const { search, links, list } = findingTools;

export const cairn: Surface = {
  name: "cairn",
  instructions:
    "Linked Markdown notes named by path (no .md). Search or list before writing; add to notes with cairn_patch and cairn_daily rather than rewriting them; link with [[path]], [[name]] or an alias.",
  tools: [read, write, patch, remove, search, links, daily, list],
  explain,
};
