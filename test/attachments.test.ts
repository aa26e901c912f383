import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDisk } from "../src/disk/files.ts";
import { openGit } from "../src/history/git.ts";
import { openLedger } from "../src/index/ledger.ts";
import { openIndex } from "../src/index/note-index.ts";
import { append } from "../src/markdown/edits.ts";
import { isNote, linkedPath, notePath } from "../src/notebook/paths.ts";
import type { FolderMove, Move } from "../src/notebook/plan.ts";
import { periodNote } from "../src/notebook/settings/periodic-notes.ts";
import { openSql } from "../src/sqlite/node.ts";
import { EMPTY_FOLDERS, FILES, linksOf, SETTINGS, snapshot } from "./attachments.ts";
import { conflictsOf, expectIndexRight, openHistory, type HistoryVault } from "./history-vault.ts";

let vault: HistoryVault;
beforeEach(async () => {
  vault = await openHistory(FILES);
  for (const folder of EMPTY_FOLDERS) mkdirSync(join(vault.root, folder), { recursive: true });
  await vault.notebook.refresh();
});
afterEach(async () => {
  expect(vault.logged).toEqual([]);
  await vault.settled();
  execFileSync("git", ["-C", join(vault.root, ".notewright/history.git"), "fsck", "--full", "--strict"], {
    stdio: "pipe",
  });
  await vault.close();
});

const file = (from: string, to: string): Move => ({ from: linkedPath(from), to: linkedPath(to) });
const folder = (from: string, to: string): FolderMove => ({ folder: from, to });
const put = (path: string, bytes: string): void => writeFileSync(join(vault.root, path), bytes);

/** Where each link led before, under the names that its files have now. */
function expectSameLinks(before: ReturnType<typeof linksOf>, moved: (path: string) => string): void {
  const told = (links: ReturnType<typeof linksOf>, name: (path: string) => string) =>
    links
      .map(({ source, leadsTo }) => `${name(source)} → ${leadsTo === null ? null : name(leadsTo)}`)
      .toSorted();
  expect(told(linksOf(vault.root), (path) => path)).toEqual(told(before, moved));
}

const MOVES: Record<string, [(Move | FolderMove)[], (path: string) => string]> = {
  "a note with relative links": [
    [file("Area/sub/Deep.md", "other/deeper/Deep.md")],
    (path) => path.replace("Area/sub/Deep.md", "other/deeper/Deep.md"),
  ],
  "an image, to another folder": [
    [file("Area/img/one.png", "media/one.png")],
    (path) => path.replace("Area/img/one.png", "media/one.png"),
  ],
  "an image, to another name": [
    [file("shared/two.png", "shared/three (3).png")],
    (path) => path.replace("shared/two.png", "shared/three (3).png"),
  ],
  "a note that every notation leads to": [
    [file("Area/Plan.md", "other/New plan (2).md")],
    (path) => path.replace("Area/Plan.md", "other/New plan (2).md"),
  ],
  "a note with every notation, to another name": [
    [file("Area/Mixed.md", "other/Mixed up.md")],
    (path) => path.replace("Area/Mixed.md", "other/Mixed up.md"),
  ],
  "a note that is called like a canvas": [
    [file("Area/plan.canvas.md", "Scheme.md")],
    (path) => path.replace("Area/plan.canvas.md", "Scheme.md"),
  ],
  "a note whose name is decomposed": [
    [file("Cafe\u0301.md", "Area/Tea.md")],
    (path) => path.replace("Cafe\u0301.md", "Area/Tea.md"),
  ],
  "a table": [[file("Area/table.csv", "t.csv")], (path) => path.replace("Area/table.csv", "t.csv")],
  "a folder with everything in it": [
    [folder("Area", "Archive/2026/Area")],
    (path) => path.replace(/^Area\//, "Archive/2026/Area/"),
  ],
  "a folder into one that is there": [
    [folder("Area/docs", "other")],
    (path) => path.replace(/^Area\/docs\//, "other/"),
  ],
  "notes, files and folders at once": [
    [folder("shared", "s"), file("Area/img/one.png", "other/pic.png"), file("Home.md", "Start.md")],
    (path) =>
      path
        .replace(/^shared\//, "s/")
        .replace("Area/img/one.png", "other/pic.png")
        .replace("Home.md", "Start.md"),
  ],
};

describe("no link is broken by moving, and undo gives every byte back:", () => {
  test.each(Object.keys(MOVES))("%s", async (name) => {
    const [moves, moved] = MOVES[name]!;
    const before = snapshot(vault.root);
    const links = linksOf(vault.root);
    await vault.as("bot").move(moves);
    const files = (all: Iterable<string>) => [...all].filter((path) => !path.endsWith("/")).toSorted();
    expect(files(snapshot(vault.root).keys())).toEqual(files([...before.keys()].map(moved)));
    expectSameLinks(links, moved);
    await expectIndexRight(vault);
    const after = snapshot(vault.root);
    await vault.undoAll("bot");
    expect(snapshot(vault.root)).toEqual(before);
    await expectIndexRight(vault);
    const [undo] = await vault.notebook.log({ limit: 1 });
    await vault.as("me").undo([undo!]);
    expect(snapshot(vault.root)).toEqual(after);
  });
});

test("every operation on the vault, one after another, is taken back to the byte by one undo", async () => {
  for (const [path, text] of Object.entries(SETTINGS)) {
    mkdirSync(dirname(join(vault.root, path)), { recursive: true });
    put(path, text);
  }
  await vault.notebook.refresh();
  const before = snapshot(vault.root);
  const settings = () => Object.keys(SETTINGS).map((path) => readFileSync(join(vault.root, path), "utf8"));
  const bot = () => vault.as("bot");
  for (const period of ["day", "week"] as const) {
    const note = await periodNote(bot(), period, "2026-03-02");
    await bot().edit([
      { path: note.path, edits: [append("- [ ] milk", "line")], orCreate: await note.begun() },
    ]);
  }
  await bot().write(notePath("Area/New.md"), "[[Plan]] ![](img/one.png)\n", { expect: "absent" });
  await bot().move([file("Area/New.md", "other/New.md"), file("Area/img/one.png", "pics/uno.png")]);
  await bot().move([folder("Area", "Archive/Area"), folder("shared", "Archive/shared")]);
  await bot().remove(linkedPath("pics/uno.png"), { trash: true, backlinks: "mark" });
  await bot().remove(notePath("Archive/Area/Plan.md"), { trash: true, backlinks: "mark" });
  await bot().move([file("Archive/Area/Mixed.md", "Mixed.md")]);
  await bot().remove({ folder: "Archive" }, { trash: true, backlinks: "mark" });
  await bot().remove(notePath("Home.md"), { backlinks: "leave" });
  await expectIndexRight(vault);
  expect(settings()).toEqual(Object.values(SETTINGS));
  await vault.undoAll("bot");
  expect(snapshot(vault.root)).toEqual(before);
  expect(settings()).toEqual(Object.values(SETTINGS));
  await expectIndexRight(vault);
});

describe("a folder that moves", () => {
  test("is not left behind with what file managers put there", async () => {
    for (const name of [".DS_Store", "sub/Thumbs.db", "img/desktop.ini"]) put(`Area/${name}`, "x");
    await vault.as("bot").move([folder("Area", "New")]);
    expect(existsSync(join(vault.root, "Area"))).toBe(false);
    expect(existsSync(join(vault.root, "New/empty/inner"))).toBe(true);
  });

  test.each<[string, () => void, string]>([
    [
      "a symbolic link",
      () => symlinkSync("/etc/hosts", join(vault.root, "Area/sub/link.png")),
      "Area/sub/link.png",
    ],
    ["a hidden folder", () => mkdirSync(join(vault.root, "Area/.secret")), "Area/.secret"],
    ["a hidden file", () => put("Area/.env", "x"), "Area/.env"],
    ["a pipe", () => execFileSync("mkfifo", [join(vault.root, "Area/pipe")]), "Area/pipe"],
  ])("is refused by the name of %s in it", async (_, make, path) => {
    make();
    const before = [...snapshot(vault.root).keys()].filter((name) => name !== "Area/pipe" && name !== path);
    for (const refusing of [
      vault.as("bot").move([folder("Area", "New")]),
      vault.as("bot").remove({ folder: "Area" }, { trash: true }),
    ])
      await expect(refusing).rejects.toMatchObject({ code: "path_refused", details: { path } });
    expect([...snapshot(vault.root).keys()].filter((name) => name !== path)).toEqual(before);
  });

  test("into itself, to a place that is taken, or from nowhere is refused", async () => {
    await expect(vault.as("bot").move([folder("Area", "Area/sub/x")])).rejects.toMatchObject({
      code: "input_refused",
    });
    await expect(vault.as("bot").move([folder("nowhere", "x")])).rejects.toMatchObject({
      code: "note_missing",
    });
    mkdirSync(join(vault.root, "taken"));
    put("taken/Plan.md", "mine\n");
    await vault.notebook.refresh();
    await expect(vault.as("bot").move([folder("Area", "taken")])).rejects.toMatchObject({
      code: "note_exists",
    });
    expect(readFileSync(join(vault.root, "taken/Plan.md"), "utf8")).toBe("mine\n");
  });

  test("or a file, as a dry run, changes nothing and tells all", async () => {
    const before = snapshot(vault.root);
    const set = await vault.as("bot").move([folder("Area", "New")], { dryRun: true });
    expect(set.changes.filter(({ why }) => why === "asked").map(({ path }) => path as string)).toEqual([
      "New/Mixed.md",
      "New/Plan.md",
      "New/plan.canvas.md",
      "New/sub/Deep.md",
      "New/board.canvas",
      "New/draw (1).svg",
      "New/sound.mp3",
      "New/table.csv",
      "New/docs/a b.pdf",
      "New/img/one.png",
      "New/sub/data",
    ]);
    expect(set.mayRefer).toEqual(["broken.canvas", "New/Mixed.md", "Query.md", "Views.base"]);
    expect(snapshot(vault.root)).toEqual(before);
  });
});

describe("a canvas", () => {
  const text = (path: string): string => readFileSync(join(vault.root, path), "utf8");
  const shows = async (path: string): Promise<string[]> =>
    (await vault.notebook.links({ inCanvases: notePath(path) })).map(({ source }) => source);

  test("counts as a link, also once it was changed by us or by another program", async () => {
    expect(await shows("Area/Plan.md")).toEqual([
      "Area/board.canvas",
      "Area/board.canvas",
      "outside.canvas",
      "outside.canvas",
    ]);
    await vault.as("bot").move([file("Area/Plan.md", "Area/Scheme.md")]);
    expect(await shows("Area/Scheme.md")).toHaveLength(4);
    put("outside.canvas", '{"nodes":[{"file":"Home.md"}]}');
    await vault.notebook.refresh();
    expect(await shows("Area/Scheme.md")).toEqual(["Area/board.canvas", "Area/board.canvas"]);
    expect(await shows("Home.md")).toEqual(["outside.canvas"]);
    await expectIndexRight(vault);
  });

  test("is marked where what it shows is deleted, and is as it was after an undo", async () => {
    const before = snapshot(vault.root);
    const { backlinkers, mayRefer } = await vault
      .as("bot")
      .remove(notePath("Area/Plan.md"), { trash: true, backlinks: "mark" });
    expect(mayRefer).toEqual(["broken.canvas"]);
    expect(backlinkers.filter(({ path }) => !isNote(path))).toEqual([
      { path: "Area/board.canvas", links: 2, rewritten: true },
      { path: "outside.canvas", links: 2, rewritten: true },
    ]);
    expect(text("Area/board.canvas")).toContain('"file":"Area/Plan (deleted).md","subpath":"#Goals"');
    expect(text("outside.canvas")).toContain("[[Plan (deleted)]] [[Plan (deleted)|p]]");
    await vault.as("bot").remove(linkedPath("Area/docs/a b.pdf"), { trash: true, backlinks: "mark" });
    expect(text("outside.canvas")).toContain('"file":"Area/docs/a b.pdf (deleted)"');
    await expectIndexRight(vault);
    await vault.undoAll("bot");
    expect(snapshot(vault.root)).toEqual(before);
    await expectIndexRight(vault);
  });

  test("that was drawn since a move follows when the move is undone", async () => {
    await vault.as("bot").move([file("Area/Plan.md", "Area/Scheme.md")]);
    put("new.canvas", '{"nodes":[{"file":"Area/Scheme.md"},{"text":"[[Scheme]]"}]}');
    await vault.notebook.refresh();
    await vault.undoAll("bot");
    expect(text("new.canvas")).toBe('{"nodes":[{"file":"Area/Plan.md"},{"text":"[[Plan]]"}]}');
    await expectIndexRight(vault);
  });

  test("that cannot be read is told by check; a note that one shows is no orphan", async () => {
    put("Drawn.md", "alone");
    put("large.canvas", `{"nodes":[{"file":"Drawn.md"}],"x":"${"x".repeat(8 * 1024 * 1024)}"}`);
    put("new.canvas", '{"nodes":[{"file":"Drawn.md"},{"file":"None.md"}]}');
    await vault.notebook.refresh();
    const { groups } = await vault.notebook.survey();
    const told = (name: string) =>
      groups
        .find((group) => group.name === name)!
        .findings.map(({ path, detail }) => `${path} ${detail}`.trim());
    expect(told("odd_canvases")).toEqual(["broken.canvas", "large.canvas"]);
    expect(told("orphans")).toEqual(["Query.md", "other/Note.md"]);
    expect(told("broken_links")).toEqual([
      "Area/Mixed.md line 15: #Own heading (a missing heading)",
      "new.canvas line 1: /None.md (a missing note)",
    ]);
  });
});

describe("a file", () => {
  test("that is there is not recorded as deleted where the history is caught up; one that is gone is", async () => {
    await vault.notebook.move([
      file("Area/img/one.png", "media/one.png"),
      file("shared/two.png", "media/two.png"),
    ]);
    await vault.settled();
    rmSync(join(vault.root, "media/two.png"));
    const sql = await openSql(":memory:");
    openIndex(sql);
    const { now, store } = vault.parts;
    const how = { ledger: openLedger(sql), durability: "fast", outsideAuthor: "someone", now } as const;
    const git = openGit(openDisk(vault.root), { ...how, alone: store.alone });
    const made = await git.catchUp(store, now());
    await git.close();
    expect(made!.changes.map(({ path, version }) => [path, version])).toEqual([["media/two.png", null]]);
  });

  test("keeps its kind, takes nobody's place, and is refused where there is none", async () => {
    const move = (from: string, to: string) => vault.as("bot").move([file(from, to)]);
    await expect(move("shared/two.png", "shared/two.md")).rejects.toMatchObject({ code: "path_refused" });
    await expect(move("shared/two.png", "other/one.png")).rejects.toMatchObject({ code: "note_exists" });
    await expect(move("nothing.png", "x.png")).rejects.toMatchObject({ code: "note_missing" });
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "an image",
      () => vault.as("bot").remove(linkedPath("Area/img/one.png"), { trash: true, backlinks: "mark" }),
    ],
    ["a whole folder", () => vault.as("bot").remove({ folder: "Area" }, { trash: true })],
    [
      "a whole folder, links marked",
      () => vault.as("bot").remove({ folder: "Area" }, { trash: true, backlinks: "mark" }),
    ],
  ])("%s is deleted to the trash, and comes back", async (_, remove) => {
    const before = snapshot(vault.root);
    await remove();
    expect(existsSync(join(vault.root, "Area/img/one.png"))).toBe(false);
    expect(snapshot(vault.root)).not.toEqual(before);
    await expectIndexRight(vault);
    await vault.undoAll("bot");
    expect(snapshot(vault.root)).toEqual(before);
    await expectIndexRight(vault);
  });

  test("a folder keeps its shape in the trash, also beside another of its name", async () => {
    await vault.as("bot").remove({ folder: "other" }, { trash: true });
    await vault.as("bot").move([folder("shared", "other")]);
    const { trash } = await vault.as("bot").remove({ folder: "other" }, { trash: true });
    expect(trash).toBe(".trash/other (2)");
    for (const path of ["other/one.png", "other/Note.md", "other (2)/two.png"])
      expect(existsSync(join(vault.root, ".trash", path)), path).toBe(true);
  });

  test("whose bytes are gone from the trash, or have changed since, stops an undo by its name", async () => {
    await vault.as("bot").remove(linkedPath("unused.zip"), { trash: true });
    rmSync(join(vault.root, ".trash/unused.zip"));
    expect(await conflictsOf(vault.undoAll("bot"))).toMatchObject([
      { path: "unused.zip", reason: "its bytes are no longer in the trash" },
    ]);
    await vault.as("other bot").move([file("shared/two.png", "moved.png")]);
    put("moved.png", "something else");
    expect(await conflictsOf(vault.undoAll("other bot"))).toMatchObject([
      { path: "moved.png", reason: "its bytes have changed since" },
    ]);
    expect(readFileSync(join(vault.root, "moved.png"), "utf8")).toBe("something else");
  });

  test("is in the history as size and SHA-256, and never with its bytes", async () => {
    put("unused.zip", "SECRETBYTES".repeat(1000));
    await vault.as("bot").move([file("unused.zip", "z.zip")]);
    await vault.as("bot").remove(linkedPath("z.zip"), { trash: true });
    await vault.settled();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", join(vault.root, ".notewright/history.git"), ...args]).toString();
    expect(git("show", "HEAD~1:z.zip")).toMatch(
      /^version https:\/\/git-lfs.*\noid sha256:[0-9a-f]{64}\nsize 11000\n$/,
    );
    const all = git("cat-file", "--batch-all-objects", "--batch-check");
    for (const line of all.trim().split("\n")) {
      const [id, kind] = line.split(" ");
      if (kind === "blob") expect(git("cat-file", "blob", id!)).not.toContain("SECRETBYTES");
    }
  });
});
