/** A vault with a history for tests to plant things in, and everything a history does, to be done on what was planted. */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { openDisk } from "../src/disk/files.ts";
import { HISTORY, openGit } from "../src/history/git.ts";
import type { Ledger } from "../src/notebook/parts.ts";
import type { NotePath } from "../src/notebook/paths.ts";
import { noteOf, record, scribe, withLedger } from "../src/notebook/suites/scribe.ts";
import { openLedger } from "../src/index/ledger.ts";
import { openSql } from "../src/sqlite/node.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));
export function newFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), "notewright-hostile-"));
  made.push(folder);
  return folder;
}
export const newLedger = async (): Promise<Ledger> => openLedger(await openSql(":memory:"));
export const openAt = (root: string, ledger: Ledger) =>
  withLedger(
    openGit(openDisk(root), {
      ledger,
      durability: "fast",
      outsideAuthor: "someone",
      now: () => new Date(),
      looseLimit: 1,
    }),
    ledger,
  );

/** A vault with three revisions, a folder beside it that must stay empty, and a program that leaves a mark when it is run. */
export async function planted() {
  const root = newFolder();
  const outside = newFolder();
  const mark = join(newFolder(), "mark");
  const program = join(root, "canary");
  fs.writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  const ledger = await newLedger();
  const history = openAt(root, ledger);
  const vault = scribe(history);
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) ids.push((await vault.write("Ada", "folder/a.md", text))!.id);
  await history.close();
  const at = (name: string) => join(root, HISTORY, name);
  const swap = (name: string) => {
    fs.cpSync(at(name), join(newFolder(), "kept"), { recursive: true });
    fs.rmSync(at(name), { recursive: true });
    fs.symlinkSync(outside, at(name));
  };
  const objectOf = (spec: string) => {
    const id = execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, "rev-parse", spec], {
      encoding: "utf8",
    }).trim();
    return at(`objects/${id.slice(0, 2)}/${id.slice(2)}`);
  };
  return { root, outside, mark, program, ledger, ids, at, swap, objectOf };
}
export type Planted = Awaited<ReturnType<typeof planted>>;

/** Everything a history does, on what was planted. */
export async function useAll({ root, mark, outside, ledger }: Planted, known: Ledger = ledger) {
  const history = openAt(root, known);
  await history.log({ limit: 10 });
  await history.blob("0".repeat(40));
  const recorded = await record(
    history,
    [
      {
        path: "new.md" as NotePath,
        before: null,
        after: noteOf("new.md", "new"),
        why: "asked",
      },
    ],
    "Write",
    { client: "Ada", surface: "s", tool: "t", connection: "c" },
    new Date(),
  );
  expect(recorded).not.toBe(null);
  expect(new TextDecoder().decode((await history.read("new.md" as NotePath, recorded!.id))!)).toBe("new");
  await history.tidy();
  const log = await history.log({ limit: 100 });
  const troubles = history.troubles();
  await history.close();
  expect(fs.existsSync(mark)).toBe(false);
  expect(fs.readdirSync(outside)).toEqual([]);
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const said = execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, "fsck", "--full"], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(said).not.toMatch(/missing|broken|corrupt/);
  return { log, troubles };
}
