/** The surfaces there are: one line each. */

import { bridges } from "./bridges/bridges.ts";
import { cairn } from "./cairn/cairn.ts";
import { native } from "./native/native.ts";
import { notes } from "./notes/tools/notes.ts";
import { obsidian } from "./obsidian/tools/notes.ts";
import type { Surface } from "./surface.ts";
import { wiki } from "./wiki/wiki.ts";

export const surfaces: readonly Surface[] = [native, obsidian, bridges, wiki, cairn, notes];
