/** The surfaces there are: one line each. */

import { bridges } from "./bridges/bridges.ts";
import { cairn } from "./cairn/cairn.ts";
import { native } from "./native/native.ts";
import { notes } from "./notes/notes.ts";
import { obsidian } from "./obsidian/obsidian.ts";
import type { Surface } from "./surface.ts";
import { wiki } from "./wiki/wiki.ts";

export const surfaces: readonly Surface[] = [native, obsidian, bridges, wiki, cairn, notes];
