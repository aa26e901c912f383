/** What the page asks its server for, and when: few questions for many changes, and once more for what failed. */

import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

export const describeAsking = (ground: Ground): void => {
  test("a burst of 200 changes: few calls, and the last state is shown", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Burst");
    await opened.call(token, "write_note", { path: "Burst.md", text: "Count 0.\n\nLine 0.\n" });
    const edits = [{ note: "Burst.md", do: "replace_text", find: "Count 0", text: "Count 1" }];
    await opened.call(token, "edit_notes", { edits });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click(".revision >> text=Burst");
    await page.waitForSelector("button.main:not([disabled])");
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    for (let at = 1; at <= 100; at++) {
      opened.write("Burst.md", `Count 1.\n\nLine ${at}.\n`);
      opened.write(`Beside ${at % 5}.md`, `Count ${at}.\n`);
      await page.waitForTimeout(5);
    }
    await page.waitForSelector("summary >> text=Burst was edited since");
    await page.click("summary >> text=Burst was edited since");
    await page.waitForSelector("details[open] .diff >> text=Line 100.");
    expect(calls.length).toBeLessThan(40);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("what failed while the server was gone is asked for again once it is back; a server that only has too many pages is not called gone", async () => {
    const { browser, opened } = ground;
    await opened.identity("Comes back", "--rights", "read");
    const { page, context } = await openTab(browser, opened);
    let [isGone, hasBegun] = [true, false];
    await page.route(/api\/(events|who)$/, (route) => (isGone ? route.abort() : route.continue()));
    await page.route(/assets\/check-/, (route) => (isGone ? route.abort() : route.continue()));
    await page.route(/api\/hello$/, (route) => (isGone && hasBegun ? route.abort() : route.continue()));
    await page.goto(`${opened.base}#/who`);
    await page.reload();
    await page.waitForSelector("text=The server does not answer. It may have been stopped");
    hasBegun = true;
    await page.waitForSelector("text=The server does not answer. What you see may be old");
    isGone = false;
    await page.waitForSelector(".who li");
    await page.waitForSelector(".refusal", { state: "detached" });
    await page.waitForSelector(".strip", { state: "detached" });
    // A screen that could not be loaded, too.
    [isGone, hasBegun] = [true, false];
    await page.goto(`${opened.base}#/check`);
    await page.reload();
    await page.waitForSelector("text=A part of this page could not be loaded.");
    isGone = false;
    await page.waitForSelector(".check");
    await page.route(/api\/events$/, (route) => route.fulfill({ status: 429, body: "{}" }));
    await page.reload();
    await page.waitForSelector("text=The server answers, but tells this page of no changes");
    expect(await wrongWith(page)).toEqual([]);
    await context.close();
  });
};
