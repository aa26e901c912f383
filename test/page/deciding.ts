/** Deciding on proposals by keyboard alone: which note a key acts on, what is asked before one is removed, and what has grown meanwhile. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab, type Opened } from "./opened.ts";

/** Notes of that name, and a proposal of a client of that name to change each. Gives its token, and the screen. */
const proposed = async (
  opened: Opened,
  name: string,
  count: number,
): Promise<{ token: string; screen: string }> => {
  const paths = Array.from({ length: count }, (_, at) => `${name} ${at + 1}.md`);
  for (const path of paths) opened.write(path, "Some words.\n");
  const token = await opened.identity(name, "--rights", "propose");
  const edits = paths.map((note) => ({ note, do: "replace_text", find: "Some", text: "More" }));
  expect(await opened.call(token, "edit_notes", { edits })).toContain("Not written yet");
  type Listed = { proposals: { id: string; by: string }[] };
  const { proposals } = (await (await opened.api(await opened.token(), "proposals")).json()) as Listed;
  return { token, screen: `${opened.base}#/proposal/${proposals.find(({ by }) => by === name)!.id}` };
};

/** The note that is marked, where the keyboard is as well. */
const marked = (page: Page) =>
  page.evaluate("document.activeElement.closest('.proposed.chosen')?.getAttribute('aria-label') ?? null");
const waiting = (page: Page) =>
  page.evaluate("[...document.querySelectorAll('.proposed')].map((note) => note.ariaLabel)");
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const gone = async (page: Page, name: string): Promise<void> => {
  await page.waitForSelector(`[aria-label="${name}"]`, { state: "detached" });
  await page.waitForSelector("article[aria-busy=false]");
};
const hold = async (page: Page, key: string): Promise<void> => {
  for (let times = 0; times < 4; times++) await page.keyboard.down(key);
  await page.keyboard.up(key);
};

export const describeDeciding = (ground: Ground): void => {
  test("`j` and `k` mark a note, `a` and `d` decide on that one alone, and the next is marked; a key that is held is one key", async () => {
    const { browser, opened } = ground;
    const { screen } = await proposed(opened, "Key", 8);
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(screen);
    await page.waitForSelector("button[aria-label='Decline Key 8']");
    await press(page, "d");
    await page.waitForSelector("text=No note is marked yet.");
    await press(page, "j");
    expect(await marked(page)).toBe("Key 1");
    await press(page, "j", "j", "j", "j", "d");
    await gone(page, "Key 5");
    expect(await marked(page)).toBe("Key 6");
    await press(page, "d");
    await gone(page, "Key 6");
    expect(await marked(page)).toBe("Key 7");
    await hold(page, "d");
    await gone(page, "Key 7");
    expect(await marked(page)).toBe("Key 8");
    await press(page, "d");
    await gone(page, "Key 8");
    expect(await marked(page)).toBe("Key 4");
    await press(page, "k", "a");
    await page.waitForSelector("text=Accepted: Key 3.");
    await gone(page, "Key 3");
    expect(await marked(page)).toBe("Key 4");
    expect(await waiting(page)).toEqual(["Key 1", "Key 2", "Key 4"]);
    expect(opened.read("Key 3.md")).toBe("More words.\n");
    for (const at of [1, 2, 4, 5, 6, 7, 8]) expect(opened.read(`Key ${at}.md`)).toBe("Some words.\n");
    expect(await wrongWith(page)).toEqual([]);
    // With the mouse, the keyboard goes on at the next note as well.
    await page.click("button[aria-label='Decline Key 1']");
    await gone(page, "Key 1");
    expect(await marked(page)).toBe("Key 2");
    await press(page, "d");
    await gone(page, "Key 2");
    await press(page, "d");
    await page.waitForSelector("#search");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("whether a note is to be removed is asked of that note alone, with the answer beside it", async () => {
    const { browser, opened } = ground;
    const { token, screen } = await proposed(opened, "Old", 4);
    for (const at of [3, 4]) await opened.call(token, "delete_note", { path: `Old ${at}.md` });
    const { page, context, complaints } = await openTab(browser, opened);
    const asks = (name: string) =>
      page.waitForSelector(`[aria-label="${name}"] >> text=Accepting removes ${name}.`);
    const asksNothing = () => page.waitForSelector("text=Accepting removes", { state: "detached" });
    await page.goto(screen);
    await page.waitForSelector("text=removed");
    expect(await waiting(page)).toEqual(["Old 1", "Old 2", "Old 3", "Old 4"]);
    await press(page, "j", "j", "j");
    await hold(page, "a");
    await asks("Old 3");
    expect(await page.textContent(":focus")).toBe("Yes, remove it");
    expect(await wrongWith(page)).toEqual([]);
    expect(await page.textContent("button.main")).toBe("Accept");
    // The question is not carried to the next note.
    await press(page, "j");
    await asksNothing();
    await press(page, "a");
    await asks("Old 4");
    expect(opened.read("Old 4.md")).toBe("Some words.\n");
    await press(page, "a");
    await gone(page, "Old 4");
    expect(() => opened.read("Old 4.md")).toThrow();
    expect(opened.read("Old 3.md")).toBe("Some words.\n");
    expect(await marked(page)).toBe("Old 3");
    // Nor is it once the proposal has grown.
    await press(page, "a");
    await asks("Old 3");
    await opened.call(token, "edit_notes", {
      edits: [{ note: "Old 1.md", do: "append", text: "And more." }],
    });
    await page.waitForSelector("text=It has grown since you opened it.");
    await asksNothing();
    await press(page, "a", "Enter");
    expect(await marked(page)).toBe("Old 3");
    await press(page, "a");
    await asks("Old 3");
    await press(page, "Enter");
    await gone(page, "Old 3");
    expect(() => opened.read("Old 3.md")).toThrow();
    expect(opened.read("Old 2.md")).toBe("Some words.\n");
    // All of it: a removal among the rest is asked for above, and No is an answer, too.
    await opened.call(token, "delete_note", { path: "Old 2.md" });
    await page.waitForSelector("text=It has grown since you opened it.");
    await page.click("text=I have read it");
    await page.click("button.main");
    await page.waitForSelector("header >> text=Accepting removes a note.");
    await press(page, "Tab", "Enter");
    await asksNothing();
    expect(opened.read("Old 2.md")).toBe("Some words.\n");
    await page.click("button:text-is('Decline')");
    await page.waitForSelector("#search");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a proposal that has grown since it was opened says so, and nothing is accepted before that is read", async () => {
    const { browser, opened } = ground;
    const { token, screen } = await proposed(opened, "Grower", 1);
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(screen);
    await page.waitForSelector(".diff ins >> text=More");
    const edits = [{ note: "Grower 1.md", do: "append", text: "Added by stealth." }];
    await opened.call(token, "edit_notes", { edits });
    await page.waitForSelector("text=It has grown since you opened it.");
    await page.waitForSelector(".diff ins >> text=Added by stealth.");
    expect(await page.isDisabled("button.main")).toBe(true);
    expect(await wrongWith(page)).toEqual([]);
    await press(page, "a", "d");
    expect(await page.textContent(":focus")).toBe("I have read it");
    expect(opened.read("Grower 1.md")).toBe("Some words.\n");
    await press(page, "Enter");
    await page.waitForSelector("text=It has grown", { state: "detached" });
    await press(page, "a");
    await page.waitForSelector("text=Accepted: Grower 1.");
    expect(opened.read("Grower 1.md")).toContain("Added by stealth.");
    // Taken back, and redone.
    await page.click("button:text-is('Undo')");
    await page.waitForSelector("text=Undone: Grower 1.");
    expect(opened.read("Grower 1.md")).toBe("Some words.\n");
    await page.click("button:text-is('Redo')");
    await page.waitForSelector("text=Redone: Grower 1.");
    expect(opened.read("Grower 1.md")).toContain("Added by stealth.");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("what was made of a proposal is kept while it waits, and no longer: settled elsewhere, it can still be copied", async () => {
    const { browser, opened } = ground;
    const { screen } = await proposed(opened, "Made", 2);
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(screen);
    await page.click("button[aria-label='Edit Made 1']");
    await page.waitForSelector(".made .cm-content");
    await press(page, "Control+End");
    await page.evaluate(
      "window.keeps = 0; const { setItem } = Storage.prototype; Storage.prototype.setItem = function (...given) { window.keeps++; setItem.apply(this, given); }",
    );
    await page.keyboard.type("Words of my own.");
    await page.waitForSelector("text=You edited it");
    // Once the keys rest, and not with each.
    expect(Number(await page.evaluate("window.keeps"))).toBeLessThan(6);
    const kept = () =>
      page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft')).length");
    expect(await kept()).toBe(1);
    const other = await opened.token();
    const { id } = (await (
      await opened.api(other, "proposal", { id: /proposal\/(\w+)/.exec(screen)![1]! })
    ).json()) as { id: string };
    expect((await opened.api(other, "decline", { id })).status).toBe(200);
    await page.waitForSelector("text=There is no open proposal");
    await page.waitForSelector("section[aria-label='Made 1'] >> text=Words of my own.");
    expect(await wrongWith(page)).toEqual([]);
    await expect.poll(kept, { timeout: 20_000 }).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
};
