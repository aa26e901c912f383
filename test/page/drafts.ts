/** Drafts: nothing that a person typed is lost, whatever becomes of the save, the note, the browser's room or the page. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import { edit, typeAtEnd } from "./editing.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

const TEXT = "# Pond\n\nIt is deep.\n\nIt is cold.\n\nIt is green.\n";
const SAVE = "button:text-is('Save')";
const KEPT = "text=Not saved yet; kept in this browser";

/** Saves are held from now on, until they are let go. */
const holdSaves = async (page: Page): Promise<() => void> => {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/api/save", async (route) => {
    await held;
    await route.continue();
  });
  return release;
};

export const describeDrafts = (ground: Ground): void => {
  test("words typed while a save is under way stay, beside what others wrote, and are saved next", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Typed on.md", TEXT);
    const { page, context, complaints } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Typed on.md");
    await typeAtEnd(page, "Mine.\n");
    let release = await holdSaves(page);
    await page.click(SAVE);
    await page.waitForSelector("text=Saving…");
    await typeAtEnd(page, "Typed on.\n");
    release();
    await page.waitForSelector("text=Saved: Typed on. What you typed since then is not saved yet.");
    expect(opened.read("Projects/Typed on.md")).toBe(`${TEXT}Mine.\n`);
    await page.unroute("**/api/save");

    const theirs = TEXT.replace("# Pond\n", "# Pond\n\nA word before.\n").replace("cold", "very cold");
    release = await holdSaves(page);
    await page.click(SAVE);
    await page.waitForSelector("text=Saving…");
    await typeAtEnd(page, "And on.\n");
    opened.write("Projects/Typed on.md", `${theirs}Mine.\n`);
    release();
    await page.waitForSelector(
      "text=Saved: Typed on, merged with what was written meanwhile. What you typed since",
    );
    await page.waitForSelector(".cm-content >> text=A word before.");
    expect(opened.read("Projects/Typed on.md")).toBe(`${theirs}Mine.\nTyped on.\n`);
    await page.waitForSelector(KEPT);
    await page.unroute("**/api/save");
    await page.click(SAVE);
    await page.waitForSelector(".reading >> text=And on.");
    expect(opened.read("Projects/Typed on.md")).toBe(`${theirs}Mine.\nTyped on.\nAnd on.\n`);
    await page.goto(`${opened.base}#/`);
    await page.waitForSelector(".revision");
    expect(await page.locator("text=You wrote this and did not save it").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a note that is removed while somebody writes in it is saved as a new one, also after the page was loaded anew", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Goes.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Goes.md");
    await typeAtEnd(page, "Mine.\n");
    await page.waitForSelector(KEPT);
    rmSync(join(opened.home.vault, "Projects/Goes.md"));
    await page.waitForSelector("text=Somebody else removed or renamed this note meanwhile");
    await page.click(SAVE);
    await page.waitForSelector("button >> text=Save as a new note");
    expect(await wrongWith(page)).toEqual([]);
    await page.waitForTimeout(400);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.waitForSelector(".cm-content >> text=Mine.");
    await page.click("text=Save as a new note");
    await page.waitForSelector(".reading >> text=Mine.");
    expect(opened.read("Projects/Goes.md")).toBe(`${TEXT}Mine.\n`);
    await context.close();
  });

  test("whoever leaves while a save is under way is told what became of it, and stays where they are", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Left.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Left.md");
    await typeAtEnd(page, "Mine.\n");
    let release = await holdSaves(page);
    await page.click(SAVE);
    await page.click("nav >> text=Help");
    await page.waitForSelector("caption >> text=Keys");
    release();
    await page.waitForSelector("text=Saved: Left.");
    expect(page.url()).toContain("#/help");
    expect(opened.read("Projects/Left.md")).toBe(`${TEXT}Mine.\n`);
    await page.unroute("**/api/save");

    await edit(page, opened, "Projects/Left.md");
    await typeAtEnd(page, "More.\n");
    release = await holdSaves(page);
    await page.click(SAVE);
    await page.click("nav >> text=Help");
    await page.waitForSelector("caption >> text=Keys");
    opened.write("Projects/Left.md", `${TEXT}Mine.\nTheirs.\n`);
    release();
    await page.waitForSelector("text=Left is not saved. Somebody else changed the same lines.");
    await page.click(".vault");
    await page.click("text=You wrote this and did not save it >> xpath=.. >> text=Left");
    await page.click("text=Take them");
    await page.waitForSelector(".cm-content >> text=More.");
    await context.close();
  });

  test("an older draft stays until somebody takes or drops it, also when they type without it", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Twice.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Twice.md");
    await typeAtEnd(page, "The first words.");
    await page.goto(`${opened.base}#/help`);
    await edit(page, opened, "Projects/Twice.md");
    await page.waitForSelector("text=You left words unsaved here");
    await typeAtEnd(page, "Other words.");
    await page.waitForSelector(KEPT);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.waitForTimeout(400);
    await page.reload();
    await page.waitForSelector(".past >> nth=1");
    expect(await page.locator("text=You left words unsaved here").count()).toBe(2);
    // The older one is the last.
    await page.click("text=Take them >> nth=1");
    await page.waitForSelector(".cm-content >> text=The first words.");
    await page.click("text=Take them");
    await page.waitForSelector(".cm-content >> text=Other words.");
    expect(await page.locator("text=You left words unsaved here").count()).toBe(1);
    await page.click(SAVE);
    await page.waitForSelector(".reading >> text=Other words.");
    await edit(page, opened, "Projects/Twice.md");
    await page.click("text=Drop them");
    await page.goto(`${opened.base}#/`);
    await page.waitForSelector(".revision");
    expect(await page.locator("text=You wrote this and did not save it").count()).toBe(0);
    await context.close();
  });

  test("the words of a new note are found again at its own address, and from the first page", async () => {
    const { browser, opened } = ground;
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/new/`);
    await page.fill("#name", "Projects/Begun");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-content");
    expect(page.url()).toContain("#/new/Projects/Begun.md");
    await typeAtEnd(page, "Words of a new note.");
    await page.waitForSelector(KEPT);
    await page.waitForTimeout(400);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.waitForSelector("text=You left words unsaved here");
    await page.goto(`${opened.base}#/`);
    await page.waitForSelector("text=You wrote this and did not save it");
    expect(await wrongWith(page)).toEqual([]);
    await page.click("text=Begun");
    await page.click("text=Take them");
    await page.click(SAVE);
    await page.waitForSelector(".reading >> text=Words of a new note.");
    expect(opened.read("Projects/Begun.md")).toBe("# Begun\n\nWords of a new note.");
    // Whoever goes back finds the note that is there now.
    await page.goBack();
    await typeAtEnd(page, " And more.");
    await page.click(SAVE);
    await page.waitForSelector(".reading >> text=And more.");
    expect(opened.read("Projects/Begun.md")).toBe("# Begun\n\nWords of a new note. And more.");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a note that is renamed meanwhile is saved under its new name, merged with what was written there", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Renamer");
    await opened.call(token, "write_note", { path: "Projects/Old name.md", text: TEXT });
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Old name.md");
    await typeAtEnd(page, "Mine.\n");
    await opened.call(token, "move_notes", {
      moves: [{ from: "Projects/Old name.md", to: "Projects/New name.md" }],
    });
    opened.write("Projects/New name.md", TEXT.replace("deep", "very deep"));
    await page.click(SAVE);
    await page.click("text=Save to New name");
    await page.waitForSelector(".reading >> text=Mine.");
    expect(page.url()).toContain("New%20name.md");
    expect(opened.read("Projects/New name.md")).toBe(`${TEXT.replace("deep", "very deep")}Mine.\n`);
    await context.close();
  });

  test("both sides stand beside each other, or below each other on a narrow page", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Sides.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Sides.md");
    await typeAtEnd(page, "Mine stays.\n");
    opened.write("Projects/Sides.md", `${TEXT}Theirs came.\n`);
    await page.click(SAVE);
    await page.waitForSelector("text=Somebody else changed the same lines");
    const [theirs, mine] = ["What is there now", "What you wrote"].map((title) =>
      page.locator(`section[aria-label="${title}"]`),
    );
    expect(await theirs!.locator("del").textContent()).toContain("Theirs came");
    expect(await theirs!.textContent()).not.toContain("Mine stays");
    expect(await mine!.locator("ins").textContent()).toContain("Mine stays");
    expect(await mine!.textContent()).not.toContain("Theirs came");
    const place = async (side: typeof mine) => (await side!.boundingBox())!;
    expect((await place(mine)).x).toBeGreaterThan((await place(theirs)).x + 100);
    expect((await place(mine)).y).toBe((await place(theirs)).y);
    expect(await wrongWith(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect((await place(mine)).x).toBe((await place(theirs)).x);
    expect((await place(mine)).y).toBeGreaterThan((await place(theirs)).y);
    const root = "document.documentElement";
    expect(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`)).toBeLessThanOrEqual(0);
    expect(await wrongWith(page)).toEqual([]);
    await page.focus("text=Take what is there");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-content >> text=Theirs came.");
    await page.waitForSelector(".conflicts", { state: "detached" });
    expect(opened.read("Projects/Sides.md")).toBe(`${TEXT}Theirs came.\n`);
    await context.close();
  });

  test("a note of 2 MiB is edited as plain text, and its save is told of", async () => {
    const { browser, opened } = ground;
    const long = `# Long\n\n${"Words of a *long* note.\n\n".repeat(Math.ceil((2 * 1024 * 1024) / 25))}`;
    opened.write("Projects/Long.md", long);
    const { page, context, complaints } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Long.md");
    // Nothing of it has a colour or a weight of its own.
    expect(await page.locator(".cm-line span").count()).toBe(0);
    await typeAtEnd(page, "The end.");
    await page.click(SAVE);
    await page.waitForSelector("pre.source");
    expect(opened.read("Projects/Long.md")).toBe(`${long}The end.`);
    expect(await page.locator(".refusal").count()).toBe(0);
    await page.goto(`${opened.base}#/`);
    await page.waitForSelector(".revision");
    expect(await page.locator("text=You wrote this and did not save it").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a draft too long for the browser to keep stays on the page: through other screens, a token that ends, and with a question before it is left", async () => {
    const { browser, opened } = ground;
    const long = `# Vast\n\n${"Words of a vast note.\n\n".repeat((7 * 1024 * 1024) / 23)}`;
    opened.write("Projects/Vast.md", long);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Vast.md");
    await typeAtEnd(page, "Mine, at length.");
    await page.waitForSelector("text=too long for this browser to keep");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("what changed");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=You wrote this and did not save it");
    const asked = new Promise<string>((done) => {
      page.once("dialog", (dialog) => {
        done(dialog.type());
        void dialog.dismiss();
      });
    });
    await page.click("h1", { force: true });
    await page.reload({ timeout: 2000 }).catch(() => undefined);
    expect(await asked).toBe("beforeunload");
    const token = String(await page.evaluate("localStorage.getItem('notewright token /')"));
    await opened.api(token, "leave");
    await page.click("text=Vast");
    await page.waitForSelector("text=Your notes are closed");
    await page.waitForSelector("text=Leave this page open");
    const other = await context.newPage();
    await other.goto(await opened.keyed());
    await other.waitForSelector("#search");
    await page.click("text=Take them");
    await typeAtEnd(page, " And more.");
    await page.click(SAVE);
    await page.waitForSelector("pre.source");
    expect(opened.read("Projects/Vast.md")).toBe(`${long}Mine, at length. And more.`);
    await context.close();
  });
};
