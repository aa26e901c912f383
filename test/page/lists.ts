/** Lists that are long: all of them can be reached, by scrolling and by keys, and only a few of their lines are on the page at a time. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newLedger, openAt } from "../planted-history.ts";
import { noteOf, record } from "../../src/notebook/suites/scribe.ts";
import type { NotePath } from "../../src/notebook/paths.ts";
import { makeHome } from "../process.ts";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab, openVault, type Opened } from "./opened.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CHANGES = 450;
const LINKS = 130;
const NOTE = "Diary.md" as NotePath;

/** A vault with a long history of one note, many links to it, many of them broken, and many proposals. */
const longVault = async (): Promise<Opened> => {
  const home = makeHome();
  const ledger = await newLedger();
  const history = openAt(home.vault, ledger);
  let before = null;
  for (let at = 1; at <= CHANGES; at++) {
    const after = noteOf(NOTE, `# Diary\n\nDay ${at}.\n`);
    const who = { client: `Client ${at % 7}`, surface: "native", tool: "write_note", connection: "one" };
    const change = { path: NOTE, before, after, why: "asked" as const };
    await record(history, [change], `Day ${at}`, who, new Date(Date.UTC(2026, 0, 1) + at * 3_600_000));
    before = after;
  }
  await history.close();
  writeFileSync(join(home.vault, NOTE), `# Diary\n\nDay ${CHANGES}.\n`);
  mkdirSync(join(home.vault, "Linking"));
  for (let at = 1; at <= LINKS; at++)
    writeFileSync(join(home.vault, `Linking/L${at}.md`), `To [[Diary]] and to [[Missing ${at}]].\n`);
  return openVault(home);
};

/** Goes down until that line is there; gives how many lines were on the page at most. */
const scrolledTo = async (page: Page, line: string, lines: string): Promise<number> => {
  let most = 0;
  for (let tries = 0; tries < 200 && (await page.locator(line).count()) === 0; tries++) {
    await page.mouse.wheel(0, 4000);
    await page.waitForTimeout(30);
    most = Math.max(most, await page.locator(lines).count());
  }
  await page.waitForSelector(line);
  return most;
};

export const describeLists = (ground: Ground): void => {
  test("what changed, to its beginning, backlinks, a history and what a check found: no list holds them all at once", async () => {
    const opened = await longVault();
    const { page, context, complaints } = await openTab(ground.browser, opened);
    await page.waitForSelector(".revision");
    await page.mouse.move(600, 600);
    expect(
      await scrolledTo(page, ".revision[href*='/change/'] >> text=created Diary", ".revision"),
    ).toBeLessThan(250);
    expect(await wrongWith(page)).toEqual([]);
    // Back at the top, the first lines are there again, and those below have gone.
    await page.keyboard.press("Escape");
    await page.evaluate("scrollTo(0, 0)");
    await expect.poll(() => page.locator(".revision").count(), { timeout: 20_000 }).toBeLessThan(200);

    // With keys alone: from the last line of the first page to the one that follows it.
    await page.locator("section[aria-labelledby=changed] > .groups .revision").last().focus();
    await page.waitForSelector(".long-page .revision");
    const isOnNext = "document.activeElement.closest('.long-page') !== null";
    for (let tabs = 0; tabs < 3 && !(await page.evaluate(isOnNext)); tabs++) await page.keyboard.press("Tab");
    expect(await page.evaluate(isOnNext)).toBe(true);

    await page.goto(`${opened.base}#/note/Diary.md`);
    await page.waitForSelector(`text=Linked from ${LINKS} places`);
    expect(await page.locator(".backlinks li").count()).toBeLessThan(LINKS);
    // The list has a side of its own to scroll in.
    await page.hover(".backlinks li >> nth=0");
    await scrolledTo(page, ".backlinks a >> text=/^L99$/", ".backlinks li");
    await page.mouse.move(600, 600);

    await page.goto(`${opened.base}#/history/Diary.md`);
    await page.waitForSelector(".version");
    await page.locator("main").focus();
    // A key that is pressed before the last one was answered counts as well.
    for (let at = 0; at < 45; at++) await page.keyboard.press("[");
    await page.waitForSelector(`.diff ins >> text=${CHANGES - 45}`);
    expect(await page.locator(".version").count()).toBeLessThan(200);
    expect(await wrongWith(page)).toEqual([]);

    await page.goto(`${opened.base}#/check`);
    await page.click("summary >> text=Broken links");
    await page.waitForSelector(".findings li");
    expect(await page.locator(".findings li").count()).toBeLessThan(LINKS);
    await scrolledTo(page, ".findings >> text=Missing 99", ".findings li");
    expect(await wrongWith(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
    await opened.end();
  });

  test("many proposals, and one of many notes, are looked at and accepted to the last", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Many", "--rights", "propose");
    const paths = Array.from({ length: 45 }, (_, at) => `Many/N${at + 10}.md`);
    for (const path of paths) await opened.call(token, "write_note", { path, text: "text\n" });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.waitForSelector("text=/4\\d proposals for you to decide/");
    await page.mouse.move(600, 400);
    await scrolledTo(page, ".waiting >> text=/^N10$/", ".waiting .revision");
    const edits = paths.map((note) => ({ note, do: "append", text: "more" }));
    await opened.call(token, "edit_notes", { edits });
    await page.waitForSelector(".waiting >> text=and 44 more notes");
    await page.click(".waiting >> text=and 44 more notes");
    await page.waitForSelector(".proposed");
    expect(await page.locator(".proposed").count()).toBeLessThan(45);
    await scrolledTo(page, "button[aria-label='Accept N54']", ".proposed");
    await page.evaluate("scrollTo(0, 0)");
    await page.click("button.main");
    await page.waitForSelector("text=Accepted: 45 notes.");
    expect(opened.read("Many/N54.md")).toContain("more");
    expect(complaints).toEqual([]);
    await context.close();
  });
};
