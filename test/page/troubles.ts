/** What goes wrong while a page is open: it is said where it went wrong, and nothing that was typed is lost. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { realCalls } from "../../src/disk/calls.ts";
import { openIndex } from "../../src/index/note-index.ts";
import { lockOpener, openSql } from "../../src/sqlite/node.ts";
import { openFolder } from "../../src/stores/folder.ts";
import { openMemory } from "../../src/stores/memory.ts";
import { makeHome } from "../process.ts";
import { unindexed } from "../vault.ts";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { servePage } from "./here.ts";
import { openTab, openVault } from "./opened.ts";

const TEXT = "# Pond\n\nIt is deep.\n";
/** A guard against hanging. */
const SOON = { timeout: 20_000 };

const typeInto = async (page: Page, base: string, path: string, words: string): Promise<void> => {
  await page.goto(`${base}#/edit/${encodeURIComponent(path)}`);
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words);
};

export const describeTroubles = (ground: Ground): void => {
  test("a full disk: the save is refused and says so, the words stay; with room again they are saved", async () => {
    const root = mkdtempSync(join(tmpdir(), "notewright-full-"));
    writeFileSync(join(root, "Pond.md"), TEXT);
    let full = false;
    const write: typeof realCalls.write = (...values) => {
      if (full) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      return realCalls.write(...values);
    };
    const store = await openFolder(root, {
      openLock: await lockOpener(),
      durability: "fast",
      calls: { ...realCalls, write },
    });
    const notebook = unindexed({}, openIndex(await openSql(":memory:")), { store });
    await notebook.refresh();
    const here = await servePage(notebook);
    const { page, context } = await openTab(ground.browser, here);
    await typeInto(page, here.base, "Pond.md", "And cold.");
    full = true;
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=It is not saved. The disk is full.");
    expect(await wrongWith(page)).toEqual([]);
    expect(await page.textContent(".cm-content")).toContain("And cold.");
    expect(readFileSync(join(root, "Pond.md"), "utf8")).toBe(TEXT);
    full = false;
    await page.click("button:text-is('Save')");
    await page.waitForSelector(".reading >> text=And cold.");
    expect(readFileSync(join(root, "Pond.md"), "utf8")).toBe(`${TEXT}And cold.`);
    await context.close();
    await here.close();
    rmSync(root, { recursive: true });
  });

  test("indexing under way: it is said above and beside what was found, and goes when it is done", async () => {
    const store = openMemory({
      "Early.md": "A zinnia.\n",
      "Late.md": `A zinnia.\n${"words ".repeat(3000)}\n`,
    });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const read: typeof store.read = async (path) => {
      if (path === "Late.md") await held;
      return store.read(path);
    };
    const deadlines = { answer: 20, change: 40, pending: 40, name: 40 };
    const index = openIndex(await openSql(":memory:"));
    const notebook = unindexed({}, index, { store: { ...store, read }, deadlines });
    const refreshed = notebook.refresh();
    await expect.poll(() => notebook.soFar()?.done, SOON).toBe(1);
    const here = await servePage(notebook);
    const { page, context } = await openTab(ground.browser, here);
    await page.waitForSelector("text=Notes are being indexed: 1 of 2 notes so far");
    await page.fill("#search", "zinnia");
    await page.waitForSelector(".count >> text=still indexing");
    expect(await page.locator(".hit").count()).toBe(1);
    expect(await wrongWith(page)).toEqual([]);
    release();
    await refreshed;
    await page.waitForSelector("text=Notes are being indexed", { state: "detached" });
    await expect.poll(() => page.locator(".hit").count(), SOON).toBe(2);
    await context.close();
    await here.close();
  });

  test("a server that only may be read from: nothing offers to write, and what is typed all the same stays", async () => {
    const opened = await openVault(makeHome(), ["--read-only"]);
    const { page, context } = await openTab(ground.browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Garlic.md`);
    await page.waitForSelector(".reading");
    expect(await page.locator("a:text-is('Edit')").count()).toBe(0);
    await typeInto(page, opened.base, "Start here.md", "Mine.");
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=It is not saved.");
    expect(await page.textContent(".refusal")).toMatch(/read/);
    expect(await page.textContent(".cm-content")).toContain("Mine.");
    expect(opened.read("Start here.md")).not.toContain("Mine.");
    await context.close();
    await opened.end();
  });

  test("the server goes while somebody writes, and comes back: another tab that is opened anew opens this one, with the words", async () => {
    const first = await openVault();
    const { page, context } = await openTab(ground.browser, first);
    await typeInto(page, first.base, "Start here.md", "Words that stay.");
    await first.stop();
    await page.waitForSelector("text=The server does not answer. What you see may be old");
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=It is not saved. The server does not answer.");
    expect(await wrongWith(page)).toEqual([]);
    const again = await openVault(first.home, [], new URL(first.base).host);
    await page.waitForSelector("text=Your notes are closed");
    await page.waitForSelector("text=What you wrote and did not save is kept");
    const other = await context.newPage();
    await other.goto(await again.keyed());
    await other.waitForSelector("#search");
    await page.waitForSelector("text=You left words unsaved here");
    await page.click("text=Take them");
    await page.click("button:text-is('Save')");
    await page.waitForSelector(".reading >> text=Words that stay.");
    expect(again.read("Start here.md")).toContain("Words that stay.");
    await context.close();
    await again.end();
  });

  test("a page whose token was taken away is closed; opened anew, it hears of changes again", async () => {
    const { browser, opened } = ground;
    const { page, context } = await openTab(browser, opened);
    await typeInto(page, opened.base, "Start here.md", "Kept.");
    const token = String(await page.evaluate("localStorage.getItem('notewright token /')"));
    expect((await opened.api(token, "leave")).status).toBe(200);
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=Your notes are closed");
    await page.waitForSelector("text=What you wrote and did not save is kept");
    const other = await context.newPage();
    await other.goto(await opened.keyed());
    await page.waitForSelector("text=You left words unsaved here");
    await page.click("text=Drop them");
    await page.goto(`${opened.base}#/`);
    await page.waitForSelector(".revision");
    opened.write("Heard.md", "Somebody wrote this.\n");
    await page.waitForSelector(".revision >> text=Heard");
    await context.close();
  });
};
