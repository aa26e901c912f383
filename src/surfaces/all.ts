/** The surfaces there are: one line each. */

import { notes } from "./notes/notes.ts";
import { obsidian } from "./obsidian/obsidian.ts";
import type { Surface } from "./surface.ts";

export const surfaces: readonly Surface[] = [obsidian, notes];
