import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NoteError } from "../markdown/errors.ts";
import { dropOlder, openIndexFile } from "./index-file.ts";
import { lockOpener, openSql } from "./node.ts";
import { indexSchema, SCHEMA } from "../index/schema.ts";
import type { Sql, SqlValue } from "./sql.ts";

let folder: string;
const path = () => join(folder, "cache", "vault", "index.db");
const opened: Sql[] = [];
const keep = (sql: Sql): Sql => (opened.push(sql), sql);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "notewright-sqlite-"));
});
afterEach(() => {
  for (const sql of opened.splice(0)) sql.close();
  rmSync(folder, { recursive: true });
});

describe("openSql", () => {
  test.each<[string, unknown, SqlValue]>([
    ["undefined", undefined, null],
    ["true", true, 1],
    ["false", false, 0],
    ["text with a NUL", "a\0b\0", "a\ufffdb\ufffd"],
    ["text outside the first plane", "a😀\u0301", "a😀\u0301"],
    ["a number", 1.5, 1.5],
  ])("%s is stored as what it is", async (_, value, stored) => {
    const sql = keep(await openSql(":memory:"));
    expect(sql.get<{ it: SqlValue }>("SELECT ? AS it", value as SqlValue)!.it).toBe(stored);
  });

  test("no row is undefined", async () => {
    const sql = keep(await openSql(":memory:"));
    expect(sql.get("SELECT 1 WHERE 0")).toBeUndefined();
  });

  test("more statements than are kept still run", async () => {
    const sql = keep(await openSql(":memory:"));
    for (let at = 0; at < 1000; at++) expect(sql.get(`SELECT ${at} AS it`)).toEqual({ it: at });
  });

  test("a transaction is all or nothing, and one inside another is part of it", async () => {
    const sql = keep(await openSql(":memory:"));
    sql.exec("CREATE TABLE t (x)");
    const fail = () =>
      sql.transaction(() => {
        sql.transaction(() => sql.run("INSERT INTO t VALUES (1)"));
        throw new Error("no");
      });
    expect(fail).toThrow("no");
    expect(sql.all("SELECT * FROM t")).toEqual([]);
    expect(sql.transaction(() => sql.get("SELECT 2 AS it"))).toEqual({ it: 2 });
    sql.transaction(() => sql.run("INSERT INTO t VALUES (3)"));
    expect(sql.all("SELECT * FROM t")).toEqual([{ x: 3 }]);
  });

  test("whoever cannot get a turn is told so, and works again afterwards", async () => {
    const file = join(folder, "a.db");
    const [one, other] = [keep(await openSql(file)), keep(await openSql(file))];
    one.exec("CREATE TABLE t (x)");
    const refused = () => other.transaction(() => other.run("INSERT INTO t VALUES (1)"));
    one.transaction(() => expect(refused).toThrow(expect.objectContaining({ code: "busy" })));
    other.transaction(() => other.run("INSERT INTO t VALUES (2)"));
    expect(one.all("SELECT * FROM t")).toEqual([{ x: 2 }]);
  });

  test("a lock file is alone in its folder, and a second taker is refused at once", async () => {
    const file = join(folder, "lock");
    const open = await lockOpener();
    const [one, other] = [keep(open(file)), keep(open(file))];
    one.exec("BEGIN IMMEDIATE");
    expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(expect.objectContaining({ errcode: 5 }));
    expect(existsSync(`${file}-journal`)).toBe(false);
    expect(existsSync(`${file}-wal`)).toBe(false);
    one.exec("COMMIT");
    other.exec("BEGIN IMMEDIATE");
    other.exec("ROLLBACK");
  });

  test("the first opening warns of nothing, and leaves warnings to others", async () => {
    const warnings: string[] = [];
    const hear = (warning: Error) => warnings.push(warning.message);
    const emit = process.emitWarning;
    process.on("warning", hear);
    vi.resetModules();
    const fresh = await import("./node.ts");
    keep(await fresh.openSql(":memory:"));
    expect(process.emitWarning).toBe(emit);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });
});

const number = (sql: Sql) =>
  sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'schema'")?.value;
const mark = (sql: Sql) => sql.transaction(() => sql.run("INSERT INTO meta VALUES ('mark', 'here')"));
const marked = (sql: Sql) => sql.all("SELECT 1 FROM meta WHERE name = 'mark'").length === 1;

describe("openIndexFile", () => {
  test("a new one is private, and is found again", async () => {
    const sql = await openIndexFile(path(), indexSchema);
    expect(number(sql)).toBe(String(SCHEMA));
    mark(sql);
    for (const ending of ["", "-wal", "-shm"]) expect(statSync(path() + ending).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "cache")).mode & 0o777).toBe(0o700);
    sql.close();
    expect(marked(keep(await openIndexFile(path(), indexSchema)))).toBe(true);
  });

  const foreign: [string, (file: string) => Promise<void> | void][] = [
    ["text", (file) => writeFileSync(file, "My diary. ".repeat(1000))],
    ["a folder", async (file) => void (await openIndexFile(join(file, "inner.db"), indexSchema)).close()],
    ["a link", (file) => symlinkSync(join(folder, "elsewhere"), file)],
    [
      "another program's database",
      async (file) => {
        const sql = await openSql(file);
        sql.exec("CREATE TABLE meta (photo); INSERT INTO meta VALUES ('mine')");
        sql.close();
      },
    ],
    [
      "an index with a trigger planted in it",
      async (file) => {
        const sql = await openIndexFile(file, indexSchema);
        sql.exec("CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM notes; END");
        sql.close();
      },
    ],
    [
      "an index of another number",
      async (file) => {
        const sql = await openIndexFile(file, indexSchema);
        sql.run("UPDATE meta SET value = '0' WHERE name = 'schema'");
        sql.close();
      },
    ],
  ];
  test.each(foreign)("%s in its place is set aside", async (_, plant) => {
    (await openIndexFile(path(), indexSchema)).close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(path() + ending, { force: true });
    await plant(path());
    const sql = keep(await openIndexFile(path(), indexSchema));
    expect(number(sql)).toBe(String(SCHEMA));
    expect(marked(sql)).toBe(false);
    expect(() => lstatSync(`${path()}.set-aside`)).not.toThrow();
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  test("a file of somebody's that stood in the way keeps its bytes", async () => {
    const theirs = join(folder, "photos.db");
    const sql = (await lockOpener())(theirs);
    sql.exec("CREATE TABLE photos (x)");
    sql.close();
    const bytes = readFileSync(theirs);
    keep(await openIndexFile(theirs, indexSchema));
    expect(readFileSync(`${theirs}.set-aside`).equals(bytes)).toBe(true);
  });

  test("one that breaks while it is used is made anew, and the caller is told to try again", async () => {
    const sql = await openIndexFile(path(), indexSchema);
    sql.transaction(() => {
      for (let at = 0; at < 2000; at++)
        sql.run("INSERT INTO texts VALUES (?, ?, '', '', '', '', NULL, '', '')", at, "x".repeat(99));
    });
    sql.close();
    const bytes = readFileSync(path());
    bytes.fill(0xaa, bytes.length / 2);
    writeFileSync(path(), bytes);
    const broken = keep(await openIndexFile(path(), indexSchema));
    const read = () => broken.all("SELECT sum(length(title)) AS n FROM texts");
    expect(read).toThrow(NoteError);
    expect(read()).toEqual([{ n: null }]);
    mark(broken);
    expect(marked(broken)).toBe(true);
  });

  test("one that is broken from its beginning is made anew at once", async () => {
    (await openIndexFile(path(), indexSchema)).close();
    const bytes = readFileSync(path());
    bytes.fill(0xaa, 4096);
    writeFileSync(path(), bytes);
    expect(number(keep(await openIndexFile(path(), indexSchema)))).toBe(String(SCHEMA));
  });

  test("one that was replaced is written in its new place", async () => {
    const sql = keep(await openIndexFile(path(), indexSchema));
    const other = await openIndexFile(`${path()}.new`, indexSchema);
    other.close();
    renameSync(`${path()}.new`, path());
    mark(sql);
    expect(marked(keep(await openIndexFile(path(), indexSchema)))).toBe(true);
  });

  test("one that was deleted is made again", async () => {
    const sql = keep(await openIndexFile(path(), indexSchema));
    for (const ending of ["", "-wal", "-shm"]) rmSync(path() + ending, { force: true });
    mark(sql);
    expect(marked(keep(await openIndexFile(path(), indexSchema)))).toBe(true);
  });
});

test("indexes of earlier versions go once nobody has used them for a week; nothing else does", () => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-older-"));
  const names = ["index-1.db", "index-1.db.set-aside", "index-2.db", "index-3.db", "index-4.db", "other.db"];
  for (const name of names) writeFileSync(join(folder, name), "");
  const now = Date.now();
  dropOlder(join(folder, "index-3.db"), 3, now + 6 * 86_400_000);
  expect(readdirSync(folder).toSorted()).toEqual(names);
  dropOlder(join(folder, "index-3.db"), 3, now + 8 * 86_400_000);
  expect(readdirSync(folder).toSorted()).toEqual(["index-3.db", "index-4.db", "other.db"]);
  rmSync(folder, { recursive: true });
  expect(() => dropOlder(join(folder, "index-3.db"), 3, now)).not.toThrow();
});
