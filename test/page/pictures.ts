/** The pictures of docs/PAGE.md and README.md, made from the page as it is: `PICTURES=write npm run test:page` renews them. They are current as long as the words on them are those of the page now. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

const FOLDER = "docs/pictures";
/** The words that stand on each picture. */
const WORDS = `${FOLDER}/words.json`;

/** Without what is another each time: times of day, and words of the day. */
const wordsOf = async (page: Page): Promise<string> => {
  const shown = String(await page.evaluate("document.body.innerText"));
  return shown
    .replace(/\d{1,2}:\d{2}(?:\s?[AP]M)?/g, "TIME")
    .replace(/TIME–TIME/g, "TIME")
    .replace(/\s+/g, " ")
    .trim();
};

export const testPictures = (ground: Ground): void => {
  test("the pictures of the page are made, and show the words that are on it now", async () => {
    const { browser, opened } = ground;
    const [writer, asker] = [
      await opened.identity("Claude"),
      await opened.identity("Intern", "--rights", "propose"),
    ];
    const text = (find: string, by: string) => ({
      note: "Projects/Rain garden.md",
      do: "replace_text",
      find,
      text: by,
    });
    await opened.call(writer, "edit_notes", {
      edits: [
        {
          note: "Plants/Garlic.md",
          do: "replace_text",
          find: "Forty cloves give forty bulbs",
          text: "Sixty cloves give sixty bulbs",
        },
        text(
          "holds it for a day and lets it sink in",
          "keeps it for a day or two, and lets it sink in slowly",
        ),
      ],
    });
    await opened.call(asker, "edit_notes", {
      edits: [text("Dig the overflow", "Dig the overflow before the frost")],
    });
    const { page, context } = await openTab(browser, opened, {
      reducedMotion: "reduce",
      viewport: { width: 960, height: 600 },
      colorScheme: "light",
    });
    const words: Record<string, string> = {};
    const made = async (path: string, of: Page = page): Promise<void> => {
      const bytes = await of.screenshot();
      expect(bytes.byteLength).toBeLessThan(200_000);
      words[path] = await wordsOf(of);
      if (process.env["PICTURES"] === "write") writeFileSync(path, bytes);
      else expect(existsSync(path)).toBe(true);
    };
    await page.waitForSelector(".waiting");
    await page.waitForSelector(".revision >> text=Rain garden");
    await made(`${FOLDER}/home.png`);
    await page.click(".group .revision >> text=Rain garden");
    await page.waitForSelector(".diff ins");
    await page.waitForSelector("button.main:not([disabled])");
    await made(`${FOLDER}/change.png`);
    const sharp = await openTab(browser, opened, {
      reducedMotion: "reduce",
      viewport: { width: 1000, height: 560 },
      deviceScaleFactor: 1.5,
    });
    await sharp.page.goto(page.url());
    await sharp.page.waitForSelector(".diff ins");
    await sharp.page.waitForSelector("button.main:not([disabled])");
    await made("docs/page.png", sharp.page);
    await sharp.context.close();
    await page.goto(`${opened.base}#/note/Projects/Rain%20garden.md`);
    await page.waitForSelector(".backlinks li");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 1100, height: 640 });
    await made(`${FOLDER}/note-dark.png`);
    const told = `${JSON.stringify(words, null, 2)}\n`;
    if (process.env["PICTURES"] === "write") writeFileSync(WORDS, told);
    expect(JSON.parse(readFileSync(WORDS, "utf8")), "renew them: PICTURES=write npm run test:page").toEqual(
      words,
    );
    await context.close();
  });
};
