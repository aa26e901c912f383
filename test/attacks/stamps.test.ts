/** Attack 59: edits that do not show in a file's size and modification time, and times that change without an edit. */

import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notePath } from "../../src/notebook/paths.ts";
import { openTestFolder, type TestFolder } from "../faults/notebook.ts";

let root: string;
let vault: TestFolder;
const at = (path: string): string => join(root, path);
const note = notePath("note.md");
const LONG_AGO = new Date("2020-02-02T02:02:02Z");
/** The clock of the notebook stands where every file is old, so that no stamp is doubted for being fresh. */
const now = () => new Date(Date.now() + 3_600_000);

beforeEach(async () => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-stamps-")));
  fs.writeFileSync(at("note.md"), "apples\n");
  fs.utimesSync(at("note.md"), LONG_AGO, LONG_AGO);
  vault = await openTestFolder(root, { durability: "fast", now });
});
afterEach(async () => {
  await vault.close();
  fs.rmSync(root, { recursive: true });
});

const found = async (words: string) =>
  (await vault.notebook.find({ words }, { limit: 10, sort: "path" })).notes.map(({ path }) => path);
const revisions = async () => (await vault.notebook.log({ limit: 1000 })).length;
/** As a tool that restores files does, or `touch -r`. */
const restore = (text: string): void => {
  fs.writeFileSync(at("note.md"), text);
  fs.utimesSync(at("note.md"), LONG_AGO, LONG_AGO);
};

describe("attack 59: an edit that keeps size and modification time", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["is found by a comparison of the whole vault", () => vault.notebook.refresh()],
    ["is found by its folder", () => vault.notebook.refreshFolders([""])],
    ["is found by its name", () => vault.notebook.refreshPaths([note])],
  ])("%s, and recorded", async (_, look) => {
    const before = await revisions();
    restore("pears!\n");
    await look();
    expect(await found("pears")).toEqual(["note.md"]);
    expect(await found("apples")).toEqual([]);
    expect(await revisions()).toBe(before + 1);
  });

  test("in a rule file binds at once", async () => {
    const rules = at(".llm_bridges/knowledge_base/kb/meta.md");
    const rule = (subfolder: string) => `---\ndescription: d\nsubfolder: ${subfolder}\n---\n\nr\n`;
    const put = (subfolder: string) => {
      fs.mkdirSync(join(rules, ".."), { recursive: true });
      fs.writeFileSync(rules, rule(subfolder));
      fs.utimesSync(rules, LONG_AGO, LONG_AGO);
    };
    const bases = async () => (await vault.notebook.bases.book()).bases.map(({ subfolder }) => subfolder);
    put("aaa");
    expect(await bases()).toEqual(["aaa"]);
    // A file's times are those of a tick of the kernel.
    await new Promise((resolve) => setTimeout(resolve, 50));
    put("bbb");
    expect(await bases()).toEqual(["bbb"]);
  });
});

describe("a change of times alone", () => {
  test("makes no revision and tells nobody: a backup by hard links, a new mode", async () => {
    const before = await revisions();
    const heard: string[] = [];
    vault.notebook.onChange(({ notes, revisions }) => {
      for (const { path } of notes) heard.push(`${path} changed`);
      for (const { surface } of revisions) heard.push(`recorded: ${surface}`);
    });
    fs.linkSync(at("note.md"), `${root}.backup`);
    await vault.notebook.refresh();
    fs.rmSync(`${root}.backup`);
    fs.chmodSync(at("note.md"), 0o600);
    await vault.notebook.refresh();
    expect(await vault.notebook.refresh()).toBe(0);
    expect(await revisions()).toBe(before);
    expect(heard).toEqual([]);
    restore("pears!\n");
    await vault.notebook.refresh();
    expect(heard).toEqual(["note.md changed", "recorded: outside"]);
  });

  test("does not come from our own writes: their stamps are taken when all is in place", async () => {
    const { notebook } = vault;
    const [a, b, c] = [notePath("a.md"), notePath("b.md"), notePath("folder/c.md")];
    await notebook.write(a, "a [[note]]");
    await notebook.edit([
      { path: a, edits: [(text) => `${text} more`] },
      { path: note, edits: [(text) => `${text} more`] },
    ]);
    await notebook.write(b, "b [[a]]");
    await notebook.move([{ from: a, to: c }], { backlinks: "rewrite" });
    await notebook.remove(note, { trash: true, backlinks: "mark" });
    expect(await notebook.refresh()).toBe(0);
  });
});
