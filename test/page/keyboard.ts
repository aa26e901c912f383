/** The page by keyboard alone: single keys, what Ctrl-K runs, and the ways to screens that others reach with the mouse. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

/** Presses Tab until the keyboard is at what is called so. */
const tabTo = async (page: Page, words: string, key = "Tab"): Promise<void> => {
  const called =
    "[document.activeElement.ariaLabel, document.activeElement.matches('a, button') ? document.activeElement.textContent : ''].join(' ')";
  for (let tabs = 0; tabs < 240; tabs++) {
    if (String(await page.evaluate(called)).includes(words)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No Tab leads to ${words}.`);
};
const enter = async (page: Page, words: string): Promise<void> => {
  await tabTo(page, words);
  await page.keyboard.press("Enter");
};

export const describeKeyboard = (ground: Ground): void => {
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

  test("Ctrl-K runs what can be done on the screen that is shown, and what can be done anywhere; Enter is for what is typed, and not for another word or half of one", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Commander");
    await opened.call(token, "write_note", { path: "Commanded.md", text: "A first word.\n" });
    const edits = [{ note: "Commanded.md", do: "replace_text", find: "first", text: "second" }];
    await opened.call(token, "edit_notes", { edits });
    const { page, context, complaints } = await openTab(browser, opened);
    const command = async (typed: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.waitForSelector("dialog[open]");
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
      await page.waitForSelector("dialog", { state: "detached" });
    };
    await page.waitForSelector(".revision >> text=Commanded");
    await command("activity");
    await page.waitForSelector("h1 >> text=Activity");
    await command("commanded");
    await page.waitForSelector("h1 >> text=Commanded");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog[open]");
    const offered = await page.locator("dialog [role=option]").allTextContents();
    expect(offered.map((words) => words.trim()).join(", ")).toBe(
      "Edit this note, History of this note, Links of this note, Open in Obsidian, What changed, Search, New note, Activity, Check the vault, Who has access, Help and keys, Close my notes in this browser",
    );
    expect(await wrongWith(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await command("history");
    await page.waitForSelector(".diff ins >> text=second");
    await command("older");
    await page.waitForSelector(".diff ins >> text=A first word.");
    await command("restore");
    await page.waitForSelector("text=Set back: Commanded.");
    expect(opened.read("Commanded.md")).toBe("A first word.\n");
    await command("commanded");
    await page.waitForSelector(".reading");
    await command("links of");
    await page.waitForSelector("h1 >> text=Links of");
    await command("what changed");
    await page.click(".revision >> text=Commanded");
    await page.waitForSelector("button.main:not([disabled])");
    await command("undo this");
    await page.waitForSelector("text=Undone: Commanded.");
    // A key that ends the writing of a word is no answer.
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.type("Commanded");
    await page.waitForSelector("dialog [role=option] >> text=Commanded");
    const composed = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }))`;
    await page.evaluate(composed);
    await page.waitForTimeout(50);
    expect(await page.locator("dialog[open]").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.goto(`${opened.base}#/?q=Commanded`);
    await page.waitForSelector(".hits >> text=Commanded");
    await page.focus("#search");
    await page.evaluate(composed);
    await page.waitForTimeout(50);
    expect(await page.locator("#search").count()).toBe(1);
    await command("close my notes");
    await page.waitForSelector("text=Your notes are closed");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("characters that a reader does not see are shown in the tab's title and in refusals", async () => {
    const { page, context } = await openTab(ground.browser, ground.opened);
    await page.goto(`${ground.opened.base}#/note/Salary%E2%80%AEfdp.md`);
    await page.waitForSelector(".refusal");
    expect(await page.title()).toContain("Salary⟨202E⟩fdp.md");
    expect(await page.textContent(".refusal")).not.toContain("\u202e");
    await context.close();
  });

  test("with keys alone: to Activity, to Who and the end of somebody's access, to a proposal, and along the lists beside the drawing of links", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Tabbed", "--rights", "propose");
    await opened.call(token, "write_note", { path: "Tabbed.md", text: "A note.\n" });
    const { page, context, complaints } = await openTab(browser, opened);
    // The ways to other screens stand before the field in which the page begins.
    await tabTo(page, "Activity", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1 >> text=Activity");
    await page.waitForSelector(".calls >> text=Tabbed");
    await page.keyboard.press("g");
    await page.waitForSelector(".waiting");
    await enter(page, "Tabbed would like to create");
    await page.waitForSelector(".proposed");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await enter(page, "Decline");
    await page.waitForSelector("text=Declined: Tabbed. Nothing was written.");
    await page.goto(`${opened.base}#/links/Projects/Rain%20garden.md`);
    await page.waitForSelector(".steps");
    await enter(page, "Mara Lindt");
    await page.waitForSelector(".reading");
    await page.keyboard.press("l");
    await page.waitForSelector("h1:has-text('Links of'):has-text('Mara Lindt')");
    await enter(page, "Rain garden");
    await page.waitForSelector(".reading");
    await page.locator(".vault").focus();
    await enter(page, "Who");
    await page.waitForSelector("h1 >> text=Who has access");
    await enter(page, "Remove Tabbed");
    await page.waitForSelector(":focus >> text=Yes, remove Tabbed");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[aria-label='Remove Tabbed']:focus");
    await page.keyboard.press("Enter");
    await page.waitForSelector(":focus >> text=Yes, remove Tabbed");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Tabbed has no access any more.");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    expect(await opened.call(token, "search_notes", { query: "garden" })).toContain("invalid_token");
    expect(complaints).toEqual([]);
    await context.close();
  });
};
