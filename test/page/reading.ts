/** How notes and diffs look: what Obsidian's users expect, on a phone too, with names of any length, and in scripts of either direction. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import { PNG } from "./notes.ts";
import { openTab } from "./opened.ts";

const NOTE = "Plants/Reading.md";
const TEXT = `---
due: 2026-12-01
seen: "[[Garlic]]"
---
# Reading

One line
and the next. %%hidden%% See https://a.example/b.

## Tasks

- [ ] outer
  - [/] inner
- [-] dropped

> [!tip]- Folded
> Its words.

![px|120](data:image/png;base64,${PNG})

![[sound.mp3]]

שלום לכולם.

- אחת

## Last

See [[Garlic]].
`;
const NARROW = { viewport: { width: 360, height: 740 } };
/** No blank to break it at. */
const LONG = `Plants/${"Donaudampfschiff".repeat(7)}.md`;

const tooWide = (page: Page): Promise<unknown> =>
  page.evaluate("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)");
/** What an expression gives for the first element that a selector names. */
const of = (page: Page, selector: string, expression: string): Promise<unknown> =>
  page.evaluate(
    `((it) => ${expression})(document.querySelector(${JSON.stringify(selector)}), getComputedStyle)`,
  );

export const describeReading = (ground: Ground): void => {
  test("a note is read as in Obsidian: line breaks, comments, bare links, tasks, folded callouts, widths, either direction", async () => {
    const { browser, opened } = ground;
    opened.write(NOTE, TEXT);
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/${NOTE}`);
    await page.waitForSelector(".reading");
    expect(await page.innerText(".reading p")).toBe("One line\nand the next. See https://a.example/b.");
    const boxes =
      "[...document.querySelectorAll('.box')].map((box) => [box.ariaLabel, box.getBoundingClientRect().x])";
    const [first, second, third] = (await page.evaluate(boxes)) as [string, number][];
    expect([second![0], third![0]]).toEqual(["half done", "dropped"]);
    expect(second![1]).toBeGreaterThan(first![1] + 15);
    expect(await page.isVisible("text=Its words.")).toBe(false);
    await page.focus("summary >> text=Folded");
    await page.keyboard.press("Enter");
    expect(await page.isVisible("text=Its words.")).toBe(true);
    expect(await of(page, ".reading img", "it.width")).toBe(120);
    expect(await page.textContent(".elsewhere")).toContain("Audio sound.mp3");
    const sides = await page.evaluate(
      "[...document.querySelectorAll('.reading > :is(p, ul)')].slice(-3).map((it) => getComputedStyle(it).direction)",
    );
    expect(sides).toEqual(["rtl", "rtl", "ltr"]);
    await page.click(".fields a >> text=Garlic");
    await page.waitForSelector("h1 >> text=Garlic");
    // What links here leads to its line.
    await page.click(".backlinks a >> text=Reading >> nth=-1");
    await page.waitForSelector(".reading .meant >> text=See Garlic.");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("the outline stays beside a long text; on a phone it is folded above it, after what can be done, and so are the fields", async () => {
    const { browser, opened } = ground;
    opened.write("Plants/Tall.md", TEXT.replace("## Last", `${"Words.\n\n".repeat(200)}## Last`));
    const { page, context } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Tall.md`);
    await page.waitForSelector(".outline");
    await page.evaluate("scrollTo(0, 4000)");
    await expect
      .poll(() => of(page, ".outline", "Math.round(it.getBoundingClientRect().y)"))
      .toBeLessThan(200);
    expect(await of(page, ".outline", "it.getBoundingClientRect().y >= 0")).toBe(true);
    await page.setViewportSize(NARROW.viewport);
    await page.waitForSelector(".outline", { state: "hidden" });
    const places = await page.evaluate(
      "['.acts', '.properties', '.outline', '.reading'].map((it) => [...document.querySelectorAll('article *')].indexOf(document.querySelector(it)))",
    );
    expect(places).toEqual((places as number[]).toSorted((one, other) => one - other));
    expect(await page.isVisible(".fields")).toBe(false);
    await page.click("summary >> text=Outline");
    await page.click(".outline a >> text=Last");
    expect(Number(await page.evaluate("scrollY"))).toBeGreaterThan(1000);
    const low = await page.evaluate(
      "[...document.querySelectorAll('.top nav > *')].filter((it) => it.getBoundingClientRect().height < 32).length",
    );
    expect(low).toBe(0);
    await context.close();
  });

  test("names of any length break no layout, and what marks a line is not cut off", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Namer");
    await opened.call(token, "write_note", { path: LONG, text: "Some words.\n" });
    for (const viewport of [NARROW.viewport, { width: 1280, height: 800 }]) {
      const { page, context } = await openTab(browser, opened, { viewport });
      const line = `.revision:has-text("Donaudampf")`;
      await page.waitForSelector(line);
      const right = `Math.round(it.closest('.revision').getBoundingClientRect().right - it.getBoundingClientRect().right)`;
      expect(await of(page, ".revision:has(cite) .words", right)).toBeGreaterThanOrEqual(0);
      const outside = "it.getBoundingClientRect().x - it.closest('.groups > li').getBoundingClientRect().x";
      expect(Number(await of(page, ".groups .revision", outside))).toBeGreaterThanOrEqual(4);
      const wide: Record<string, unknown> = { home: await tooWide(page) };
      await page.click(line);
      await page.waitForSelector(".diff");
      wide["change"] = await tooWide(page);
      for (const screen of ["edit", "note", "history", "links"]) {
        await page.goto(`${opened.base}#/${screen}/${LONG}`);
        await page.waitForSelector("h1");
        wide[screen] = await tooWide(page);
      }
      expect(wide).toEqual({ home: 0, change: 0, edit: 0, note: 0, history: 0, links: 0 });
      await context.close();
    }
  });

  test("a note that is new is read as a note, with one edge; an older version says which it is", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Coder");
    const path = "Plants/Coded.md";
    await opened.call(token, "write_note", {
      path,
      text: "---\ntags: [new, plan]\n---\n# Coded\n\nWords.\n\n```\ncode\n```\n\nMore.\n",
    });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.click(`.revision:has-text("Coded")`);
    await page.waitForSelector(".diff.whole >> text=All of this is new.");
    expect(await page.innerText(".fields")).toContain("new, plan");
    expect(await page.locator(".diff .prose, .diff .lines").count()).toBe(3);
    expect(await of(page, ".diff ins", "getComputedStyle(it).backgroundColor")).toBe("rgba(0, 0, 0, 0)");
    const id = new URL(page.url()).hash.split("/").at(-1)!;
    await page.goto(`${opened.base}#/note/${path}?at=${id}`);
    await page.waitForSelector("text=You are reading the version of today");
    expect(await page.textContent(".page-head")).not.toContain("Changed");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a note that was moved is linked once where it was", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Mover");
    await opened.call(token, "write_note", { path: "Plants/Before.md", text: "Words.\n" });
    await opened.call(token, "move_notes", { moves: [{ from: "Plants/Before.md", to: "Before.md" }] });
    const { page, context } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Before.md`);
    await page.waitForSelector(".refusal a >> text=Before");
    expect(await page.locator(".refusal a").allTextContents()).toEqual(["Before"]);
    await context.close();
  });

  test("typing over fields and headings leaves no style in the text", async () => {
    const { browser, opened } = ground;
    opened.write("Plants/Styled.md", "---\nstatus: open\n---\n# Styled\n\nWords.\n");
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/edit/Plants/Styled.md`);
    await page.waitForSelector(".cm-content");
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    const text = "---\nstatus: done\n---\n# Other\n\nMore words.\n";
    await page.keyboard.insertText(text);
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".reading >> text=More words.");
    expect(opened.read("Plants/Styled.md")).toBe(text);
    expect(complaints).toEqual([]);
    await context.close();
  });
};
