/** The consent page in a real Chromium: Allow leads to wherever the app is, whatever kind of address that is. */

import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTls } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CERTIFICATE, KEY } from "./certificate.ts";
import type { HttpServed } from "./served.ts";
import { authorizeUrl, newVerifier, PASSPHRASE, registered, serveOAuth } from "./signing-in.ts";

let served: HttpServed;
let browser: BrowserContext;
const arrived: string[] = [];
const [plain, tls] = [createServer(), createTls({ key: KEY, cert: CERTIFICATE })] as [HttpServer, HttpServer];
const profile = mkdtempSync(join(tmpdir(), "notewright-chromium-"));
const portOf = (server: HttpServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  served = await serveOAuth();
  for (const server of [plain, tls]) {
    server.on("request", (request, answer) => {
      if (request.url?.startsWith("/cb")) arrived.push(`${request.headers.host}${request.url}`);
      answer.end("Signed in.");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  }
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    ignoreHTTPSErrors: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP client.example 127.0.0.1:${portOf(tls)}`,
    ],
  });
});
afterAll(async () => {
  await browser.close();
  for (const server of [plain, tls]) {
    server.closeAllConnections();
    server.close();
  }
  await served.end();
  served.home.remove();
  rmSync(profile, { recursive: true, force: true });
});

/** Signs in and stands before the buttons. What the browser complains of goes into `complaints`. */
const atConsent = async (redirect: string): Promise<{ page: Page; complaints: string[] }> => {
  const client = await registered(served.base, {
    client_name: "Pocket <b>client</b>",
    redirect_uris: [redirect],
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const { challenge } = newVerifier();
  const url = authorizeUrl(served.base, {
    client_id: client,
    redirect_uri: redirect,
    code_challenge: challenge,
  });
  await page.goto(url.href);
  await page.fill("#secret", PASSPHRASE);
  await page.click("button:text-is('Sign in')");
  await page.waitForSelector("button:text-is('Allow')");
  return { page, complaints };
};

test.each([
  ["an https address", () => "https://client.example/cb", /^client\.example\/cb\?code=owner/],
  ["a loopback address", () => `http://127.0.0.1:${portOf(plain)}/cb`, /^127\.0\.0\.1:\d+\/cb\?code=owner/],
])("Allow leads to %s", async (_, redirect, expected) => {
  const { page, complaints } = await atConsent(redirect());
  expect(await page.title()).toBe("Allow Pocket <b>client</b>?");
  await page.click("button:text-is('Allow')");
  await page.waitForSelector("text=Signed in.");
  expect(arrived.at(-1)).toMatch(expected);
  expect(complaints).toEqual([]);
  expect(await browser.cookies()).toEqual([]);
  await page.close();
});

test("Allow leads to an address of an app", async () => {
  const { page, complaints } = await atConsent("com.example.app:/oauth/cb");
  const led = page.waitForEvent("requestfailed", (request) => request.url().startsWith("com.example.app:"));
  await page.click("button:text-is('Allow')");
  expect((await led).url()).toMatch(/^com\.example\.app:\/oauth\/cb\?code=owner/);
  expect(complaints.filter((text) => /policy/i.test(text))).toEqual([]);
  await page.close();
});

test("an app that opened the page in a window of its own gets the window back", async () => {
  const redirect = `http://127.0.0.1:${portOf(plain)}/cb`;
  const client = await registered(served.base, { redirect_uris: [redirect] });
  const parameters = { client_id: client, redirect_uri: redirect, code_challenge: newVerifier().challenge };
  const app = await browser.newPage();
  await app.goto(`http://127.0.0.1:${portOf(plain)}/`);
  const opened = app.waitForEvent("popup");
  await app.evaluate(`void window.open(${JSON.stringify(authorizeUrl(served.base, parameters).href)})`);
  const page = await opened;
  await page.fill("#secret", PASSPHRASE);
  await page.click("button:text-is('Sign in')");
  await page.click("button:text-is('Allow')");
  await page.waitForSelector("text=Signed in.");
  expect(await page.evaluate("window.opener !== null")).toBe(true);
  await page.close();
  await app.close();
});

test("Deny says so to the app", async () => {
  const { page } = await atConsent(`http://127.0.0.1:${portOf(plain)}/cb`);
  await page.click("button:text-is('Deny')");
  await page.waitForSelector("text=Signed in.");
  expect(arrived.at(-1)).toContain("error=access_denied");
  await page.close();
});
