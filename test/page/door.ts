/** Coming in: a key works once, pages of other origins come to nothing. */

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

export const describeDoor = (ground: Ground): void => {
  test("a key opens the page once, and does not stay in the address", async () => {
    const { browser, opened } = ground;
    const address = await opened.command();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForSelector("#search");
    expect(page.url()).toBe(`${opened.base}#/`);
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await page.waitForSelector("#search");
    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(address);
    await late.waitForSelector("text=Your notes are closed");
    expect(await late.textContent("[role=alert]")).toContain("has been used");
    await Promise.all([context.close(), other.close()]);
  });

  test("whoever closes their notes in this browser is out, and the token is no good any more", async () => {
    const { browser, opened } = ground;
    const { page, context } = await openTab(browser, opened);
    const token = await page.evaluate("localStorage.getItem('notewright token /')");
    await opened.identity("Doorman");
    await page.goto(`${opened.base}#/who`);
    await page.click("[aria-label='Remove Doorman']");
    await page.click("text=Yes, remove Doorman");
    await page.waitForSelector(".notice >> text=Doorman has no access any more.");
    await page.goto(`${opened.base}#/help`);
    // What it was still told of ends, too.
    const ended = page.waitForResponse((it) => it.url().endsWith("api/events") && it.status() === 401);
    await page.click("text=Close my notes in this browser");
    await page.waitForSelector("text=Your notes are closed");
    await ended;
    // What went well is no trouble at the door.
    expect(await page.locator("[role=alert]").count()).toBe(0);
    expect((await opened.api(String(token), "hello")).status).toBe(401);
    await context.close();
  });

  test("attacks 21, 23 and 24: a page of another origin, its frame, its form and its window read and write nothing", async () => {
    const { browser, opened } = ground;
    const { page, context } = await openTab(browser, opened);
    const evil = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<p>Hi</p>"));
    await new Promise<void>((done) => evil.listen(0, "127.0.0.1", done));
    const foreign = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;

    const called = await foreignPage(context, foreign);
    // What a script may read of an answer, and what the answer was.
    for (const how of [{ headers: { "content-type": "application/json" } }, {}, { mode: "no-cors" }]) {
      const asked = { method: "POST", body: JSON.stringify(FORGED), ...how };
      const read = await called.evaluate(`(${READ})(${JSON.stringify([`${opened.base}api/save`, asked])})`);
      expect(read, JSON.stringify(how)).toBe("mode" in how ? "" : "TypeError");
    }
    expect(called.statuses.length).toBeGreaterThan(0);
    expect(new Set(called.statuses)).toEqual(new Set([403]));

    expect(await framed(called, `${foreign}inner`)).toContain("Hi");
    expect(await framed(called, opened.base)).toBe("chrome-error://chromewebdata/");

    const reached = async (address: string) => {
      const [window] = await Promise.all([
        context.waitForEvent("page"),
        called.evaluate(`void (window.opened = window.open(${JSON.stringify(address)}))`),
      ]);
      await window.waitForSelector(address === opened.base ? "#search" : "p");
      const opener = await window.evaluate("window.opener === null");
      return { opener, closed: await called.evaluate("window.opened.closed") };
    };
    expect(await reached(`${foreign}window`)).toEqual({ opener: false, closed: false });
    expect(await reached(opened.base)).toEqual({ opener: true, closed: true });

    const form = await foreignPage(context, foreign);
    await form.evaluate(`(${FORM})(${JSON.stringify([`${opened.base}api/save`, FORGED])})`);
    await form.waitForURL(`${opened.base}api/save`);
    expect(form.statuses.at(-1)).toBe(403);
    expect(await form.textContent("body")).toContain("Only the page itself may call this.");
    expect(form.sent.map((body) => JSON.parse(body) as object)).toEqual([{ ...FORGED, text: "=Forged" }]);

    expect(existsSync(join(opened.home.vault, FORGED.path))).toBe(false);
    // The page itself may: it was the origin that was refused, and not what was asked.
    const own = await opened.api(await opened.token(), "save", FORGED);
    expect(await own.json()).toMatchObject({ kind: "saved" });
    expect(await page.locator("#search").count()).toBe(1);
    evil.closeAllConnections();
    evil.close();
    await context.close();
  });
};

const FORGED = { path: "Forged.md", version: null, text: "Forged" };

/** A page of another origin, with what came of its requests. */
const foreignPage = async (context: BrowserContext, address: string) => {
  const page = await context.newPage();
  const [statuses, sent]: [number[], string[]] = [[], []];
  await page.goto(address);
  page.on("response", (response) => {
    if (!response.url().startsWith(address)) statuses.push(response.status());
  });
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.method() === "POST") sent.push(request.postData()!.trim());
  });
  return Object.assign(page, { statuses, sent });
};

/** What a frame of that address holds, or where it ended. */
const framed = async (page: Page, address: string): Promise<string> => {
  await page.evaluate(`(${FRAME})(${JSON.stringify(address)})`);
  const frame = page.frames().at(-1)!;
  return frame.url() === address ? frame.content() : frame.url();
};

const READ = `([address, how]) => fetch(address, how).then((answer) => answer.text(), (error) => error.name)`;
const FRAME = `async (address) => {
  document.querySelector("iframe")?.remove();
  const frame = document.createElement("iframe");
  frame.src = address;
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  document.body.append(frame);
  await loaded;
}`;
/** A form sends a name, an equals sign and a value: here all of it is JSON. */
const FORM = `([address, { text, ...rest }]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "text/plain";
  form.action = address;
  const field = document.createElement("input");
  field.name = JSON.stringify(rest).slice(0, -1) + ',"text":"';
  field.value = text + '"}';
  form.append(field);
  document.body.append(form);
  form.submit();
}`;
