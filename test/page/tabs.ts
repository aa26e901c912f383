/** Many tabs of one browser: a browser keeps six connections to a server, so one tab hears for all of them. */

import type { Page } from "playwright-core";
import { test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

/** A guard against hanging. */
const SOON = { timeout: 20_000 };

export const describeTabs = (ground: Ground): void => {
  test("nine tabs: each hears of a change and finds notes; when the first is closed, the others go on hearing", async () => {
    const { browser, opened } = ground;
    const { page, context } = await openTab(browser, opened);
    const tabs: Page[] = [page];
    while (tabs.length < 9) {
      const next = await context.newPage();
      await next.goto(opened.base);
      await next.waitForSelector("#search");
      tabs.push(next);
    }
    const token = await opened.identity("tabs");
    const hear = async (name: string, by: readonly Page[]): Promise<void> => {
      await opened.call(token, "write_note", { path: `${name}.md`, text: "A heron came.\n" });
      await Promise.all(by.map((tab) => tab.waitForSelector(`.revision >> text=${name}`, SOON)));
    };
    await hear("Heard by nine", tabs);
    await tabs[8]!.fill("#search", "heron");
    await tabs[8]!.waitForSelector(".hit >> text=Heard by nine", SOON);
    await tabs[8]!.fill("#search", "");
    await page.close();
    await hear("Heard by eight", tabs.slice(1));
    await context.close();
  });

  test("what happens before the page listens is told once it does", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("early");
    const context = await browser.newContext();
    const page = await context.newPage();
    let listen = (): void => undefined;
    const held = new Promise<void>((done) => (listen = done));
    await page.route("**/api/events", async (route) => {
      await held;
      await route.continue();
    });
    const listed = page.waitForResponse((response) => response.url().endsWith("/api/changes"));
    await page.goto(await opened.keyed());
    await (await listed).finished();
    await opened.call(token, "write_note", { path: "Early bird.md", text: "It sang.\n" });
    listen();
    await page.waitForSelector(".revision >> text=Early bird", SOON);
    await context.close();
  });
};
