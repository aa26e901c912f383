/** Surfaces by name, each loaded alone: whoever serves one does not wait for the others. The list is that of all.ts. */

import type { Surface } from "./surface.ts";

const LOADERS: Record<string, () => Promise<Surface>> = {
  native: async () => (await import("./native/native.ts")).native,
  obsidian: async () => (await import("./obsidian/tools/notes.ts")).obsidian,
  bridges: async () => (await import("./bridges/bridges.ts")).bridges,
  wiki: async () => (await import("./wiki/wiki.ts")).wiki,
  cairn: async () => (await import("./cairn/cairn.ts")).cairn,
  notes: async () => (await import("./notes/tools/notes.ts")).notes,
};

export const surfaceNames: readonly string[] = Object.keys(LOADERS);

/** Null where there is none of that name. */
export const loadSurface = async (name: string): Promise<Surface | null> =>
  Object.hasOwn(LOADERS, name) ? LOADERS[name]!() : null;
