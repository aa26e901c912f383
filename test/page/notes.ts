/** A note: rendered, with what links to it; its history, by keys; as it was, and restored. */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab } from "./opened.ts";

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNg+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const NOTE = "Plants/Sampler.md";
const TEXT = `---
status: open
tags: [sampler]
---
# Sampler

See [[Rain garden]], [[Rain garden|the bed]], [[Not there]] and [out](https://example.org). <b>raw</b>[^1]

> [!tip] A tip
> Its words.

- [ ] to do
- [x] done

| a | b |
| - | -: |
| 1 | 2 |

![[pic.png]] ![elsewhere](https://example.org/x.png)

![[Garlic]]

## Second

Words. ^block

## Third

[^1]: The footnote.
`;

/** Counts the addresses of bytes that the page makes and lets go. */
const COUNTED = `window.blobs = { made: 0, gone: 0 };
for (const [name, count] of [["createObjectURL", "made"], ["revokeObjectURL", "gone"]]) {
  const call = URL[name].bind(URL);
  URL[name] = (value) => (blobs[count]++, call(value));
}`;

export const describeNotes = (ground: Ground): void => {
  test("a note is rendered: links, callouts, tasks, tables, footnotes, images and embeds of the vault; HTML is text", async () => {
    const { browser, opened } = ground;
    opened.write(NOTE, TEXT);
    writeFileSync(join(opened.home.vault, "pic.png"), Buffer.from(PNG, "base64"));
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Sampler.md`);
    await page.waitForSelector(".embed.filled");
    const links = await page.evaluate(
      "[...document.querySelectorAll('.reading p a')].slice(0, 4).map((a) => a.className + ' ' + a.getAttribute('href') + ' ' + (a.rel ?? ''))",
    );
    expect(links).toEqual([
      "inward #/note/Projects/Rain%20garden.md ",
      "inward #/note/Projects/Rain%20garden.md ",
      "missing #/new/Not%20there.md ",
      "outward https://example.org noreferrer noopener",
    ]);
    expect(await page.textContent(".reading")).toContain("<b>raw</b>");
    expect(await page.textContent(".callout-title")).toBe("A tip");
    expect(
      await page.evaluate("[...document.querySelectorAll('.task .box')].map((box) => box.ariaLabel)"),
    ).toEqual(["open", "done"]);
    expect(await page.getAttribute(".reading td >> nth=1", "class")).toBe("right");
    expect(await page.textContent(".footnotes li")).toContain("The footnote.");
    expect(await page.textContent(".embed")).toContain("Forty cloves");
    expect(await page.evaluate("document.querySelector('.reading img').naturalWidth")).toBe(1);
    expect(await page.locator(".reading img").count()).toBe(1);
    expect(await page.locator(".outline a").allTextContents()).toEqual(["Second", "Third"]);
    expect(await page.textContent(".fields")).toContain("status");
    await page.click(".reading a >> text=the bed");
    await page.waitForSelector("h1 >> text=Rain garden");
    await page.waitForSelector(".backlinks >> text=Sampler");
    await page.goBack();
    await page.waitForSelector("h1 >> text=Sampler");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("the links of a note are drawn, and listed beside it", async () => {
    const { browser, opened } = ground;
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Projects/Rain%20garden.md`);
    await page.waitForSelector(".reading");
    await page.keyboard.press("l");
    await page.waitForSelector("canvas.graph");
    await page.waitForSelector("h2 >> text=It links to");
    expect(await page.textContent(".lists")).toContain("Mara Lindt");
    expect(await page.locator(".lists h2").allTextContents()).toContain("Linked from");
    // Read from a copy: the browser complains where the canvas itself is read again and again.
    const drawn = `(() => {
      const copy = new OffscreenCanvas(600, 400).getContext("2d", { willReadFrequently: true });
      copy.drawImage(document.querySelector("canvas.graph"), 0, 0);
      return new Set(copy.getImageData(0, 0, 600, 400).data).size > 3;
    })()`;
    await expect.poll(() => page.evaluate(drawn), { timeout: 20_000 }).toBe(true);
    // The pointer goes over all of the drawing, and each note that it meets says its name.
    const met = `(() => {
      const canvas = document.querySelector("canvas.graph");
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const names = new Set();
      for (let x = 0; x < width; x += 4)
        for (let y = 0; y < height; y += 4) {
          canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + y }));
          names.add(canvas.title);
        }
      return [...names];
    })()`;
    await expect
      .poll(() => page.evaluate(met), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(["Rain garden", "Mara Lindt", ""]));
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a glance at the note that a link leads to: while the pointer rests on it and with keys; Escape closes it, nothing outside is asked for", async () => {
    const { browser, opened } = ground;
    opened.write(
      "Plants/Glances.md",
      `See [[Garlic]], [[Long#Later]], [[Not there]] and [out](https://example.org).\n`,
    );
    opened.write(
      "Plants/Long.md",
      `${"Words. ".repeat(20_000)}\n\n## Later\n\n![[pic.png]] A [[Garlic|link]] and more.\n`,
    );
    const { page, context, complaints } = await openTab(browser, opened);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${opened.base}#/note/Plants/Glances.md`);
    await page.hover(".reading a >> text=Garlic");
    await page.waitForSelector(".glance >> text=Forty cloves");
    expect(await page.getAttribute(".reading a >> text=Garlic", "aria-describedby")).toBe("glance");
    expect(await wrongWith(page)).toEqual([]);
    await page.hover(".glance .title");
    await page.waitForTimeout(400);
    expect(await page.locator(".glance").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".glance", { state: "detached" });
    await page.locator(".reading a >> text=Garlic").focus();
    await page.keyboard.press("Tab");
    await page.waitForSelector(".glance >> text=A link and more.");
    expect(await page.locator(".glance a, .glance img").count()).toBe(0);
    await page.keyboard.press("Tab");
    await page.waitForSelector(".glance", { state: "detached" });
    for (const words of ["Not there", "out"]) {
      await page.hover(`.reading a >> text=${words}`);
      await page.waitForTimeout(500);
      expect(await page.locator(".glance").count(), words).toBe(0);
    }
    expect(asked.filter((url) => !url.startsWith(opened.base))).toEqual([]);
    const long = await opened.api(await opened.token(), "preview", { path: "Plants/Long.md" });
    expect((await long.text()).length).toBeLessThan(2000);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a link leads to its note once that is made, and nowhere once it is gone; an embedded block is that block", async () => {
    const { browser, opened } = ground;
    opened.write(
      "Plants/Blocks.md",
      "# Blocks\n\nA first word.\n\nThe very block. ^here\n\n- an item ^item\n  - in it\n",
    );
    opened.write(
      "Plants/Linking.md",
      "See [[Made later]].\n\n![[Blocks#^here]]\n\n![[Blocks#^item]]\n\n![[Blocks#^gone]]\n",
    );
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Linking.md`);
    await page.waitForSelector(".reading a.missing >> text=Made later");
    await page.waitForSelector(".embed.filled >> nth=1");
    expect((await page.textContent(".embed >> nth=0"))!.trim()).toBe("The very block.");
    expect((await page.textContent(".embed >> nth=1"))!.split(/\s*\n\s*/).join(" ")).toMatch(/an item in it/);
    await page.waitForSelector(".embed.missing >> text=Blocks#^gone");
    opened.write("Plants/Made later.md", "It is here.\n");
    await page.waitForSelector(".reading a.inward >> text=Made later");
    rmSync(join(opened.home.vault, "Plants/Made later.md"));
    await page.waitForSelector(".reading a.missing >> text=Made later");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("the bytes of an image are let go: once it is drawn, where it cannot be, and where nobody waits for it any more", async () => {
    const { browser, opened } = ground;
    const whole = Buffer.from(PNG, "base64");
    writeFileSync(join(opened.home.vault, "let go.png"), whole);
    writeFileSync(join(opened.home.vault, "torn.png"), whole.subarray(0, 40));
    opened.write("Plants/Pictures.md", "![[let go.png]] ![[torn.png]]\n");
    opened.write("Plants/Late picture.md", "![[let go.png]]\n");
    const { page, context } = await openTab(browser, opened);
    await page.addInitScript(COUNTED);
    await page.reload();
    await page.goto(`${opened.base}#/note/Plants/Pictures.md`);
    await page.waitForSelector(".missing >> text=No image torn.png");
    await expect.poll(() => page.evaluate("blobs")).toEqual({ made: 2, gone: 2 });
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    await page.route("**/api/image?**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${opened.base}#/note/Plants/Late%20picture.md`);
    await page.waitForSelector(".reading img");
    await page.goto(`${opened.base}#/help`);
    await page.waitForSelector("caption >> text=Keys");
    release();
    await expect.poll(() => page.evaluate("blobs")).toEqual({ made: 3, gone: 3 });
    await context.close();
  });

  test("an image that is none, an SVG, and a file outside are not served", async () => {
    const { opened } = ground;
    writeFileSync(join(opened.home.vault, "fake.png"), "<svg onload=alert(1)>");
    writeFileSync(join(opened.home.vault, "real.svg"), "<svg/>");
    writeFileSync(join(opened.home.folder, "outside.png"), Buffer.from(PNG, "base64"));
    const token = await opened.token();
    const asked = (name: string) =>
      fetch(`${opened.base}api/image?${new URLSearchParams({ name, note: "a.md" })}`, {
        headers: { authorization: `Bearer ${token}` },
      }).then(({ status }) => status);
    expect(await asked("pic.png")).toBe(200);
    for (const name of [
      "fake.png",
      "real.svg",
      "../outside.png",
      "/etc/passwd",
      ".obsidian/x.png",
      "Start here.md",
      "",
    ])
      expect(await asked(name), name).toBe(404);
  });

  test("the history of a note with keys alone: older and newer, as it was, restored, and redone", async () => {
    const { browser, opened } = ground;
    const path = "Plants/Kept.md";
    const token = await opened.identity("Keeper");
    await opened.call(token, "write_note", { path, text: "First words.\n" });
    await opened.call(token, "edit_notes", {
      edits: [{ note: path, do: "replace_text", find: "First", text: "Second" }],
    });
    await opened.call(token, "edit_notes", {
      edits: [{ note: path, do: "replace_text", find: "words", text: "thoughts" }],
    });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/note/Plants/Kept.md`);
    await page.waitForSelector("h1 >> text=Kept");
    await page.keyboard.press("h");
    await page.waitForSelector(".versions");
    await page.waitForSelector(".diff ins >> text=thoughts");
    await page.keyboard.press("[");
    await page.waitForSelector(".diff ins >> text=Second");
    await page.keyboard.press("[");
    await page.waitForSelector(".diff ins >> text=First words.");
    await page.keyboard.press("]");
    await page.waitForSelector(".diff ins >> text=Second");
    // What comes above moves the list, and not what is looked at: it is that version that would be restored.
    await page.waitForSelector(".version >> nth=2");
    await opened.call(token, "edit_notes", { edits: [{ note: path, do: "append", text: "A third line." }] });
    await page.waitForSelector(".version >> nth=3");
    expect(await page.getAttribute(".version >> nth=2", "aria-pressed")).toBe("true");
    expect(await page.textContent(".diff ins")).toBe("Second");
    await page.keyboard.press("]");
    await page.waitForSelector(".diff ins >> text=thoughts");
    await page.keyboard.press("[");
    await page.waitForSelector(".diff ins >> text=Second");
    await page.click("text=The note as it was then");
    await page.waitForSelector(".reading >> text=Second words.");
    await page.click("button:text-is('Restore this')");
    await page.waitForSelector("text=Set back: Kept.");
    await page.waitForSelector(".reading >> text=Second words.");
    expect(opened.read(path)).toBe("Second words.\n");
    await page.click("button:text-is('Redo')");
    await page.waitForSelector(".reading >> text=Second thoughts.");
    expect(complaints).toEqual([]);
    await context.close();
  });
};
