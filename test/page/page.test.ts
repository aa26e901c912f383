/** The page in a real Chromium, on a real server and a copied vault: one browser for all of it. */

import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { chromiumPath, QUIET } from "./chromium.ts";
import { describeChanges } from "./changes.ts";
import { describeDoor } from "./door.ts";
import { describeEditing } from "./editing.ts";
import { describeProposals } from "./proposals.ts";
import { describeScreens } from "./screens.ts";
import { testHostile } from "./hostile.ts";
import { describeNotes } from "./notes.ts";
import { openVault, type Opened } from "./opened.ts";

/** What the parts of this test share. */
export type Ground = { browser: Browser; opened: Opened };

const executablePath = chromiumPath();
describe.skipIf(executablePath === null)("the page", () => {
  const ground = {} as Ground;
  beforeAll(async () => {
    ground.browser = await chromium.launch({ executablePath: executablePath!, args: QUIET });
    ground.opened = await openVault();
  });
  afterAll(async () => {
    await ground.browser?.close();
    await ground.opened?.end();
  });
  describeDoor(ground);
  describeChanges(ground);
  describeNotes(ground);
  describeEditing(ground);
  describeScreens(ground);
  describeProposals(ground);
  testHostile(ground, 1);
});
