/** Screens that have nothing to show, and names that cannot be taken: each says why, with a way on. And the line that answers, which goes when somebody looks at something else. */

import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

export const describeWaysOn = (ground: Ground): void => {
  test("a note that was deleted says when and by whom, and is restored from there; an unknown change leads home", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("claude-code");
    await opened.call(token, "write_note", { path: "Plants/Leaf.md", text: "A leaf.\n" });
    await opened.call(token, "delete_note", { path: "Plants/Leaf.md" });
    const { page, context, complaints } = await openTab(browser, opened);
    for (const screen of ["links", "edit", "note"]) {
      await page.goto(`${opened.base}#/${screen}/Plants/Leaf.md`);
      await page.waitForSelector("h1 >> text=Leaf");
      expect(await page.textContent(".refusal")).toMatch(
        /^This note was deleted today, .*, by Claude Code\.$/,
      );
      expect(await wrongWith(page)).toEqual([]);
    }
    await page.click("button:text-is('Restore')");
    await page.waitForSelector(".reading >> text=A leaf.");
    await page.waitForSelector("text=Set back: Leaf.");
    expect(opened.read("Plants/Leaf.md")).toBe("A leaf.\n");
    // The line is about that note, and goes with it.
    await page.goto(`${opened.base}#/change/ffffffff`);
    await page.waitForSelector("h1 >> text=A change");
    await page.waitForSelector("text=Set back: Leaf.", { state: "detached" });
    expect(await wrongWith(page)).toEqual([]);
    await page.click("text=To what changed");
    await page.waitForSelector(".revision >> text=set back Leaf");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("undo can be redone from home, and no further on", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Follower");
    await opened.call(token, "write_note", { path: "Followed.md", text: "Words.\n" });
    const { page, context } = await openTab(browser, opened);
    await page.click(".revision >> text=Followed");
    await page.click("button.main:not([disabled])");
    await page.waitForSelector("text=Undone: Followed.");
    await page.click(".vault");
    await page.waitForSelector("#search");
    await page.waitForSelector("button:text-is('Redo')");
    await page.goto(`${opened.base}#/help`);
    await page.waitForSelector("text=Undone: Followed.", { state: "detached" });
    await context.close();
  });

  test("a name for a new note is looked at before anything is written; Ctrl-K says that nothing is called so", async () => {
    const { browser, opened } = ground;
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click("text=+ New note");
    await page.fill("#name", "Plants/Garlic");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=There is already a note of that name.");
    expect(await page.getAttribute(".refusal a", "href")).toBe("#/note/Plants/Garlic.md");
    expect(await wrongWith(page)).toEqual([]);
    await page.fill("#name", ".obsidian/x");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".refusal >> text=.obsidian");
    await page.fill("#name", "Plants/Quince");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-content");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.type("zzzzzz");
    await page.waitForSelector("text=No note or command is called so.");
    expect(complaints).toEqual([]);
    await context.close();
  });
};
