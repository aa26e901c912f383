/** A hostile vault on every screen: no dialog, no request to elsewhere, no complaint from our own code. */

import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { callTool } from "../http/served.ts";
import type { Ground } from "./ground.ts";
import { A_NOTE, hostileHome } from "./hostile-vault.ts";
import { openTab, openVault, type Opened } from "./opened.ts";
import { PAYLOADS } from "./payloads.ts";

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

/** Whatever a payload would do, it has had time for; the stream of events is always open, so the network never rests. */
const quiet = (page: Page): Promise<void> => page.waitForTimeout(200);

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

type At = (address: string, selector: string) => Promise<void>;

/** Each note with its outline, a glance at what it links to, its links, its source in the editor, and its history. */
const readNotes = async (page: Page, at: At, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    await at(`#/note/${encoded(path)}`, ".note-page h1");
    for (const heading of await page.locator(".outline a").all())
      await heading.click({ timeout: 1000 }).catch(() => undefined);
    const inward = page.locator(".reading a.inward");
    if ((await inward.count()) > 0) {
      await inward.first().hover();
      await page.waitForSelector(".glance");
    }
  }
  await at(`#/links/${encoded(paths[0]!)}`, ".page-head h1");
  await at(`#/edit/${encoded(paths[0]!)}`, ".cm-content");
  await at(`#/history/${encoded(paths[0]!)}`, ".page-head h1");
};

/** What is found is marked in its words; the switcher finds by names. */
const searched = async (page: Page, at: At): Promise<void> => {
  await at("#/", "#search");
  for (const query of ["attacker", "alert", `"><img src=x onerror=alert(1)>`]) {
    await page.fill("#search", query);
    await page.waitForSelector(".count");
    await quiet(page);
    if (query === "alert") expect(await page.locator(".snippet mark").count()).toBeGreaterThan(3);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("script");
  await page.waitForSelector("dialog li");
  await quiet(page);
  await page.keyboard.press("Escape");
};

/** Changes with their authors, messages and trailers, proposals, calls, and what a check lists. */
const reviewed = async (page: Page, at: At, path: string, changes: number): Promise<void> => {
  await at("#/", ".waiting .revision");
  expect(await page.textContent(".waiting")).toContain(PAYLOADS[6]!);
  expect(await page.locator(".waiting .revision").count()).toBe(21);
  await page.waitForSelector(".group .revision");
  const addresses = await page
    .locator(".group .revision")
    .evaluateAll((links) => links.map((link) => (link as { hash?: string }).hash ?? ""));
  for (const address of addresses.slice(0, changes)) await at(address, ".diff");
  expect(await page.textContent(".page-head .meta")).toMatch(/accepted by/);
  await at(`#/undo?${new URLSearchParams({ author: PAYLOADS[6]!, since: "2020-01-01" })}`, ".page-head h1");
  await at("#/", ".waiting .revision");
  await page.click(".waiting .revision");
  await page.waitForSelector(".proposed .diff");
  await quiet(page);
  await at("#/activity", ".calls li");
  expect(await page.textContent(".calls")).toContain("img src=x onerror");
  await at("#/check", ".finding");
  for (const group of await page.locator(".finding > summary").all()) await group.click();
  await at("#/who", ".who li");
  await at(`#/new/${encoded(path)}`, ".cm-content");
};

/** `notes`: how many notes of fifty payloads each; `changes`: how many changes are opened. */
export const testHostile = (ground: Ground, notes: number, changes: number): void => {
  test(`attack 22: ${notes * A_NOTE} payloads in texts, names and fields, and ${PAYLOADS.length} as authors, messages and trailers, are text on every screen`, async () => {
    const { home, paths } = await hostileHome(notes);
    const opened = await openVault(home);
    const token = await opened.identity("Caller");
    await callTool(`${opened.base}mcp`, token, "read_notes", { notes: [paths[0]] }, PAYLOADS[6]);
    const { page, close, ...noted } = await watched(ground.browser, opened);
    const at: At = async (address, selector) => {
      await page.goto(`${opened.base}${address}`);
      await page.waitForSelector(selector);
      await quiet(page);
      const made = "main :is(script, iframe, svg, style, object, embed, base, meta, link, math)";
      expect(await page.locator(made).count(), address).toBe(0);
    };
    await readNotes(page, at, paths);
    await searched(page, at);
    await reviewed(page, at, paths[0]!, changes);
    expect(noted).toEqual({ dialogs: [], strangers: [], complaints: [] });
    await close();
    await opened.end();
  });
};
