/** Attacks on `.notewright` itself: who may read it, and what stands in its place or in it. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HISTORY } from "../../src/history/git.ts";
import { notePath } from "../../src/notebook/paths.ts";
import { lockOpener } from "../../src/sqlite/node.ts";
import { openFolder } from "../../src/stores/folder.ts";
import { openTestFolder, type TestFolder } from "../faults/notebook.ts";
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
    expect(await history.tidy()).toBe(true);
    await history.close();
    expect(fs.readdirSync(it.at("objects/pack"))).not.toEqual([]);
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
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "gc.auto=0", `--git-dir=${folder}`, ...args], {
        encoding: "utf8",
        input: "a text outside the vault",
        stdio: ["pipe", "pipe", "ignore"],
      }).trim();
    git("init", "--bare");
    const id = git("hash-object", "-w", "--stdin");
    const name = execFileSync(
      "git",
      [`--git-dir=${folder}`, "pack-objects", "-q", `${folder}/objects/pack/pack`],
      {
        encoding: "utf8",
        input: `${id}\n`,
      },
    ).trim();
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
    expect(await history.tidy()).toBe(false);
    expect(history.troubles().join()).toMatch(/pack.*which is no file. It is not followed/);
    expect(await history.blob(id)).toBe(null);
    expect(await history.log({ limit: 10 })).toHaveLength(3);
    await history.close();
  });

  test.each(["objects/pack/x", "objects/info/packs", "objects/ab/cd"])(
    "nor does git run where %s is a pipe",
    async (name) => {
      const it = await planted();
      fs.mkdirSync(it.at(join(name, "..")), { recursive: true });
      execFileSync("mkfifo", [it.at(name)]);
      const history = openAt(it.root, it.ledger);
      expect(await history.tidy()).toBe(false);
      expect(await history.log({ limit: 10 })).toHaveLength(3);
      await history.close();
    },
  );
});
