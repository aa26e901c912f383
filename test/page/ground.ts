/** What the tests of one file share: one browser, and one server on one vault. */

import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { chromiumPath, QUIET } from "./chromium.ts";
import { openVault, type Opened } from "./opened.ts";

export type Ground = { browser: Browser; opened: Opened };

/** Runs the tests in Chromium; where there is none they are left out, which is said in one line. */
export const inBrowser = (name: string, tests: (ground: Ground) => void): void => {
  const executablePath = chromiumPath();
  describe.skipIf(executablePath === null)(name, () => {
    const ground = {} as Ground;
    beforeAll(async () => {
      ground.browser = await chromium.launch({ executablePath: executablePath!, args: QUIET });
      ground.opened = await openVault();
    });
    afterAll(async () => {
      await ground.browser?.close();
      await ground.opened?.end();
    });
    tests(ground);
  });
};
