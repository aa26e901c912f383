/** What of the page is too long for each `npm test`: axe-core on every screen in every mode, long lists, how a note and a diff look, drafts, what goes wrong, the page off loopback, and all payloads. */

import { MODES } from "./axe.ts";
import { describeAsking } from "./asking.ts";
import { describeDrafts } from "./drafts.ts";
import { inBrowser } from "./ground.ts";
import { testEdge } from "./edge.ts";
import { testElsewhere } from "./elsewhere.ts";
import { testHostile } from "./hostile.ts";
import { describeLists } from "./lists.ts";
import { testPictures } from "./pictures.ts";
import { describeReading } from "./reading.ts";
import { testAccessible } from "./screens.ts";
import { describeTroubles } from "./troubles.ts";
import { describeWaysOn } from "./ways-on.ts";

inBrowser("the page, at length", (ground) => {
  testPictures(ground);
  for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) testAccessible(ground, mode);
  describeLists(ground);
  describeTroubles(ground);
  describeAsking(ground);
  describeDrafts(ground);
  describeReading(ground);
  describeWaysOn(ground);
  testElsewhere(ground);
  testEdge(ground);
  testHostile(ground, 12, 40);
});
