/** The surfaces of a workspace: all of them, loaded with the Worker, which is one file and starts once for many callers. */

import { bridges } from "../surfaces/bridges/bridges.ts";
import { cairn } from "../surfaces/cairn/cairn.ts";
import { native } from "../surfaces/native/native.ts";
import { notes } from "../surfaces/notes/notes.ts";
import { obsidian } from "../surfaces/obsidian/obsidian.ts";
import type { Surface } from "../surfaces/surface.ts";
import { wiki } from "../surfaces/wiki/wiki.ts";

const SURFACES: readonly Surface[] = [native, obsidian, bridges, wiki, cairn, notes];

export const surfaceNames: readonly string[] = SURFACES.map(({ name }) => name);

/** Null where there is none of that name. */
export const loadSurface = async (name: string): Promise<Surface | null> =>
  SURFACES.find((surface) => surface.name === name) ?? null;
