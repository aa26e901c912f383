/** Attacks on `.notewright` itself: who may read it, and what stands in its place or in it. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HISTORY } from "../../src/history/git.ts";
import { scribe } from "../../src/notebook/suites/scribe.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { lockOpener } from "../../src/sqlite/node.ts";
import { openFolder } from "../../src/stores/folder.ts";
import { openTestFolder, type TestFolder } from "../faults/notebook.ts";
import { callTool, type Call } from "../faults/point.ts";
import { openAt, planted } from "../planted-history.ts";

let place: string;
let root: string;
const opened: TestFolder[] = [];

beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-own-")));
  root = join(place, "vault");
  fs.mkdirSync(root);
  fs.writeFileSync(join(root, "secret.md"), "a secret\n", { mode: 0o600 });
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.die();
  fs.rmSync(place, { recursive: true });
});

async function open(): Promise<TestFolder> {
  const vault = await openTestFolder(root, { durability: "fast" });
  opened.push(vault);
  return vault;
}

const at = (path: string): string => join(root, path);
const modeOf = (path: string): number => fs.lstatSync(path).mode & 0o777;
/** What of a folder somebody else could read, if its own folder let them. */
const readable = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (modeOf(path) & 0o077) !== 0);

describe("attack 51: a note that only its owner may read is not read through our own folder", () => {
  const change = async (vault: TestFolder): Promise<void> => {
    await vault.notebook.edit([{ path: notePath("secret.md"), edits: [(text) => `${text}more\n`] }]);
    await vault.notebook.write(notePath("new.md"), "new");
    await vault.notebook.move([{ from: notePath("new.md"), to: notePath("folder/new.md") }], {
      backlinks: "rewrite",
    });
  };

  test("what is made in it is closed to others; notes keep their modes", async () => {
    const vault = await open();
    await change(vault);
    await vault.close();
    expect(modeOf(at(".notewright"))).toBe(0o700);
    expect(readable(at(".notewright")).filter((path) => !/\/(?:guard|tmp)\//.test(path))).toEqual([]);
    expect(modeOf(at("secret.md"))).toBe(0o600);
    expect(modeOf(at("folder/new.md"))).toBe(0o666 & ~process.umask());
  });

  test("so is what the git program writes", async () => {
    const it = await planted();
    const history = openAt(it.root, it.ledger);
    await scribe(history).write("Ada", "more.md", "more to pack");
    await history.tidy();
    await history.close();
    expect(fs.readdirSync(it.at("objects/pack")).join()).toMatch(/pack-[0-9a-f]{40}\.pack/);
    expect(readable(it.at("."))).toEqual([]);
  });

  test("one that an earlier version left open is closed, but for what is no file of ours alone", async () => {
    await change(await open());
    await opened.pop()!.close();
    const outside = join(place, "outside.txt");
    fs.writeFileSync(outside, "not ours", { mode: 0o644 });
    execFileSync("chmod", ["-R", "u=rwX,go=rX", at(".notewright")]);
    fs.linkSync(outside, at(".notewright/second name"));
    fs.symlinkSync(outside, at(".notewright/link"));
    await (await open()).close();
    expect(modeOf(at(".notewright"))).toBe(0o700);
    // However often the first ones were ended before they had closed all of it.
    await expect.poll(async () => (await open()) && readable(at(HISTORY)), { timeout: 10_000 }).toEqual([]);
    expect(modeOf(outside)).toBe(0o644);
    // A note that only took another name there has the mode of a note.
    expect(modeOf(at("folder/new.md"))).toBe(0o666 & ~process.umask());
  });

  test("a server that may only read changes nothing", async () => {
    await change(await open());
    await opened.pop()!.close();
    fs.chmodSync(at(".notewright"), 0o755);
    const store = await openFolder(root, { openLock: await lockOpener(), readOnly: true });
    await store.close();
    expect(modeOf(at(".notewright"))).toBe(0o755);
  });
});

describe("attack 54: a pack that is a link to another repository's is neither read nor copied into the vault", () => {
  /** Another repository of the same user, with one object in a pack. */
  function packOutside(): { folder: string; name: string; id: string } {
    const folder = join(place, "other.git");
    const text = join(place, "outside.txt");
    fs.writeFileSync(text, "a text outside the vault");
    execFileSync("git", ["init", "-q", "--bare", folder]);
    const git = (args: string[], input?: string) =>
      execFileSync("git", [`--git-dir=${folder}`, ...args], {
        encoding: "utf8",
        ...(input ? { input } : {}),
      }).trim();
    const id = git(["hash-object", "-w", text]);
    const name = git(["pack-objects", "-q", `${folder}/objects/pack/pack`], `${id}\n`);
    return { folder: `${folder}/objects/pack`, name: `pack-${name}`, id };
  }
  const plant = (links: ("pack" | "idx")[]) => async () => {
    const it = await planted();
    const other = packOutside();
    for (const ending of ["pack", "idx"] as const) {
      const [from, to] = [
        `${other.folder}/${other.name}.${ending}`,
        it.at(`objects/pack/${other.name}.${ending}`),
      ];
      if (links.includes(ending)) fs.symlinkSync(from, to);
      else fs.copyFileSync(from, to);
    }
    return { it, id: other.id };
  };

  test.each<[string, () => Promise<{ it: Awaited<ReturnType<typeof planted>>; id: string }>]>([
    ["pack and index", plant(["pack", "idx"])],
    ["the pack alone", plant(["pack"])],
  ])("%s", async (_, planting) => {
    const { it, id } = await planting();
    const history = openAt(it.root, it.ledger);
    expect(await history.blob(id)).toBe(null);
    await scribe(history).write("Ada", "more.md", "more to pack");
    expect(await history.tidy()).toBe(false);
    expect(history.troubles().join()).toMatch(/pack.*which is no file. It is not followed/);
    expect(await history.blob(id)).toBe(null);
    expect(await history.log({ limit: 10 })).toHaveLength(4);
    await history.close();
  });

  test.each(["objects/pack/x", "objects/info/packs", "objects/ab/cd"])(
    "nor does git run where %s is a pipe",
    async (name) => {
      const it = await planted();
      fs.mkdirSync(it.at(join(name, "..")), { recursive: true });
      fs.rmSync(it.at(name), { force: true });
      execFileSync("mkfifo", [it.at(name)]);
      const history = openAt(it.root, it.ledger);
      await scribe(history).write("Ada", "more.md", "more to pack");
      expect(await history.tidy()).toBe(false);
      expect(history.troubles().join()).toMatch(/which is no file\. It is not followed/);
      expect(await history.log({ limit: 10 })).toHaveLength(4);
      await history.close();
    },
  );
});

describe("attack 57: something else stands in the place of our folder", () => {
  const KINDS: Record<string, (path: string) => void> = {
    "a file": (path) => fs.writeFileSync(path, "a file"),
    "a link out": (path) => fs.symlinkSync(place, path),
    "a link to itself": (path) => fs.symlinkSync(".notewright", path),
    "a link to nowhere": (path) => fs.symlinkSync("/nowhere/at/all", path),
    "a pipe": (path) => execFileSync("mkfifo", [path]),
  };
  const call = (vault: TestFolder, ...[surface, tool, input]: Call) =>
    callTool(vault, [surface, tool, input], { earlier: "", latest: "" });

  test.each(Object.keys(KINDS))("%s: reading goes on, writing says what is in the way", async (kind) => {
    KINDS[kind]!(at(".notewright"));
    const before = fs.readdirSync(place);
    const vault = await open();
    for (const reading of [
      ["native", "read_notes", { notes: ["secret.md"] }],
      ["native", "search_notes", { query: "secret" }],
      ["native", "get_history", {}],
      ["native", "check_vault", {}],
      ["obsidian", "read_note", { name: "secret" }],
      ["wiki", "get_note_history", { path: "secret" }],
    ] as Call[]) {
      const { acknowledged, said } = await call(vault, ...reading);
      expect(acknowledged, said).toBe(true);
    }
    for (const writing of [
      ["native", "write_note", { path: "new.md", text: "new" }],
      ["native", "delete_note", { path: "secret.md" }],
      ["obsidian", "append_note", { name: "secret", text: "more" }],
      [
        "bridges",
        "add_knowledge_base",
        { name: "kb", description: "d", subfolder: "kb", organization_rules: "r" },
      ],
      ["wiki", "create_note", { path: "new", title: "New", content: "new", tags: [] }],
      ["cairn", "cairn_write", { path: "new", content: "new" }],
      ["notes", "AddNote", { title: "New", content: "new" }],
    ] as Call[]) {
      const { acknowledged, said } = await call(vault, ...writing);
      expect(acknowledged, said).toBe(false);
      expect(said).toMatch(/\.notewright.{1,9} in this vault is no folder/);
    }
    // Edits of other programs are found.
    fs.writeFileSync(at("other.md"), "written elsewhere");
    await vault.notebook.refresh();
    expect((await call(vault, "native", "search_notes", { query: "elsewhere" })).said).toContain("other.md");
    await vault.close();
    expect(fs.readdirSync(place)).toEqual(before);
    // Once it is out of the way, writing works again.
    fs.rmSync(at(".notewright"));
    const next = await open();
    expect((await call(next, "native", "write_note", { path: "new.md", text: "new" })).acknowledged).toBe(
      true,
    );
  });
});
