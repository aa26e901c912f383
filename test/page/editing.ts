/** Editing: saved, merged, in conflict, against rules, with the server gone; nothing that was typed is lost. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { openTab, type Opened } from "./opened.ts";

const TEXT = "# Pond\n\nIt is deep.\n\nIt is cold.\n\nIt is green.\n";

export const edit = async (page: Page, opened: Opened, path: string): Promise<void> => {
  await page.goto(`${opened.base}#/edit/${path.split("/").map(encodeURIComponent).join("/")}`);
  await page.waitForSelector(".cm-content");
};
/** Puts the cursor at the end, and types. */
export const typeAtEnd = async (page: Page, text: string): Promise<void> => {
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
};

export const describeEditing = (ground: Ground): void => {
  test("with keys alone: a new note is begun, written with completed links, and saved; its lines stay as they are", async () => {
    const { browser, opened } = ground;
    const { page, context, complaints } = await openTab(browser, opened);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new note");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#name");
    await page.keyboard.type("Projects/Pond");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Beside the [[Rain gar");
    await page.waitForSelector(".cm-tooltip-autocomplete >> text=Rain garden");
    // The list takes no keys in the moment in which it opens.
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await page.keyboard.type(".");
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".reading >> text=Beside the");
    expect(opened.read("Projects/Pond.md")).toBe("# Pond\n\nBeside the [[Rain garden]].");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("headings of a linked note and tags are completed as they are typed; a heading that is begun brings up nothing", async () => {
    const { browser, opened } = ground;
    const headings = "# Beds\n\n## Digging\n\n## Watering the beds\n\n#waterside #water/deep\n";
    opened.write("Projects/Beds.md", headings);
    opened.write("Projects/Completed.md", "");
    const { page, context, complaints } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Completed.md");
    const list = ".cm-tooltip-autocomplete li";
    const take = async (): Promise<string[]> => {
      await page.waitForSelector(list);
      const offered = await page.locator(`${list} .cm-completionLabel`).allTextContents();
      // The list takes no keys in the moment in which it opens.
      await page.waitForTimeout(100);
      await page.keyboard.press("Enter");
      await page.waitForSelector(list, { state: "detached" });
      return offered;
    };
    await page.keyboard.type("#");
    await page.waitForTimeout(400);
    expect(await page.locator(list).count()).toBe(0);
    await page.keyboard.type(" Plan");
    await page.keyboard.press("Enter");
    await page.keyboard.type("See [[Beds#water");
    expect(await take()).toEqual(["Watering the beds"]);
    await page.keyboard.type(" #waters");
    expect(await take()).toEqual(["waterside"]);
    await page.keyboard.type(" (#water/");
    expect(await take()).toEqual(["water/deep"]);
    await page.keyboard.type(")");
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".reading");
    expect(opened.read("Projects/Completed.md")).toBe(
      "# Plan\nSee [[Beds#Watering the beds]] #waterside (#water/deep)",
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("an editor stays where the note cannot be read again, once what was missed is not known any more", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Asked again.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Asked again.md");
    await typeAtEnd(page, "Mine.");
    await page.route("**/api/note", (route) => route.abort());
    await Promise.all([
      page.waitForEvent("requestfailed"),
      page.evaluate(
        `new BroadcastChannel("notewright events /").postMessage({ id: "", event: { kind: "reset" } })`,
      ),
    ]);
    await page.waitForTimeout(100);
    expect(await page.textContent(".cm-content")).toContain("Mine.");
    await page.keyboard.type(" And on.");
    expect(await page.textContent(".cm-content")).toContain("Mine. And on.");
    await context.close();
  });

  test("Ctrl-K in the editor opens the switcher and deletes nothing, on a Mac too", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Keys.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await page.addInitScript('Object.defineProperty(navigator, "platform", { get: () => "MacIntel" })');
    await page.reload();
    await edit(page, opened, "Projects/Keys.md");
    for (const key of ["Control+k", "Meta+k", "Control+Shift+k"]) {
      await page.click(".cm-line >> nth=2");
      await page.keyboard.press("Home");
      await page.keyboard.press(key);
      await page.waitForSelector("dialog");
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
      expect(await page.textContent(".cm-line >> nth=2"), key).toBe("It is deep.");
    }
    await context.close();
  });

  test("what others wrote meanwhile is merged; the same lines are shown side by side, and mine or theirs is taken", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Shared.md", TEXT);
    const { page, context, complaints } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Shared.md");
    await typeAtEnd(page, "Mine at the end.\n");
    opened.write("Projects/Shared.md", TEXT.replace("deep", "very deep"));
    await page.waitForSelector("text=Somebody else changed this note meanwhile");
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=Saved: Shared, merged");
    const merged = `${TEXT.replace("deep", "very deep")}Mine at the end.\n`;
    expect(opened.read("Projects/Shared.md")).toBe(merged);

    await edit(page, opened, "Projects/Shared.md");
    await typeAtEnd(page, "Mine again.\n");
    opened.write("Projects/Shared.md", `${merged}Theirs.\n`);
    await page.waitForSelector("text=Somebody else changed this note meanwhile");
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=Somebody else changed the same lines");
    expect(await page.textContent(".conflicts ins")).toContain("Mine again");
    expect(await page.textContent(".conflicts del")).toContain("Theirs");
    expect(opened.read("Projects/Shared.md")).toBe(`${merged}Theirs.\n`);
    await page.click("text=Edit mine, then save");
    await typeAtEnd(page, "Theirs.\n");
    await page.click("button:text-is('Save')");
    await page.waitForSelector(".reading >> text=Mine again.");
    expect(opened.read("Projects/Shared.md")).toBe(`${merged}Mine again.\nTheirs.\n`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a rule that is broken is shown at its line; nothing is saved until it is kept", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Ruler", "--rights", "admin");
    const rules = {
      frontmatter: {
        required_fields: [{ name: "status", type: "string", allowed_values: ["open", "done"] }],
      },
    };
    const base = {
      base: "works",
      folder: "Works",
      description: "Works in the garden",
      guide: "One note each",
    };
    await opened.call(token, "manage_rules", { do: "add_base", ...base });
    await opened.call(token, "manage_rules", { do: "set_rules", base: "works", folder: "Works", rules });
    await opened.call(token, "write_note", {
      path: "Works/Fence.md",
      text: "---\nstatus: open\n---\nMend it.\n",
    });
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Works/Fence.md");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.type("ish");
    await page.keyboard.press("Control+s");
    await page.waitForSelector("text=it breaks rules of its folder");
    expect(await page.textContent(".cm-lintRange-error")).toBe("status: openish");
    expect(opened.read("Works/Fence.md")).toContain("status: open\n");
    for (let letters = 0; letters < 3; letters++) await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".reading");
    await context.close();
  });

  test("what could not be saved stays on the page and in the browser, and can be taken up again", async () => {
    const { browser, opened } = ground;
    opened.write("Projects/Kept words.md", TEXT);
    const { page, context } = await openTab(browser, opened);
    await edit(page, opened, "Projects/Kept words.md");
    await typeAtEnd(page, "Words that must not go.");
    await page.route("**/api/save", (route) => route.abort());
    await page.click("button:text-is('Save')");
    await page.waitForSelector("text=It is not saved. The server does not answer.");
    expect(await page.textContent(".cm-content")).toContain("Words that must not go.");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.waitForSelector("text=You left words unsaved here");
    await page.unroute("**/api/save");
    await page.click("text=Take them");
    await page.click("button:text-is('Save')");
    await page.waitForSelector(".reading >> text=Words that must not go.");
    expect(opened.read("Projects/Kept words.md")).toBe(`${TEXT}Words that must not go.`);
    await context.close();
  });
};
