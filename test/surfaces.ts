/** Every surface, loaded, for tests and pages that go through all of them. */

import { loadSurfaces } from "../src/surfaces/all.ts";

export const surfaces = await loadSurfaces();
