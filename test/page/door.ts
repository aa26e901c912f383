/** Coming in: a key works once, pages of other origins come to nothing. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
    await page.click("text=Close my notes in this browser");
    await page.waitForSelector("text=Your notes are closed");
    // What went well is no trouble at the door.
    expect(await page.locator("[role=alert]").count()).toBe(0);
    expect((await opened.api(String(token), "hello")).status).toBe(401);
    await context.close();
  });

  test("attacks 21, 22, 23 and 24: a page of another origin, a frame, a form and another tab read and write nothing", async () => {
    const { browser, opened } = ground;
    const { page, context } = await openTab(browser, opened);
    const before = opened.read("Start here.md");
    const evil = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<p>Hi</p>"));
    await new Promise<void>((done) => evil.listen(0, "127.0.0.1", done));
    const { port } = evil.address() as AddressInfo;
    const foreign = await context.newPage();
    await foreign.goto(`http://127.0.0.1:${port}/`);
    const outcomes = await foreign.evaluate(`(${ATTACKS})(${JSON.stringify(opened.base)})`);
    expect(outcomes).toEqual({
      read: "TypeError",
      simple: "TypeError",
      opaque: "opaque 0",
      frame: "refused",
      storage: "null",
      opener: "out of reach",
      token: "null",
    });
    const form = await context.newPage();
    await form.goto(`http://127.0.0.1:${port}/`);
    await form.evaluate(`(${FORM})(${JSON.stringify(opened.base)})`);
    await form.waitForLoadState();
    expect(await form.textContent("body")).toContain("Only the page itself may call this.");
    expect(opened.read("Start here.md")).toBe(before);
    expect(await page.evaluate("document.querySelector('#search') !== null")).toBe(true);
    evil.closeAllConnections();
    evil.close();
    await context.close();
  });
};

/** Runs in the foreign page; what each attempt comes to. */
const ATTACKS = `async (base) => {
  const named = (error) => error.name;
  const read = await fetch(base + "api/hello", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).then((it) => it.text(), named);
  const simple = await fetch(base + "api/hello", { method: "POST", body: "{}" }).then((it) => it.text(), named);
  const opaque = await fetch(base + "api/enter", { method: "POST", mode: "no-cors", body: "{}" }).then((it) => it.type + " " + it.status, named);
  const frame = document.createElement("iframe");
  frame.src = base;
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  document.body.append(frame);
  await loaded;
  let inside;
  try { inside = frame.contentDocument === null ? "refused" : frame.contentDocument.body.textContent; } catch { inside = "refused"; }
  const opened = window.open(base);
  await new Promise((done) => setTimeout(done, 500));
  let reached;
  try { reached = opened.closed || opened.document === null ? "out of reach" : "within reach"; } catch { reached = "out of reach"; }
  return { read, simple, opaque, frame: inside, storage: String(localStorage.getItem("notewright token /")), opener: reached, token: String(sessionStorage.getItem("last here")) };
}`;
const FORM = `(base) => {
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "text/plain";
  form.action = base + "api/write";
  const field = document.createElement("input");
  field.name = '{"path":"Start here.md","text":"';
  field.value = '"}';
  form.append(field);
  document.body.append(form);
  form.submit();
}`;
