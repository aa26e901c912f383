/** What axe-core finds wrong with the page that is shown. It is put in by `evaluate`: the page's policy refuses script tags. */

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export const wrongWith = async (page: Page): Promise<string[]> => {
  // What fades in is looked at once it is there; a blinking caret never ends.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().map(({ effect, finished }) => effect.getComputedTiming().endTime < 5000 && finished)).then(() => null)",
  );
  await page.evaluate(AXE);
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).slice(0, 3).join(' | ')))",
  );
  return found as string[];
};

export const MODES = {
  light: { colorScheme: "light", viewport: { width: 1200, height: 850 } },
  dark: { colorScheme: "dark", viewport: { width: 1200, height: 850 } },
  narrow: { colorScheme: "light", viewport: { width: 360, height: 740 } },
} as const;
