/** The page at the edge: its document and files, the owner's secret, calls and events of one workspace, in workerd. */

import { expect, test } from "vitest";
import { rpc } from "../workerd/asking.ts";
import { call, called, OWNER_SECRET, serveEdge } from "../workerd/served.ts";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { PNG } from "./notes.ts";

export const testEdge = (ground: Ground): void => {
  test("the page of a workspace in workerd: the owner's secret opens it, an embedded image shows, a client's change appears and is taken back, a member is removed, proposals are accepted and declined", async () => {
    const served = await serveEdge({ page: true, entry: "test/workerd/filled-worker.ts" });
    await served.make("garden");
    await served.make("office");
    const client = await served.connect("garden", "native", await served.member("garden", "Claude"));
    const other = await served.member("garden", "Leaver", "read");
    const path = "Pond.md";
    await call(client, "write_note", { path, text: "# Pond\n\nIt is deep.\n" });

    const context = await ground.browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("status of 4"))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    const policy = (await page.goto(`${served.base}/garden`))!.headers()["content-security-policy"];
    expect(policy).toContain("require-trusted-types-for 'script'");
    await page.fill("#passphrase", "not the secret of the owner, though as long");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=That is not the secret of the owner.");
    await page.fill("#passphrase", OWNER_SECRET);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".revision >> text=Pond");
    expect(await wrongWith(page)).toEqual([]);

    const edits = [{ note: path, do: "replace_text", find: "deep", text: "very deep" }];
    await call(client, "edit_notes", { edits });
    await page.waitForSelector(".revision >> text=edited");
    await page.click(".revision >> nth=0");
    await page.waitForSelector(".diff ins >> text=very");
    await page.click("button:text-is('Undo')");
    await page.waitForSelector("text=Undone: ");
    expect(await call(client, "read_notes", { notes: [path] })).toContain("It is deep.");

    await page.goto(`${served.base}/garden/#/activity`);
    await page.waitForSelector(".calls >> text=Claude");
    await page.goto(`${served.base}/garden/#/who`);
    await page.waitForSelector("[aria-label='Remove Leaver']");
    // When they last called is kept nowhere.
    expect(await page.textContent(".who")).not.toContain("called");
    await page.click("[aria-label='Remove Leaver']");
    await page.click("text=Yes, remove Leaver");
    await page.waitForSelector("text=Leaver has no access any more.");
    await expect(served.connect("garden", "native", other)).rejects.toThrow();

    // An image is found by its name alone, and what only claims to be one is not given.
    const text = "# Shown\n\n![[pic.png]]\n\n![[fake.png]]\n";
    await call(client, "write_note", { path: "notes/Shown.md", text });
    await rpc(served, "garden", "fill", "garden", {
      "media/pic.png": [...Buffer.from(PNG, "base64")],
      "media/fake.png": [...Buffer.from("<svg onload=alert(1)>")],
    });
    await page.goto(`${served.base}/garden/#/note/notes/Shown.md`);
    await page.waitForSelector(".reading img");
    // The page's policy lets no function wait within it.
    const width = () => page.evaluate("document.querySelector('.reading img').naturalWidth");
    await expect.poll(width, { timeout: 20_000 }).toBe(1);
    await page.waitForSelector(".missing >> text=No image fake.png");
    expect(await page.locator(".reading img").count()).toBe(1);
    // Obsidian has no notes that lie in a bucket.
    expect(await page.locator("text=Open in Obsidian").count()).toBe(0);
    // A member who may propose: what it asks for waits, is shown as it comes, and is written once it is accepted.
    const proposer = await served.member("garden", "Asker", "propose");
    const asker = await served.connect("garden", "native", proposer);
    await page.goto(`${served.base}/garden/#/`);
    const wish = [{ note: path, do: "replace_text", find: "deep", text: "shallow" }];
    expect(await call(asker, "edit_notes", { edits: wish })).toContain("Not written yet");
    await page.waitForSelector("text=1 proposal for you to decide");
    await page.click(".waiting a");
    await page.waitForSelector(".diff ins >> text=shallow");
    expect(await wrongWith(page)).toEqual([]);
    expect(await call(client, "read_notes", { notes: [path] })).toContain("It is deep.");
    await page.click("button.main");
    await page.waitForSelector("text=Accepted: ");
    expect(await call(client, "read_notes", { notes: [path] })).toContain("It is shallow.");
    expect(await call(client, "get_history", { note: path })).toContain("accepted by owner");
    // Another is declined.
    await call(asker, "write_note", { path: "Weed.md", text: "zeppelin\n" });
    await page.click(".waiting a");
    await page.click("button:text-is('Decline')");
    await page.waitForSelector("text=Declined: Weed. Nothing was written.");
    expect((await called(client, "read_notes", { notes: ["Weed.md"] })).text).toContain("note_missing");

    // Neither a member's token nor that of another page opens anything.
    const token = String(await page.evaluate("localStorage.getItem('notewright token /garden/')"));
    const asked = (workspace: string, bearer: string) =>
      fetch(`${served.base}/${workspace}/api/hello`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: "{}",
      }).then(({ status }) => status);
    expect(await asked("garden", token)).toBe(200);
    expect(await asked("office", token)).toBe(401);
    expect(await asked("garden", other)).toBe(401);
    expect(await asked("nowhere", token)).toBe(401);
    // A workspace that holds nothing yet says at which address a client is let in.
    await page.goto(`${served.base}/office/`);
    await page.fill("#passphrase", OWNER_SECRET);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.paste >> text=--transport http notes ${served.base}/office/mcp`);
    expect(complaints).toEqual([]);
    await context.close();
    await served.stop();
  });
};
