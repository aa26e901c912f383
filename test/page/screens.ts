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
    await page.waitForSelector(".findings >> text=Nowhere at all");
    expect(await page.textContent(".check")).toContain("What to do:");
    await page.click("nav >> text=Who");
    await page.waitForSelector("h2 >> text=Leaver");
    await page.focus("[aria-label='Remove Leaver']");
    await page.keyboard.press("Enter");
    await page.focus("text=Yes, remove Leaver");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Leaver is out");
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

  test("what changed since somebody was last here is told apart: only while the page is seen are they here, on any screen", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Night");
    const { page, context, complaints } = await openTab(browser, opened);
    const { id } = (await (await opened.api(await opened.token(), "hello")).json()) as { id: string };
    await page.waitForSelector("h2:text-is('What changed')");
    const place = JSON.stringify(`notewright ${id} last here`);
    const seen = async (): Promise<number> => Number(await page.evaluate(`localStorage.getItem(${place})`));
    const away = async (minutes: number): Promise<void> =>
      void (await page.evaluate(`localStorage.setItem(${place}, Date.now() - ${minutes} * 60000)`));
    const show = (state: string): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" }); document.dispatchEvent(new Event("visibilitychange"));`,
      );
    expect(Date.now() - (await seen())).toBeLessThan(20_000);
    // In the background nobody is here; on another screen they are.
    await page.goto(`${opened.base}#/help`);
    await page.waitForSelector(".help");
    await away(20);
    const left = await seen();
    await show("hidden");
    expect(await seen()).toBe(left);
    await show("visible");
    expect(await seen()).toBeGreaterThan(left);
    // A night later, in another tab.
    await away(9 * 60);
    await opened.call(token, "write_note", { path: "Night.md", text: "Written at night.\n" });
    const next = await context.newPage();
    await next.goto(opened.base);
    await next.waitForSelector("h2 >> text=/^Since you were last here .*: (at least )?\\d+ notes?$/");
    await next.waitForSelector(".groups >> nth=0 >> text=Night");
    // It stays so for the visit, however the page is left and opened.
    await next.reload();
    await next.waitForSelector("h2 >> text=Since you were last here");
    expect(complaints).toEqual([]);
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
      "Edit this note, History of this note, Links of this note, Open in Obsidian, What changed, Search, New note, Activity, Check the vault, Who may call, Help and keys, Close my notes in this browser",
    );
    expect(await wrongWith(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await command("history");
    await page.waitForSelector(".diff ins >> text=second");
    await command("older");
    await page.waitForSelector(".diff ins >> text=A first word.");
    await command("restore");
    await page.waitForSelector("text=Set back: 1 note.");
    expect(opened.read("Commanded.md")).toBe("A first word.\n");
    await command("commanded");
    await page.waitForSelector(".reading");
    await command("links of");
    await page.waitForSelector("h1 >> text=Links of");
    await command("what changed");
    await page.click(".revision >> text=Commanded");
    await page.waitForSelector("button.main:not([disabled])");
    await command("undo this");
    await page.waitForSelector("text=Undone: 1 note.");
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
