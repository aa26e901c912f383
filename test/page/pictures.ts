/** The pictures of docs/PAGE.md, made from the page as it is: `PICTURES=write npm run test:page` renews them. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

const FOLDER = "docs/pictures";

export const testPictures = (ground: Ground): void => {
  test("the pictures of the page can be made, and are there", async () => {
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
      viewport: { width: 960, height: 600 },
      colorScheme: "light",
    });
    const made = async (name: string, of: Page = page): Promise<void> => {
      const bytes = await of.screenshot();
      expect(bytes.byteLength).toBeLessThan(200_000);
      if (process.env["PICTURES"] !== "write") return expect(existsSync(`${FOLDER}/${name}.png`)).toBe(true);
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(`${FOLDER}/${name}.png`, bytes);
    };
    await page.waitForSelector(".waiting");
    await page.waitForSelector(".revision >> text=Rain garden");
    await made("home");
    await page.click(".group .revision >> text=Rain garden");
    await page.waitForSelector(".diff ins");
    await page.waitForSelector("button.main:not([disabled])");
    await made("change");
    await page.goto(`${opened.base}#/note/Projects/Rain%20garden.md`);
    await page.waitForSelector(".backlinks li");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 1100, height: 640 });
    await made("note-dark");
    await context.close();
  });
};
