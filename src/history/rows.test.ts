/** The history in rows by its suite, what git says of its bundle, and what only rows can go wrong with. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLedger } from "../index/ledger.ts";
import { createSchema } from "../index/schema.ts";
import type { NotePath } from "../notebook/paths.ts";
import { describeHistory } from "../notebook/suites/history.ts";
import { randomChange, randomOf, scribe, withLedger } from "../notebook/suites/scribe.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import { openMemory } from "../stores/memory.ts";
import { openRowsHistory, type RowsHistory } from "./rows.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "notewright-rows-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const openOn = (sql: Sql): RowsHistory => {
  const ledger = openLedger(sql);
  return withLedger(openRowsHistory(sql, { ledger, outsideAuthor: "someone" }), ledger);
};
const newHistory = async (): Promise<{ sql: Sql; history: RowsHistory }> => {
  const sql = await openSql(":memory:");
  createSchema(sql);
  return { sql, history: openOn(sql) };
};

describeHistory("rows", async () => {
  const { sql, history } = await newHistory();
  return {
    history,
    async again() {
      for (const table of ["revisions", "touches", "recorded"]) sql.exec(`DELETE FROM ${table}`);
      return openOn(sql);
    },
    store: openMemory,
  };
});

/** Clones what the history gives away, and lets git look at it. */
const cloneOf = async (history: RowsHistory, name: string, ...how: string[]): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await history.bundle())!) pieces.push(piece);
  writeFileSync(join(folder, `${name}.bundle`), Buffer.concat(pieces));
  const clone = join(folder, name);
  execFileSync("git", ["clone", "-q", ...how, join(folder, `${name}.bundle`), clone], { stdio: "pipe" });
  expect(execFileSync("git", ["-C", clone, "fsck", "--full", "--strict"], { encoding: "utf8" })).toBe("");
  return clone;
};

test("git clones the bundle, finds nothing wrong, and has every note to the byte", async () => {
  const { history } = await newHistory();
  expect(await history.bundle()).toBe(null);
  const vault = scribe(history);
  const next = randomOf(7);
  for (let round = 0; round < 150; round++) await randomChange(vault, next);
  for (let round = 0; round < 60; round++)
    await vault.write("Ada", `many/n${round}.md`, `${round}\n`.repeat(200));
  // What nobody has recorded yet is not in the history.
  for (const name of [...vault.unseen, "last.md"]) await vault.write("Ada", name, "the end\n");
  const clone = await cloneOf(history, "clone");
  for (const [name, note] of vault.notes)
    expect(readFileSync(join(clone, name)), name).toEqual(Buffer.from(note.bytes));
  const log = execFileSync("git", ["-C", clone, "log", "--format=%H"], { encoding: "utf8" });
  expect(log.trimEnd().split("\n")).toEqual((await history.log({ limit: 1000 })).map(({ id }) => id));
});

test("a long note, and a folder of very many, go on in further rows", async () => {
  const { sql, history } = await newHistory();
  const vault = scribe(history);
  const random = randomOf(1);
  const noise = Uint8Array.from({ length: 4_000_000 }, () => random(256));
  await vault.write("Ada", "long.md", noise);
  await vault.change(
    "Ada",
    Array.from({ length: 8000 }, (_, at) => ({
      path: `all/${"a long name ".repeat(16)}${at}.md`,
      text: `${at % 50}`,
    })),
  );
  await vault.write("Ada", "all/one more.md", "one");
  const longest = "SELECT max(length(body)) AS most FROM";
  for (const table of ["git_objects", "git_parts"])
    expect(sql.get<{ most: number }>(`${longest} ${table}`)!.most).toBeLessThan(1_900_000);
  const clone = await cloneOf(openOn(sql), "long", "--no-checkout");
  const kept = execFileSync("git", ["-C", clone, "cat-file", "blob", "HEAD:long.md"], { maxBuffer: 1e8 });
  expect(kept.equals(noise)).toBe(true);
  // The tree of the last revision tells only what differs from the one before.
  expect(
    sql.get<{ size: number }>("SELECT length(body) AS size FROM git_objects WHERE kind = 1 AND depth = 1")!
      .size,
  ).toBeLessThan(200);
});

test("where the newest revision is damaged, it goes on from the one before; where all are, it begins anew", async () => {
  const { sql, history } = await newHistory();
  const vault = scribe(history);
  await vault.write("Ada", "a.md", "one");
  const { id: first } = (await vault.write("Ada", "b/b.md", "two"))!;
  await vault.write("Ada", "c/c.md", "three");
  sql.run("DELETE FROM git_objects WHERE id = (SELECT unhex(id) FROM git_ref)");
  const again = openOn(sql);
  const scribed = scribe(again);
  await scribed.write("Bob", "d.md", "four");
  expect(again.troubles().join()).toContain(`goes on from ${first.slice(0, 10)}`);
  expect(new TextDecoder().decode((await again.read("b/b.md" as NotePath, first))!)).toBe("two");
  sql.exec("DELETE FROM git_objects");
  const anew = openOn(sql);
  await scribe(anew).write("Bob", "e.md", "five");
  expect(anew.troubles().join()).toContain("begun anew");
  await cloneOf(anew, "anew");
});
