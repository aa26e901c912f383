import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDisk } from "../../src/disk/files.ts";
import { vaultLock } from "../../src/disk/lock.ts";
import { openIndexFile } from "../../src/sqlite/index-file.ts";
import { indexSchema } from "../../src/index/schema.ts";
import { lockOpener, openSql } from "../../src/sqlite/node.ts";
import { command, makeHome, runToEnd, type Home } from "../process.ts";
import { call, line } from "../wire.ts";
import { hotJournal, plantHotJournal } from "./hot-journal.ts";

let home: Home;
let victim: string;
let own: string;
beforeEach(() => {
  home = makeHome();
  victim = join(home.folder, "diary.txt");
  fs.writeFileSync(victim, "Dear diary");
  own = join(home.vault, ".notewright");
  fs.mkdirSync(own);
});
afterEach(() => home.remove());

const lock = () => join(own, "lock");
const names = () => fs.readdirSync(own).map((name) => name.replace(/-set-aside-.*/, " set aside"));

test("attack 46: the planted journal is a real one: plain SQLite deletes the file that it names", async () => {
  plantHotJournal(lock(), victim);
  const database = (await lockOpener())(lock());
  database.exec("BEGIN IMMEDIATE");
  database.close();
  expect(fs.existsSync(victim)).toBe(false);
});

const PLANTS: [string, () => void][] = [
  ["a sound lock with a hot journal that names a file", () => plantHotJournal(lock(), victim)],
  [
    "one that names it from the working folder",
    () => plantHotJournal(lock(), relative(process.cwd(), victim)),
  ],
  [
    "a hot journal beside an empty lock",
    () => {
      plantHotJournal(lock(), victim);
      fs.truncateSync(lock());
    },
  ],
];
const FILES_BESIDE: [string, () => void][] = ["lock-journal", "lock-wal", "lock-shm"].flatMap(
  (name): [string, () => void][] => [
    [`a pipe at ${name}`, () => execFileSync("mkfifo", [join(own, name)])],
    [`a folder at ${name}`, () => fs.mkdirSync(join(own, name, "inner"), { recursive: true })],
    [`a link at ${name}`, () => fs.symlinkSync(victim, join(own, name))],
    [`garbage at ${name}`, () => fs.writeFileSync(join(own, name), Buffer.alloc(5000, 7))],
  ],
);
const LOCKS: [string, () => void][] = [
  ["a pipe at lock", () => execFileSync("mkfifo", [lock()])],
  ["a link at lock", () => fs.symlinkSync(victim, lock())],
];

describe("attacks 46 and 47: whatever is planted at the lock's names is set aside", () => {
  test.each([...PLANTS, ...FILES_BESIDE, ...LOCKS])("%s", async (_, plant) => {
    plant();
    const [one, other] = await Promise.all(
      [1, 2].map(async () => vaultLock(openDisk(home.vault), await lockOpener())),
    );
    let inside = 0;
    const work = async () => {
      expect(inside++).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 2));
      return --inside;
    };
    expect(await Promise.all([one!.alone(work), other!.alone(work), one!.alone(work)])).toEqual([0, 0, 0]);
    await Promise.all([one!.close(), other!.close()]);
    expect(fs.readFileSync(victim, "utf8")).toBe("Dear diary");
    expect(fs.lstatSync(lock())).toMatchObject({ size: 0 });
    expect(names().filter((name) => /^lock-\w+$/.test(name))).toEqual([]);
    expect(names().some((name) => name.endsWith("set aside"))).toBe(true);
  });

  test("a lock in WAL mode is set aside", async () => {
    const sql = await openSql(lock());
    sql.exec("CREATE TABLE t (x)");
    sql.close();
    const taken = vaultLock(openDisk(home.vault), await lockOpener());
    expect(await taken.alone(async () => "taken")).toBe("taken");
    await taken.close();
    expect(fs.statSync(lock()).size).toBe(0);
  });

  test("planted while a server has it: set aside before the next change, and the file stays empty", async () => {
    const taken = vaultLock(openDisk(home.vault), await lockOpener());
    for (const [, plant] of [...PLANTS, ...LOCKS]) {
      await taken.alone(async () => {});
      expect(fs.statSync(lock()).size).toBe(0);
      fs.rmSync(lock());
      plant();
      expect(await taken.alone(async () => "taken")).toBe("taken");
      expect(fs.existsSync(victim)).toBe(true);
    }
    await taken.close();
  });
});

const HELLO = line({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

describe("attacks 46 and 47 on the real program", () => {
  const serve = (surface: string, ...more: string[]) =>
    runToEnd([command("notewright"), "serve", home.vault, "--tools", surface, ...more], {
      environment: home.environment,
      input: HELLO + call(2, "write_note", { path: "New.md", text: "x" }),
      answers: 2,
    });

  test.each([
    ["serving", () => serve("native")],
    ["serving without a history", () => serve("native", "--history", "off")],
    [
      "undo",
      () =>
        runToEnd([command("notewright"), "undo", "--last", "1", home.vault], {
          environment: home.environment,
        }),
    ],
    [
      "restore",
      () =>
        runToEnd([command("notewright"), "restore", "Nothing", home.vault], {
          environment: home.environment,
        }),
    ],
  ])("%s deletes nothing", async (_, run) => {
    plantHotJournal(lock(), victim);
    execFileSync("mkfifo", [join(own, "lock-wal")]);
    const { stderr } = await run();
    expect(fs.existsSync(victim), stderr).toBe(true);
  });

  test("an index inside the vault is refused", async () => {
    for (const index of [join(home.vault, "index.db"), join(own, "new/"), home.vault]) {
      const { code, stderr } = await serve("native", "--index", index);
      expect(code).not.toBe(0);
      expect(stderr).toContain("lies inside the vault");
    }
    expect(names()).toEqual([]);
  });
});

describe("attack 46 on the index", () => {
  const path = () => join(home.folder, "cache/index.db");
  /** A sound index that no process has ever opened under its name. */
  const plantIndex = async () => {
    const made = join(home.folder, "made/index.db");
    (await openIndexFile(made, indexSchema)).close();
    fs.mkdirSync(join(home.folder, "cache"));
    fs.copyFileSync(made, path());
  };

  test("a journal beside it is set aside before it is opened", async () => {
    await plantIndex();
    const bytes = fs.readFileSync(path());
    // The two bytes of the header that say whether a database keeps a rollback journal or a log.
    bytes.fill(1, 18, 20);
    fs.writeFileSync(path(), bytes);
    fs.writeFileSync(`${path()}-journal`, hotJournal(victim, bytes.length / 4096));
    const sql = await openIndexFile(path(), indexSchema);
    expect(sql.get("SELECT 1 AS it FROM meta")).toEqual({ it: 1 });
    sql.close();
    expect(fs.existsSync(victim)).toBe(true);
    expect(fs.existsSync(`${path()}-journal`)).toBe(false);
  });

  test.each(["-wal", "-shm"])("a link at %s leads nowhere", async (ending) => {
    await plantIndex();
    fs.symlinkSync(victim, path() + ending);
    const sql = await openIndexFile(path(), indexSchema);
    sql.transaction(() => sql.run("INSERT INTO meta VALUES ('mark', 'here')"));
    sql.close();
    expect(fs.readFileSync(victim, "utf8")).toBe("Dear diary");
  });

  test("several that begin one at the same time all get it, and nothing is left over", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => openIndexFile(path(), indexSchema)));
    for (const sql of all)
      sql.transaction(() => sql.run("INSERT OR REPLACE INTO meta VALUES ('mark', 'here')"));
    for (const sql of all) sql.close();
    expect(fs.readdirSync(join(home.folder, "cache")).filter((name) => /new|aside/.test(name))).toEqual([]);
  });

  test("a folder that is a link is refused", async () => {
    fs.mkdirSync(join(home.folder, "elsewhere"));
    fs.symlinkSync(join(home.folder, "elsewhere"), join(home.folder, "cache"));
    await expect(openIndexFile(path(), indexSchema)).rejects.toMatchObject({ code: "disk_refused" });
    expect(fs.readdirSync(join(home.folder, "elsewhere"))).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("a folder or file of another user is not opened", async () => {
    (await openIndexFile(path(), indexSchema)).close();
    fs.chownSync(path(), 65534, 65534);
    const sql = await openIndexFile(path(), indexSchema);
    expect(fs.statSync(path()).uid).toBe(0);
    sql.close();
    fs.chownSync(join(home.folder, "cache"), 65534, 65534);
    await expect(openIndexFile(path(), indexSchema)).rejects.toMatchObject({ code: "disk_refused" });
  });
});
