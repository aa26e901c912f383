/** Check, who and help: what they hold, by keys; and that axe-core finds nothing on any screen. */

import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { MODES, wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab, openVault } from "./opened.ts";

export const describeScreens = (ground: Ground): void => {
  test("check lists what is broken with its remedy; who lists identities, and removes one", async () => {
    const { browser, opened } = ground;
    opened.write("Broken.md", "See [[Nowhere at all]].\n");
    const token = await opened.identity("Leaver", "--rights", "read");
    expect(await opened.call(token, "search_notes", { query: "garden" })).toContain("note");
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click("nav >> text=Check");
    await page.waitForSelector("summary >> text=Broken links");
    await page.waitForSelector(".findings .target >> text=Nowhere at all There is no such note.");
    expect(await page.getAttribute(".findings a[title='Broken.md']", "href")).toBe("#/note/Broken.md?line=1");
    expect(await page.textContent(".check")).toContain("What to do:");
    await page.click("nav >> text=Who");
    await page.waitForSelector("h2 >> text=Leaver");
    await page.focus("[aria-label='Remove Leaver']");
    await page.keyboard.press("Enter");
    await page.focus("text=Yes, remove Leaver");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Leaver has no access any more.");
    expect(await opened.call(token, "search_notes", { query: "garden" })).toContain("invalid_token");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("Who says what each may do: rights, folders, tools, and that an app signs in by consent", async () => {
    const { browser, opened } = ground;
    await opened.identity("Reads", "--rights", "read", "--folder", "Projects");
    await opened.identity("Asks", "--rights", "propose");
    await opened.identity("Writes", "--rights", "write", "--tools", "native", "--tools", "cairn");
    await opened.identity("Rules", "--rights", "admin");
    const file = join(opened.home.folder, "config/notewright/identities.json");
    const kept = JSON.parse(readFileSync(file, "utf8")) as { identities: { name: string }[] };
    const app = {
      ...kept.identities.find(({ name }) => name === "Asks"),
      name: "Phone",
      secret: null,
      consent: "one",
    };
    kept.identities.push(app);
    writeFileSync(file, JSON.stringify(kept));
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/who`);
    const said = (name: string) => page.textContent(`section[aria-label='${name}'] p >> nth=0`);
    await page.waitForSelector("section[aria-label='Phone']");
    expect(await said("Reads")).toBe("may read, in Projects alone");
    expect(await said("Asks")).toBe("may read, and propose changes for you to accept");
    expect(await said("Writes")).toBe("may read and write, with the tools of native, cairn");
    expect(await said("Rules")).toBe("may do everything, also change rules");
    expect(await said("Phone")).toContain("; signed in with your consent");
    expect(await page.textContent("section[aria-label='Asks'] .meta")).toBe("Not used yet · Added today");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("Check shows knowledge bases with their rules, and the notes that break them", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Base maker", "--rights", "admin");
    await opened.call(token, "write_note", { path: "Ruled/Old.md", text: "No year.\n" });
    const base = { base: "papers", folder: "Ruled" };
    const more = { description: "What I read", guide: "One note a paper." };
    await opened.call(token, "manage_rules", { do: "add_base", ...base, ...more });
    const rules = { frontmatter: { required_fields: [{ name: "year", type: "number" }] } };
    expect(await opened.call(token, "manage_rules", { do: "set_rules", ...base, rules })).toContain(
      "fail them",
    );
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/check`);
    await page.waitForSelector("h2 >> text=Knowledge bases");
    await page.waitForSelector(".base .findings >> text=Ruled/Old.md");
    const said = await page.textContent(".base");
    for (const words of ["papers", "What I read", "A note in Ruled has", "year"])
      expect(said).toContain(words);
    await page.click(".base .findings a");
    await page.waitForSelector("text=It breaks the rules of Ruled");
    expect(await page.getAttribute("text=Open in Obsidian", "href")).toBe(
      `obsidian://open?path=${encodeURIComponent(`${realpathSync(opened.home.vault)}/Ruled/Old.md`)}`,
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("what changed since somebody was last here is told apart: only while the page is seen are they here, on any screen", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Night");
    const { page, context, complaints } = await openTab(browser, opened);
    const { id } = (await (await opened.api(await opened.token(), "hello")).json()) as { id: string };
    await page.waitForSelector("h2:text-is('What changed')");
    const place = JSON.stringify(`notewright ${id} last here`);
    const seen = async (): Promise<number> => Number(await page.evaluate(`localStorage.getItem(${place})`));
    const away = async (minutes: number): Promise<void> =>
      void (await page.evaluate(`localStorage.setItem(${place}, Date.now() - ${minutes} * 60000)`));
    const show = (state: string): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" }); document.dispatchEvent(new Event("visibilitychange"));`,
      );
    expect(Date.now() - (await seen())).toBeLessThan(20_000);
    // In the background nobody is here; on another screen they are.
    await page.goto(`${opened.base}#/help`);
    await page.waitForSelector(".help");
    await away(20);
    const left = await seen();
    await show("hidden");
    expect(await seen()).toBe(left);
    await show("visible");
    expect(await seen()).toBeGreaterThan(left);
    // A night later, in another tab.
    await away(9 * 60);
    await opened.call(token, "write_note", { path: "Night.md", text: "Written at night.\n" });
    const next = await context.newPage();
    await next.goto(opened.base);
    await next.waitForSelector("h2 >> text=/^Since you were last here .*: (at least )?\\d+ notes?$/");
    await next.waitForSelector(".groups >> nth=0 >> text=Night");
    // It stays so for the visit, however the page is left and opened.
    await next.reload();
    await next.waitForSelector("h2 >> text=Since you were last here");
    expect(complaints).toEqual([]);
    await context.close();
  });
};

/** What axe finds, and whether the screen is wider than the window. */
const seenWrong = async (page: Page): Promise<string[]> => {
  const wide = Number(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  );
  return [...(await wrongWith(page)), ...(wide > 0 ? [`${wide} pixels too wide`] : [])];
};

/** Every screen in one mode. */
export const testAccessible = (ground: Ground, mode: keyof typeof MODES): void => {
  test(`axe finds nothing on any screen (${mode})`, async () => {
    const { browser, opened } = ground;
    const token = await opened.identity(`Axe ${mode}`);
    await opened.call(token, "write_note", {
      path: `Axe ${mode}.md`,
      text: "---\na: 1\n---\n# Axe\n\nWords.\n\n```\ncode\n```\n",
    });
    // A long name without a space, a removal and an edit.
    const asker = `Asker_${mode}_${"of_a_long_name_".repeat(3)}`;
    const propose = await opened.identity(asker, "--rights", "propose");
    const long = `Folder_${mode}/${"A_long_name_without_a_space_".repeat(3)}.md`;
    await opened.call(token, "write_note", { path: long, text: "Words.\n" });
    const edits = [long, `Axe ${mode}.md`].map((note) => ({ note, do: "append", text: "More." }));
    await opened.call(propose, "edit_notes", { edits });
    await opened.call(propose, "delete_note", { path: long });
    const options: BrowserContextOptions = { ...MODES[mode], reducedMotion: "reduce" };
    const { page, context } = await openTab(browser, opened, options);
    await page.waitForSelector(".revision");
    const found: Record<string, string[]> = { home: await seenWrong(page) };
    const at = async (address: string, selector: string): Promise<void> => {
      await page.goto(`${opened.base}${address}`);
      await page.waitForSelector(selector);
      await page.waitForTimeout(150);
      found[address] = await seenWrong(page);
    };
    await page.click(`.revision:has-text("Axe ${mode}")`);
    await page.waitForSelector(".diff");
    await at(new URL(page.url()).hash, ".diff");
    await at("#/?q=garden", ".hits");
    await at("#/note/Projects/Rain%20garden.md", ".reading");
    await at("#/links/Projects/Rain%20garden.md", "canvas");
    await at("#/activity", ".calls li");
    await at("#/history/Projects/Rain%20garden.md", ".page-head");
    await at("#/edit/Projects/Rain%20garden.md", ".cm-content");
    await at("#/new/", "#name");
    await at("#/check", ".finding");
    await at("#/who", ".who li");
    await at("#/help", ".help table");
    await at(`#/undo?${new URLSearchParams({ author: `Axe ${mode}`, since: "2020-01-01" })}`, ".diff");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog li");
    found["switcher"] = await seenWrong(page);
    await page.keyboard.type("axe");
    await page.waitForSelector("dialog li >> text=Axe");
    found["switcher with notes"] = await seenWrong(page);
    await page.keyboard.press("Escape");
    await page.goto(`${opened.base}#/`);
    await page.click(`.waiting a:has-text("${asker}")`);
    await page.waitForSelector(".proposed");
    for (const key of ["j", "j", "a"]) await page.keyboard.press(key);
    await page.waitForSelector("text=Accepting removes");
    found["a proposal"] = await seenWrong(page);
    await page.goto(`${opened.base}#/help`);
    await page.click("text=Close my notes in this browser");
    await page.waitForSelector(".door");
    found["the door"] = await seenWrong(page);
    const fresh = await openVault();
    const first = await openTab(browser, fresh, options);
    await first.page.waitForSelector(".first-run");
    found["the first look"] = await seenWrong(first.page);
    await first.context.close();
    await fresh.end();
    expect(Object.fromEntries(Object.entries(found).filter(([, wrong]) => wrong.length > 0))).toEqual({});
    await context.close();
  });
};
