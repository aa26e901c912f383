/** Hostile notes on every screen: no dialog, no request to elsewhere, no complaint from our own code. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTab, type Opened } from "./opened.ts";
import { FILE_NAMES, hostileNote, PARAGRAPHS, PAYLOADS } from "./payloads.ts";

const FOLDER = "Hostile";
/** How many payloads one note holds. */
const A_NOTE = 50;

type Watched = { dialogs: string[]; strangers: string[]; complaints: string[] };

/** From now on everything is noted that must not happen. */
const watched = async (
  browser: Browser,
  opened: Opened,
): Promise<Watched & { page: Page; close(): Promise<void> }> => {
  const { page, context, complaints } = await openTab(browser, opened);
  const [dialogs, strangers]: [string[], string[]] = [[], []];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(opened.base) && !url.startsWith("blob:") && !url.startsWith("data:image/"))
      strangers.push(url);
  });
  return { page, dialogs, strangers, complaints, close: () => context.close() };
};

const showNote = async (page: Page, opened: Opened, path: string): Promise<void> => {
  await page.goto(`${opened.base}#/note/${path.split("/").map(encodeURIComponent).join("/")}`);
  await page.waitForSelector(".note-page h1");
  await quiet(page);
};

/** Whatever a payload would do, it has had time for; the stream of events is always open, so the network never rests. */
const quiet = (page: Page): Promise<void> => page.waitForTimeout(300);

/** `notes`: how many notes of fifty payloads each. */
export const testHostile = (ground: { browser: Browser; opened: Opened }, notes: number): void => {
  test(`attack 22: ${notes * A_NOTE} payloads in bodies, titles, names, tags, aliases, fields and links are text on every screen`, async () => {
    const { browser, opened } = ground;
    const folder = join(opened.home.vault, FOLDER);
    mkdirSync(folder, { recursive: true });
    const paths: string[] = [];
    for (let at = 0; at < notes; at++) {
      // Each note takes payloads from all places.
      const paragraphs = PARAGRAPHS.filter(
        (_, place) => place % Math.ceil(PARAGRAPHS.length / A_NOTE) === at % 23,
      );
      const name = `${FILE_NAMES[(at * 7) % FILE_NAMES.length]} ${at}.md`;
      writeFileSync(join(folder, name), hostileNote(paragraphs.slice(0, A_NOTE), at));
      paths.push(`${FOLDER}/${name}`);
    }
    const token = await opened.identity(`Author ${notes}`);
    await opened.call(token, "write_note", {
      path: `Links to hostile ${notes}.md`,
      text: `${PAYLOADS.slice(0, A_NOTE).join("\n\n")}\n`,
    });
    const { page, dialogs, strangers, complaints, close } = await watched(browser, opened);
    for (const path of paths) {
      await showNote(page, opened, path);
      for (const heading of await page.locator(".outline a").all())
        await heading.click({ timeout: 1000 }).catch(() => undefined);
    }
    await page.goto(`${opened.base}#/`);
    for (const query of ["attacker", "alert", `"><img src=x onerror=alert(1)>`]) {
      await page.fill("#search", query);
      await page.waitForSelector(".count");
      await quiet(page);
    }
    await page.fill("#search", "");
    await page.waitForSelector(".revision");
    await page.click(`.revision >> text=Links to hostile ${notes}`);
    await page.waitForSelector(".diff");
    await page.goto(`${opened.base}#/history/${paths[0]!.split("/").map(encodeURIComponent).join("/")}`);
    await page.waitForSelector(".page-head h1");
    await quiet(page);
    expect({ dialogs, strangers, complaints }).toEqual({ dialogs: [], strangers: [], complaints: [] });
    expect(
      await page.evaluate(
        "document.querySelectorAll('main script, main iframe, main svg, main style, main form').length",
      ),
    ).toBe(0);
    await close();
  });
};
