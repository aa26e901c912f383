/** Proposals on the page: seen as they come, accepted, declined and edited, note by note, with the mouse and with keys; and activity. */

import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

const TEXT = "# Shed\n\nThe door sticks.\n\nThe roof leaks.\n\nThe floor is dry.\n";

/** A guard against hanging. */
const SOON = { timeout: 20_000 };

export const describeProposals = (ground: Ground): void => {
  test("a proposal appears on an open page and in the tab's title; `a` accepts it, and it can be undone", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Shed.md", TEXT);
    const token = await opened.identity("Asker", "--rights", "propose");
    const { page, context, complaints } = await openTab(browser, opened);
    const edit = { note: "Projects/Shed.md", do: "replace_text", find: "roof leaks", text: "roof is mended" };
    expect(await opened.call(token, "edit_notes", { edits: [edit] })).toContain("Not written yet");
    await page.waitForSelector("text=1 proposal for you to decide");
    await expect.poll(() => page.title(), SOON).toBe("(1) Notewright");
    await page.keyboard.press("Tab");
    await page.click(".waiting a");
    await page.waitForSelector(".diff ins");
    expect(await page.locator(".diff ins").allTextContents()).toContain("is mended");
    expect(await wrongWith(page)).toEqual([]);
    expect(opened.read("Projects/Shed.md")).toBe(TEXT);
    await page.keyboard.press("a");
    await page.waitForSelector("text=Accepted: Shed.");
    expect(opened.read("Projects/Shed.md")).toBe(TEXT.replace("roof leaks", "roof is mended"));
    await page.waitForSelector(".revision >> text=Shed");
    await expect.poll(() => page.title(), SOON).toBe("Notewright");
    await page.click("button:text-is('Undo')");
    await expect.poll(() => opened.read("Projects/Shed.md"), SOON).toBe(TEXT);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("note by note: one declined, one edited and accepted; a conflict is shown, and settled by an edit", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/One.md", TEXT);
    const token = await opened.identity("Pair", "--rights", "propose");
    const change = (note: string, find: string, text: string) => ({ note, do: "replace_text", find, text });
    await opened.call(token, "write_note", { path: "Projects/Two.md", text: "A second note.\n" });
    await opened.call(token, "edit_notes", {
      edits: [
        change("Projects/One.md", "door sticks", "door is new"),
        change("Projects/Two.md", "second", "third"),
      ],
    });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click(".waiting a >> nth=0");
    await page.waitForSelector("button[aria-label='Decline Two']");
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.className")).toContain("chosen");
    await page.click("button[aria-label='Decline Two']");
    await page.waitForSelector("text=Declined: Two. Nothing was written.");
    await page.waitForSelector("button[aria-label='Decline Two']", { state: "detached" });
    expect(() => opened.read("Projects/Two.md")).toThrow();
    opened.write("Projects/One.md", TEXT.replace("door sticks", "door is gone"));
    await page.waitForSelector("text=Somebody changed the same lines since.");
    await page.click("button[aria-label='Edit One']");
    await page.waitForSelector(".made .cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(TEXT.replace("door sticks", "door is gone, a new one comes"));
    await page.waitForSelector("text=You edited it");
    expect(await wrongWith(page)).toEqual([]);
    // What was made of it is kept, like anything that is typed.
    await page.reload();
    await page.waitForSelector("text=You edited it");
    await page.click("button.main");
    await page.waitForSelector("text=Accepted: One.");
    expect(opened.read("Projects/One.md")).toContain("door is gone, a new one comes");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("activity lists calls as they are made, and says what it does not see", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Caller", "--rights", "read");
    const { page, context } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/activity`);
    await page.waitForSelector("text=Apps that start Notewright themselves appear only on the");
    await opened.call(token, "read_notes", { notes: ["Start here.md"] });
    await page.waitForSelector(".calls >> text=Caller");
    expect(await page.textContent(".calls li >> nth=0")).toContain("read notes Start here");
    expect(await page.textContent(".calls li >> nth=0")).toMatch(/\d ms$/);
    expect(await wrongWith(page)).toEqual([]);
    await context.close();
  });
};
