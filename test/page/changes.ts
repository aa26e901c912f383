/** What changed, and taking it back: with the mouse and with keys alone, while a real client edits. */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wrongWith } from "./axe.ts";
import type { Ground } from "./ground.ts";
import { openTab, type Opened } from "./opened.ts";

/** The official client, over HTTP. */
const connected = async (opened: Opened, name: string): Promise<Client> => {
  const token = await opened.identity(name);
  const client = new Client({ name, version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${opened.base}mcp`), { requestInit }));
  return client;
};

const NOTE = "Projects/Rain barrel.md";
const TEXT =
  "# Rain barrel\n\nA barrel of 300 litres below the gutter.\n\nThe tap drips.\n\nIt stands in the shade.\n";

export const describeChanges = (ground: Ground): void => {
  test("a client edits while the page is open: its line appears, the diff is right, one click takes it back, and a person's own edit stays", async () => {
    const { browser, opened } = ground;
    const client = await connected(opened, "Claude");
    const edit = (edits: object[]) => client.callTool({ name: "edit_notes", arguments: { edits } });
    await client.callTool({ name: "write_note", arguments: { path: NOTE, text: TEXT } });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.waitForSelector(".revision >> text=Rain barrel");
    expect(await page.getAttribute(".revision >> nth=0 >> .plus", "aria-label")).toBe("18 words added");
    const lines = await page.locator(".revision").count();
    await edit([{ note: NOTE, do: "replace_text", find: "300 litres", text: "500 litres" }]);
    await page.locator(".revision").nth(lines).waitFor();
    await page.click(".revision >> nth=0");
    await page.waitForSelector(".diff");
    expect(await page.textContent("h1")).toBe("Claude edited Rain barrel");
    expect(await page.locator(".diff del").allTextContents()).toEqual(["300"]);
    expect(await page.locator(".diff ins").allTextContents()).toEqual(["500"]);
    opened.write(NOTE, opened.read(NOTE).replace("in the shade", "in the sun"));
    await page.waitForSelector("text=was edited since");
    // Asked for twice, and by a key that is held, it is done once: the line still offers to redo it.
    await page.dblclick("button:text-is('Undo')");
    for (let times = 0; times < 4; times++) await page.keyboard.down("u");
    await page.keyboard.up("u");
    await page.waitForSelector("text=Undone: Rain barrel.");
    await page.waitForSelector("text=There is nothing left of it to undo.");
    await page.keyboard.press("u");
    await page.waitForSelector("text=Undone: Rain barrel.");
    expect(opened.read(NOTE)).toBe(TEXT.replace("in the shade", "in the sun"));
    await page.click("button:text-is('Redo')");
    await page.waitForSelector("text=Redone: Rain barrel.");
    expect(opened.read(NOTE)).toContain("500 litres");
    expect(complaints).toEqual([]);
    await client.close();
    await context.close();
  });

  test("with keys alone: search, walk the hits, open a change, undo it, undo all of a client", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Typist");
    const notes = ["One", "Two"].map((name) => `Typed ${name}.md`);
    for (const path of notes) await opened.call(token, "write_note", { path, text: `Zinnia in ${path}\n` });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.keyboard.type("zinn");
    await page.waitForSelector(".hits >> text=Typed One");
    await expect.poll(() => page.url(), { timeout: 20_000 }).toContain("q=zinn");
    await page.click(".vault");
    await page.waitForSelector("#changed");
    expect(await page.inputValue("#search")).toBe("");
    await page.focus("#search");
    await page.keyboard.type("zinn");
    await page.waitForSelector(".hits >> text=Typed One");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate("document.activeElement.className")).toBe("hit");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await page.waitForSelector("h3 >> text=Typist");
    for (let tabs = 0; tabs < 40 && !(await focused(page)).includes("Undo these"); tabs++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Undo 2 changes in 2 notes");
    await page.goBack();
    await page.waitForSelector("#search");
    await page.goForward();
    await page.waitForSelector("text=Undo 2 changes in 2 notes");
    for (let tabs = 0; tabs < 40 && !(await focused(page)).includes("Undo 2"); tabs++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=Undone: 2 notes.");
    for (const path of notes) expect(() => opened.read(path)).toThrow();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("undo of a group is of that group alone; of all since then, notes that stand in the way can be left as they are", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Grouped");
    const begin = async (name: string): Promise<string> => {
      await opened.call(token, "write_note", { path: `${name}.md`, text: `The first of ${name}.\n` });
      return (await listed(opened)).find(({ notes }) => notes[0]?.path === `${name}.md`)!.id;
    };
    const [one, two] = [await begin("Group one"), await begin("Group two")];
    await begin("Group three");
    const { page, context, complaints } = await openTab(browser, opened);
    await page.waitForSelector("h3 >> text=Grouped");
    await page.goto(`${opened.base}#/undo?author=Grouped&revisions=${two},${one}`);
    await page.waitForSelector("h1 >> text=Undo these changes by Grouped");
    await page.click("text=Undo 2 changes in 2 notes");
    await page.waitForSelector("text=Undone: 2 notes.");
    for (const name of ["Group one", "Group two"]) expect(() => opened.read(`${name}.md`)).toThrow();
    expect(opened.read("Group three.md")).toBe("The first of Group three.\n");
    // What somebody edited since in the same line stands in the way.
    for (const name of ["Group four", "Group five"]) {
      await begin(name);
      opened.write(`${name}.md`, "Somebody else's line.\n");
    }
    const { date } = (await listed(opened)).find(({ notes }) => notes[0]?.path === "Group three.md")!;
    await page.goto(`${opened.base}#/undo?author=Grouped&since=${date}`);
    await page.waitForSelector("h1 >> text=Undo all by Grouped");
    await page.click("text=Leave 2 notes as they are");
    await page.click("text=/^Undo \\d changes? in 1 note$/");
    await page.waitForSelector("text=Undone: Group three.");
    expect(() => opened.read("Group three.md")).toThrow();
    expect(opened.read("Group four.md")).toBe("Somebody else's line.\n");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a change of several notes, one of which was edited since, is undone in the others; what others wrote elsewhere keeps no undo alive", async () => {
    const { browser, opened } = ground;
    const [token, other] = [await opened.identity("Pairing"), await opened.identity("Second hand")];
    const paths = ["Pair one.md", "Pair two.md"];
    for (const path of paths)
      await opened.call(token, "write_note", { path, text: "First.\n\nMiddle.\n\nLast.\n" });
    const edit = (note: string, find: string, text: string) => ({ note, do: "replace_text", find, text });
    await opened.call(token, "edit_notes", { edits: paths.map((path) => edit(path, "First", "Second")) });
    const [{ id }] = (await listed(opened)) as [Listed];
    await opened.call(other, "edit_notes", {
      edits: [edit("Pair one.md", "Second", "Third"), edit("Pair two.md", "Last", "At last")],
    });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.goto(`${opened.base}#/change/${id}`);
    await page.waitForSelector(
      "summary >> text=Pair one cannot be undone: the same lines have been edited since.",
    );
    await page.waitForSelector("button.main >> text=Undo the other note");
    expect(await wrongWith(page)).toEqual([]);
    await page.click("text=Undo the other note");
    await page.waitForSelector("text=Undone: ");
    expect(opened.read("Pair two.md")).toBe("First.\n\nMiddle.\n\nAt last.\n");
    expect(opened.read("Pair one.md")).toBe("Third.\n\nMiddle.\n\nLast.\n");
    await page.waitForSelector("text=Undo the other note", { state: "detached" });
    expect(await page.isDisabled("button.main")).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("Enter waits for the hits of what was typed, and Back leads to them; autosaves stay pending while the page is open", async () => {
    const { browser, opened } = ground;
    const token = await opened.identity("Quick");
    for (const [name, word] of [
      ["Marigold", "marigold"],
      ["Marjoram", "marjoram"],
    ])
      await opened.call(token, "write_note", { path: `${name}.md`, text: `On ${word}.\n` });
    const { page, context, complaints } = await openTab(browser, opened);
    await page.keyboard.type("marigold");
    await page.waitForSelector(".hits >> text=Marigold");
    // Typed and entered at once, while the hits of the other word are still shown.
    await page.fill("#search", "marjoram");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1 >> text=Marjoram");
    await page.goBack();
    await page.waitForSelector(".hits >> text=Marjoram");
    expect(await page.inputValue("#search")).toBe("marjoram");
    await page.fill("#search", "");
    await page.waitForSelector(".revision >> text=Marjoram");
    for (const words of ["first save", "second save"]) {
      opened.write("Marigold.md", `On marigold, ${words}.\n`);
      await expect
        .poll(() => opened.call(token, "search_notes", { query: words }), { timeout: 20_000 })
        .toContain("Marigold");
    }
    await opened.call(token, "write_note", { path: "Mint.md", text: "On mint.\n" });
    await page.waitForSelector(".revision >> text=Mint");
    expect(await page.locator(".revision", { hasText: "edited Marigold" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
};

type Listed = { id: string; date: string; notes: { path: string }[] };
const listed = async (opened: Opened): Promise<Listed[]> => {
  const answer = await opened.api(await opened.token(), "changes");
  return ((await answer.json()) as { revisions: Listed[] }).revisions;
};

const focused = async (page: Page): Promise<string> =>
  String(
    await page.evaluate("document.activeElement?.matches('a, button') && document.activeElement.textContent"),
  );
