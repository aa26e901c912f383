/** The surfaces there are: one line each. Each is loaded by its name, alone: a server that speaks one does not wait for the others (decision 8). */

import type { Surface } from "./surface.ts";

const SURFACES: Record<string, () => Promise<Surface>> = {
  native: async () => (await import("./native/native.ts")).native,
  obsidian: async () => (await import("./obsidian/obsidian.ts")).obsidian,
  bridges: async () => (await import("./bridges/bridges.ts")).bridges,
  wiki: async () => (await import("./wiki/wiki.ts")).wiki,
  cairn: async () => (await import("./cairn/cairn.ts")).cairn,
  notes: async () => (await import("./notes/notes.ts")).notes,
};

export const surfaceNames: readonly string[] = Object.keys(SURFACES);

/** Null where there is none of that name. */
export const loadSurface = async (name: string): Promise<Surface | null> =>
  Object.hasOwn(SURFACES, name) ? SURFACES[name]!() : null;

/** All of them, for pages and tests. */
export const loadSurfaces = (): Promise<Surface[]> =>
  Promise.all(Object.values(SURFACES).map((load) => load()));
