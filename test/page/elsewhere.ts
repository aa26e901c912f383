/** The page off loopback: behind a public address, with the owner's passphrase; several vaults, of which each has its own. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as ask } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../http/certificate.ts";
import { PASSPHRASE, serveOAuth } from "../http/signing-in.ts";
import { makeHome } from "../process.ts";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";

/** What stands in front of a server that others reach: it ends TLS, and hands everything on. */
const openFront = async () => {
  let port = 0;
  const front = createServer({ key: KEY, cert: CERTIFICATE }, (request, answer) => {
    const { method, url, headers } = request;
    const onward = ask({ host: "127.0.0.1", port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  return {
    base: `https://notes.example:${(front.address() as AddressInfo).port}`,
    leadTo: (to: number) => (port = to),
    close() {
      front.closeAllConnections();
      front.close();
    },
  };
};

export const testElsewhere = (ground: Ground): void => {
  test("off this computer the owner's passphrase opens the page, of each vault its own", async () => {
    const home = makeHome();
    const office = join(home.folder, "office");
    mkdirSync(office);
    writeFileSync(join(office, "Meeting.md"), "The word zeppelin stands here.\n");
    const front = await openFront();
    const vaults = [`home=${home.vault}`, `office=${office}`];
    const served = await serveOAuth(["--public-url", front.base], { home, vaults });
    const running = join(home.folder, ".local/state/notewright/running");
    const [file = ""] = readdirSync(running);
    const { address } = JSON.parse(readFileSync(join(running, file), "utf8")) as { address: string };
    front.leadTo(Number(new URL(address).port));

    const context = await ground.browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const enter = async (passphrase: string): Promise<void> => {
      await page.fill("#passphrase", passphrase);
      await page.keyboard.press("Enter");
    };
    await page.goto(`${front.base}/office/`);
    await page.waitForSelector("text=Or with your passphrase");
    expect(await wrongWith(page)).toEqual([]);
    await enter("not the passphrase");
    await page.waitForSelector("text=That is not the passphrase.");
    const [, wait = "1"] = /Try again in (\d+) s/.exec((await page.textContent("[role=alert]")) ?? "") ?? [];
    await page.waitForTimeout(Number(wait) * 1000 + 100);
    await enter(PASSPHRASE);
    await page.waitForSelector("#search");
    await page.fill("#search", "zeppelin");
    await page.waitForSelector(".hits >> text=Meeting");
    expect(await context.cookies()).toEqual([]);

    await page.goto(`${front.base}/home/`);
    await page.waitForSelector("text=Your notes are closed");
    await page.waitForTimeout(1100);
    await enter(PASSPHRASE);
    await page.waitForSelector("#search");
    await page.fill("#search", "zeppelin");
    await page.waitForSelector(".count >> text=Nothing is found");
    const kept = await page.evaluate(
      "Object.keys(localStorage).filter((key) => key.includes('token')).toSorted()",
    );
    expect(kept).toEqual(["notewright token /home/", "notewright token /office/"]);
    const token = await page.evaluate("localStorage.getItem('notewright token /home/')");
    const foreign = await page.evaluate(
      `fetch("/office/api/hello", { method: "POST", headers: { authorization: "Bearer ${String(token)}", "content-type": "application/json" }, body: "{}" }).then((it) => it.status)`,
    );
    expect(foreign).toBe(401);
    await context.close();
    await served.end();
    front.close();
    home.remove();
  });
};
