/** Check, who and help: what they hold, by keys; and that axe-core finds nothing on any screen. */

import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { MODES, wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

export const describeScreens = (ground: Ground): void => {
  test("check lists what is broken with its remedy; who lists identities, and removes one", async () => {
    const { browser, opened } = ground;
    opened.write("Broken.md", "See [[Nowhere at all]].\n");
    const token = await opened.identity("Leaver", "--rights", "read");
    expect(await opened.call(token, "search_notes", { query: "garden" })).toContain("note");
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click("nav >> text=Check");
    await page.waitForSelector("summary >> text=Broken links");
    await page.waitForSelector(".findings .target >> text=Nowhere at all There is no such note.");
    expect(await page.getAttribute(".findings a[title='Broken.md']", "href")).toBe("#/note/Broken.md?line=1");
    expect(await page.textContent(".check")).toContain("What to do:");
    await page.click("nav >> text=Who");
    await page.waitForSelector("h2 >> text=Leaver");
    await page.focus("[aria-label='Remove Leaver']");
    await page.keyboard.press("Enter");
    await page.focus("text=Yes, remove Leaver");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Leaver has no access any more.");
    expect(await opened.call(token, "search_notes", { query: "garden" })).toContain("invalid_token");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("single keys do something until they are switched off", async () => {
    const { browser, opened } = ground;
    opened.write("What else.md", "A note whose name begins as a command does.\n");
    const { page, context } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/check`);
    await page.waitForSelector(".check");
    await page.keyboard.press("?");
    await page.waitForSelector("caption >> text=Keys");
    await page.uncheck("input[type=checkbox]");
    await page.focus("main");
    await page.keyboard.press("g");
    await page.waitForTimeout(100);
    expect(page.url()).toContain("#/help");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog");
    await page.keyboard.type("what");
    await page.waitForSelector("dialog [role=option] >> text=What else");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#search");
    await context.close();
  });
};

/** Every screen in one mode. */
export const testAccessible = (ground: Ground, mode: keyof typeof MODES): void => {
  test(`axe finds nothing on any screen (${mode})`, async () => {
    const { browser, opened } = ground;
    const token = await opened.identity(`Axe ${mode}`);
    await opened.call(token, "write_note", {
      path: `Axe ${mode}.md`,
      text: "---\na: 1\n---\n# Axe\n\nWords.\n\n```\ncode\n```\n",
    });
    const options: BrowserContextOptions = { ...MODES[mode], reducedMotion: "reduce" };
    const { page, context } = await openTab(browser, opened, options);
    await page.waitForSelector(".revision");
    const found: Record<string, string[]> = { home: await wrongWith(page) };
    const at = async (address: string, selector: string): Promise<void> => {
      await page.goto(`${opened.base}${address}`);
      await page.waitForSelector(selector);
      await page.waitForTimeout(150);
      found[address] = await wrongWith(page);
      const wide = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (Number(wide) > 0) found[address]!.push(`${String(wide)} pixels too wide`);
    };
    await page.click(`.revision:has-text("Axe ${mode}")`);
    await page.waitForSelector(".diff");
    await at(new URL(page.url()).hash, ".diff");
    await at("#/?q=garden", ".hits");
    await at("#/note/Projects/Rain%20garden.md", ".reading");
    await at("#/links/Projects/Rain%20garden.md", "canvas");
    await at("#/activity", ".calls li");
    await at("#/history/Projects/Rain%20garden.md", ".page-head");
    await at("#/edit/Projects/Rain%20garden.md", ".cm-content");
    await at("#/new/", "#name");
    await at("#/check", ".finding");
    await at("#/who", ".who li");
    await at("#/help", ".help table");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog li");
    found["switcher"] = await wrongWith(page);
    expect(Object.fromEntries(Object.entries(found).filter(([, wrong]) => wrong.length > 0))).toEqual({});
    await context.close();
  });
};
