/** The page in a real Chromium, on a real server and a copied vault: one browser for all of it. */

import { describeChanges } from "./changes.ts";
import { describeDeciding } from "./deciding.ts";
import { describeDoor } from "./door.ts";
import { describeEditing } from "./editing.ts";
import { describeFirstRun } from "./first-run.ts";
import { inBrowser } from "./ground.ts";
import { testHostile } from "./hostile.ts";
import { describeKeyboard } from "./keyboard.ts";
import { describeNotes } from "./notes.ts";
import { describeProposals } from "./proposals.ts";
import { describeScreens } from "./screens.ts";
import { describeTabs } from "./tabs.ts";

inBrowser("the page", (ground) => {
  describeDoor(ground);
  describeFirstRun(ground);
  describeChanges(ground);
  describeNotes(ground);
  describeEditing(ground);
  describeScreens(ground);
  describeKeyboard(ground);
  describeTabs(ground);
  describeProposals(ground);
  describeDeciding(ground);
  testHostile(ground, 1, 3);
});
