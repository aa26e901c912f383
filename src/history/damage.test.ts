/** A history's folder that was damaged, or swapped for something else: it is repaired or set aside, and the history goes on. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newLedger, openAt, planted, useAll, type Planted } from "../../test/planted-history.ts";
import type { NotePath } from "../notebook/paths.ts";
import { realCalls } from "../disk/calls.ts";
import { openDisk } from "../disk/files.ts";
import { scribe } from "../notebook/suites/scribe.ts";
import { HISTORY, openGit } from "./git.ts";

describe("a folder that cannot be trusted is set aside, and a history begun anew", () => {
  test.each<[string, (it: Planted) => void]>([
    [
      "is a file",
      (it) => (
        fs.rmSync(it.at(""), { recursive: true }),
        fs.writeFileSync(join(it.root, HISTORY), "gitdir: /etc\n")
      ),
    ],
    [
      "is a link",
      (it) => (fs.rmSync(it.at(""), { recursive: true }), fs.symlinkSync(it.outside, join(it.root, HISTORY))),
    ],
    [
      "is a pipe",
      (it) => (fs.rmSync(it.at(""), { recursive: true }), execFileSync("mkfifo", [join(it.root, HISTORY)])),
    ],
    ["has objects elsewhere", (it) => it.swap("objects")],
    ["has packs elsewhere", (it) => it.swap("objects/pack")],
    ["has refs elsewhere", (it) => it.swap("refs")],
    ["has heads elsewhere", (it) => it.swap("refs/heads")],
    ["has its tmp elsewhere", (it) => it.swap("tmp")],
    [
      "has object folders elsewhere",
      (it) => {
        for (let number = 0; number < 256; number++) {
          const folder = it.at(`objects/${number.toString(16).padStart(2, "0")}`);
          fs.rmSync(folder, { recursive: true, force: true });
          fs.symlinkSync(it.outside, folder);
        }
      },
    ],
    [
      "has no objects",
      (it) => (fs.rmSync(it.at("objects"), { recursive: true }), fs.mkdirSync(it.at("objects"))),
    ],
    [
      "has a HEAD that is a link",
      (it) => (fs.rmSync(it.at("HEAD")), fs.symlinkSync("/etc/hostname", it.at("HEAD"))),
    ],
    ["has a HEAD on another branch", (it) => fs.writeFileSync(it.at("HEAD"), "ref: refs/heads/../../../x\n")],
    [
      "has a HEAD that is a pipe",
      (it) => (fs.rmSync(it.at("HEAD")), execFileSync("mkfifo", [it.at("HEAD")])),
    ],
    [
      "has a ref that is a folder",
      (it) => (fs.rmSync(it.at("refs/heads/main")), fs.mkdirSync(it.at("refs/heads/main"))),
    ],
  ])("it %s", async (_, plant) => {
    const it = await planted();
    plant(it);
    const { log, troubles } = await useAll(it);
    expect(log).toHaveLength(1);
    expect(troubles.join()).toMatch(/set aside as "\.notewright\/history\.git\.damaged-1"/);
  });

  test.each<[string, (it: Planted) => void]>([
    [
      "a ref that is a link",
      (it) => (
        fs.rmSync(it.at("refs/heads/main")),
        fs.symlinkSync("/etc/hostname", it.at("refs/heads/main"))
      ),
    ],
    ["a ref of other words", (it) => fs.writeFileSync(it.at("refs/heads/main"), "ref: refs/heads/evil\n")],
    ["an empty ref, as after a power cut", (it) => fs.writeFileSync(it.at("refs/heads/main"), "")],
    ["a ref to nothing", (it) => fs.writeFileSync(it.at("refs/heads/main"), `${"0".repeat(40)}\n`)],
  ])("%s is put back where the ledger knows it, and else is reason to begin anew", async (_, plant) => {
    const it = await planted();
    plant(it);
    expect((await useAll(it)).log).toHaveLength(4);
    const other = await planted();
    plant(other);
    const { log, troubles } = await useAll(other, await newLedger());
    expect(log).toHaveLength(1);
    expect(troubles.join()).toMatch(/damaged-1/);
  });

  test.each(["HEAD", "HEAD^{tree}"])(
    "where the newest %s is lost, the history goes on from the one before",
    async (what) => {
      const it = await planted();
      const object = it.objectOf(what);
      fs.rmSync(object);
      fs.writeFileSync(object, "");
      const { log, troubles } = await useAll(it);
      expect(log.map(({ id }) => id).slice(1)).toEqual([it.ids[1], it.ids[0]]);
      expect(troubles.join()).toMatch(/goes on from/);
      expect(fs.existsSync(`${join(it.root, HISTORY)}.damaged-1`)).toBe(false);
    },
  );

  test("a folder's tree that is missing shows when that folder is next written", async () => {
    const it = await planted();
    fs.rmSync(it.objectOf("HEAD:folder"));
    const history = openAt(it.root, it.ledger);
    const vault = scribe(history);
    vault.outside("folder/a.md", "three");
    expect(await vault.write("Bob", "folder/a.md", "four")).not.toBe(null);
    const log = await history.log({ path: "folder/a.md" as NotePath, limit: 10 });
    expect(log.map(({ author }) => author)).toEqual(["Bob", "someone", "Ada", "Ada"]);
    await history.close();
  });

  test("a second one is set aside beside the first", async () => {
    const it = await planted();
    for (const number of [1, 2]) {
      fs.writeFileSync(it.at("HEAD"), "nonsense");
      const history = openAt(it.root, it.ledger);
      await scribe(history).write("Ada", "a.md", "x");
      expect(history.troubles().join()).toContain(`damaged-${number}`);
      await history.close();
    }
  });

  test("a disk that does not answer is no reason to set anything aside", async () => {
    const it = await planted();
    const failing = {
      ...realCalls,
      lstat: (path: string) => {
        if (path.endsWith("/HEAD")) throw Object.assign(new Error("no"), { code: "EMFILE" });
        return realCalls.lstat(path);
      },
    };
    const history = openGit(openDisk(it.root, failing), {
      ledger: it.ledger,
      durability: "fast",
      outsideAuthor: "someone",
      now: () => new Date(),
    });
    expect(await scribe(history).write("Ada", "a.md", "x")).toBe(null);
    expect(history.troubles().join()).toContain("EMFILE");
    expect(fs.existsSync(`${join(it.root, HISTORY)}.damaged-1`)).toBe(false);
    await history.close();
  });
});
