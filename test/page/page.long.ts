/** All payloads, and axe-core on every screen in every mode. */

import { MODES } from "./axe.ts";
import { inBrowser } from "./ground.ts";
import { testHostile } from "./hostile.ts";
import { testPictures } from "./pictures.ts";
import { testAccessible } from "./screens.ts";

inBrowser("the page, at length", (ground) => {
  testPictures(ground);
  for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) testAccessible(ground, mode);
  testHostile(ground, 12);
});
