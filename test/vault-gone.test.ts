/** A vault that goes away, comes back, or is another one all of a sudden, while it is served (attacks 60 and 61). */

import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { realCalls } from "../src/disk/calls.ts";
import { openDisk } from "../src/disk/files.ts";
import { serveFolder, type Served } from "./served-folder.ts";

let place: string;
let root: string;
let served: Served;
const at = (path: string): string => join(root, path);
/** Ten times what is promised: two seconds. */
const SOON = { timeout: 20_000, interval: 50 };

const fill = (folder: string, notes: Record<string, string>): void => {
  for (const [path, text] of Object.entries(notes)) {
    fs.mkdirSync(join(folder, path, ".."), { recursive: true });
    fs.writeFileSync(join(folder, path), text);
  }
};
const NOTES = {
  "one.md": "# One\n\napples [[two]]\n",
  "two.md": "# Two\n\npears\n",
  "folder/three.md": "plums\n",
};
const READS: [string, string, object][] = [
  ["native", "read_notes", { notes: ["one.md"] }],
  ["native", "search_notes", { query: "apples" }],
  ["native", "list_notes", {}],
  ["native", "get_links", { notes: ["one.md"] }],
  ["native", "get_history", {}],
  ["native", "check_vault", {}],
  ["obsidian", "read_note", { name: "one" }],
  ["obsidian", "list_notes", {}],
  ["bridges", "list_knowledge_bases", {}],
  ["wiki", "browse", {}],
  ["wiki", "list_tags", {}],
  ["cairn", "cairn_search", { query: "apples" }],
  ["notes", "ListNotes", {}],
];
const WRITES: [string, string, object][] = [
  ["native", "write_note", { path: "new.md", text: "new" }],
  ["obsidian", "append_note", { name: "one", text: "more" }],
  ["obsidian", "delete_note", { name: "one" }],
  ["cairn", "cairn_write", { path: "new", content: "new" }],
];

const found = async (words: string): Promise<string> =>
  (await served.call("native", "search_notes", { query: words })).said;
const history = (folder: string, ...format: string[]): string =>
  execFileSync("git", [`--git-dir=${join(folder, ".notewright/history.git")}`, "log", ...format], {
    encoding: "utf8",
  });
/** Until every note is recorded, as a person who has been at work for a while finds it. */
const recorded = () =>
  expect.poll(async () => (await served.call("native", "get_history", {})).said, SOON).toMatch(/as found/);

beforeEach(async () => {
  place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-gone-")));
  root = join(place, "my vault");
  fill(root, NOTES);
  served = await serveFolder(root, join(place, "cache"));
  await recorded();
});
afterEach(async () => {
  await served.close();
  fs.rmSync(place, { recursive: true, force: true });
});

describe("a vault that is gone", () => {
  test("every call is refused with disk_failed, which names the folder; when it is back, calls are answered", async () => {
    fs.renameSync(root, join(place, "elsewhere"));
    for (const [surface, tool, input] of [...READS, ...WRITES]) {
      const { refused, said } = await served.call(surface, tool, input);
      expect(refused, `${surface} ${tool}: ${said}`).toBe(true);
      expect(said, `${surface} ${tool}`).toContain("my vault");
      expect(said).not.toContain(place);
    }
    expect(fs.existsSync(root)).toBe(false);
    fs.renameSync(join(place, "elsewhere"), root);
    for (const [surface, tool, input] of READS)
      expect((await served.call(surface, tool, input)).refused, `${surface} ${tool}`).toBe(false);
    expect(await found("apples")).toContain("one.md");
    expect(history(root, "--format=%s")).not.toMatch(/Deleted/);
  });

  test("the place of a disk that is not mounted is no empty vault", () => {
    const empty = join(place, "empty");
    fs.mkdirSync(empty);
    // A folder on another disk, as the kernel shows one where nothing is mounted.
    let device = 0n;
    const disk = openDisk(empty, {
      ...realCalls,
      lstat(path) {
        const stats = realCalls.lstat(path);
        return stats && Object.assign(stats, { dev: stats.dev + device });
      },
    });
    expect(disk.present()).toMatch(/^\d+-\d+$/);
    device = 1n;
    expect(() => disk.present()).toThrow("gone");
    fs.writeFileSync(join(empty, "note.md"), "another disk, with notes");
    expect(disk.present()).toMatch(/^\d+-\d+$/);
  });
});

describe("attack 61: another folder in the vault's place", () => {
  test("is noticed by the next call, and its edits by the watcher", async () => {
    const other = join(place, "other");
    fill(other, { "one.md": "# One\n\nquinces\n", "new/four.md": "medlars\n" });
    fs.renameSync(root, join(place, "elsewhere"));
    fs.renameSync(other, root);
    expect(await found("quinces")).toContain("one.md");
    expect(await found("medlars")).toContain("new/four.md");
    expect(await found("pears")).not.toContain("two.md");
    // Watched from its root down: an edit is seen long before the next sweep.
    await expect
      .poll(async () => {
        fs.writeFileSync(at("new/four.md"), "sloes\n");
        return found("sloes");
      }, SOON)
      .toContain("new/four.md");
    // Nobody asked for a change, so nothing of ours is in it.
    expect(fs.existsSync(at(".notewright"))).toBe(false);
    expect(history(join(place, "elsewhere"), "--format=%s")).not.toMatch(/Deleted|outside/);
    expect((await served.call("native", "write_note", { path: "five.md", text: "five" })).refused).toBe(
      false,
    );
    await served.close();
    expect(history(root, "--format=%s", "--name-only")).toMatch(/five\.md[^]*as found[^]*new\/four\.md/);
  });

  test("one that is restored with its history goes on with that", async () => {
    fs.cpSync(root, join(place, "backup"), { recursive: true });
    expect(
      (await served.call("native", "write_note", { path: "late.md", text: "after the backup" })).refused,
    ).toBe(false);
    fs.renameSync(root, join(place, "elsewhere"));
    fs.renameSync(join(place, "backup"), root);
    expect(await found("backup")).not.toContain("late.md");
    expect((await served.call("obsidian", "append_note", { name: "one", text: "on top" })).refused).toBe(
      false,
    );
    await served.close();
    const log = history(root, "--format=%s", "--name-only");
    expect(log).toContain("one.md");
    expect(log).not.toContain("late.md");
    execFileSync("git", [`--git-dir=${at(".notewright/history.git")}`, "fsck", "--full", "--strict"]);
  });
});

describe("attack 60: our folder is deleted under a server", () => {
  test("nothing in the background brings it back; the next change does, and records first what is missing", async () => {
    fs.rmSync(at(".notewright"), { recursive: true });
    fs.writeFileSync(at("two.md"), "# Two\n\ncherries\n");
    fs.rmSync(at("folder/three.md"));
    await expect.poll(() => found("cherries"), SOON).toContain("two.md");
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(fs.existsSync(at(".notewright"))).toBe(false);
    expect((await served.call("native", "write_note", { path: "new.md", text: "new" })).refused).toBe(false);
    const { said } = await served.call("native", "get_history", { limit: 10 });
    expect(said).toMatch(/new\.md[^]*as found/);
    await served.close();
    const git = `--git-dir=${at(".notewright/history.git")}`;
    execFileSync("git", [git, "fsck", "--full", "--strict"]);
    const shown = (note: string, revision: string) =>
      execFileSync("git", [git, "show", `${revision}:${note}`], { encoding: "utf8" });
    expect(shown("new.md", "main")).toBe("new");
    expect(shown("two.md", "main^")).toBe("# Two\n\ncherries\n");
    expect(shown("one.md", "main^")).toBe(NOTES["one.md"]);
    expect(
      execFileSync("git", [git, "ls-tree", "-r", "--name-only", "main^"], { encoding: "utf8" }),
    ).not.toMatch(/new|three/);
  });

  test("nor does the end of the server, and the next start makes it whole", async () => {
    fs.rmSync(at(".notewright"), { recursive: true });
    await served.close();
    expect(fs.existsSync(at(".notewright"))).toBe(false);
    served = await serveFolder(root, join(place, "cache"));
    await recorded();
    expect(history(root, "--format=%s")).toMatch(/Record 3 notes as found/);
  });
});

test("a deletion that was seen just before the end is left to the next start", async () => {
  const before = history(root, "--format=%H");
  const deleted = performance.now();
  fs.rmSync(at("two.md"));
  await expect.poll(() => found("pears"), SOON).not.toContain("two.md");
  await served.close();
  // On a busy machine two seconds may have gone by: then it was recorded, and rightly.
  if (performance.now() - deleted < 2000) expect(history(root, "--format=%H")).toBe(before);
  served = await serveFolder(root, join(place, "cache"));
  await expect.poll(() => history(root, "--format=%s %n", "--name-status"), SOON).toMatch(/^D\ttwo\.md$/m);
});

test("rm -rf of a served vault does not fail because of us, and nothing of it comes back", async () => {
  for (let round = 0; round < 8; round++) {
    const vault = join(place, `vault ${round}`);
    fill(vault, {
      ...NOTES,
      ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at % 7}/${at}.md`, `${at}`])),
    });
    const server = await serveFolder(vault, join(place, `cache ${round}`));
    const said = async () => (await server.call("native", "get_history", {})).said;
    await expect.poll(said, SOON).toMatch(/as found/);
    await server.call("native", "write_note", { path: "new.md", text: "new" });
    fs.writeFileSync(join(vault, "one.md"), "edited\n");
    await new Promise((resolve) => setTimeout(resolve, round * 60));
    const removed = spawnSync("rm", ["-rf", vault], { encoding: "utf8" });
    expect(removed.stderr).toBe("");
    expect(removed.status).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await server.close();
    expect(fs.existsSync(vault)).toBe(false);
  }
});
