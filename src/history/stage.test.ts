import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDisk } from "../disk/files.ts";
import type { Change } from "../notebook/change.ts";
import type { NotePath } from "../notebook/paths.ts";
import { noteOf, record, who } from "../notebook/suites/scribe.ts";
import { openLedger } from "../index/ledger.ts";
import { openSql } from "../sqlite/node.ts";
import { HISTORY, openGit } from "./git.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

async function opened() {
  const root = mkdtempSync(join(tmpdir(), "notewright-stage-"));
  made.push(root);
  const history = openGit(openDisk(root), {
    ledger: openLedger(await openSql(":memory:")),
    durability: "full",
    outsideAuthor: "someone",
    now: () => new Date(),
  });
  const objects = join(root, HISTORY, "objects");
  return {
    history,
    objects,
    packs: () => readdirSync(join(objects, "pack")).filter((name) => name.endsWith(".pack")),
    loose: () => readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name)),
    git: (...args: string[]) =>
      execFileSync("git", [`--git-dir=${join(root, HISTORY)}`, ...args], { encoding: "utf8" }),
  };
}
const changes = (count: number, text: string): Change[] =>
  Array.from({ length: count }, (_, at) => {
    const after = noteOf(`folder ${at}/note ${at}.md`, `${text} ${at}\n`);
    return { path: after.path, before: null, after, why: "asked" };
  });

test("a change of many notes is one pack, in which git finds nothing wrong", async () => {
  const { history, packs, loose, git } = await opened();
  const revision = await record(history, changes(40, "text"), "Many", who("Ada"), new Date());
  expect(packs().length).toBe(1);
  expect(loose()).toEqual([]);
  expect(git("fsck", "--full", "--strict")).toBe("");
  expect(git("show", "main:folder 7/note 7.md")).toBe("text 7\n");
  const bytes = await history.read("folder 39/note 39.md" as NotePath, revision!.id);
  expect(new TextDecoder().decode(bytes!)).toBe("text 39\n");
  await history.close();
});

test("a small change is a file for each object, and so is every change where packs are too many", async () => {
  const { history, objects, packs, loose, git } = await opened();
  await record(history, changes(2, "few"), "Few", who("Ada"), new Date());
  expect(packs()).toEqual([]);
  for (let count = 0; count < 100; count++)
    writeFileSync(join(objects, `pack/pack-${String(count).padStart(40, "0")}.idx`), "");
  const before = loose().length;
  await record(history, changes(40, "more"), "Many", who("Ada"), new Date());
  expect(packs()).toEqual([]);
  expect(loose().length).toBeGreaterThan(before);
  for (let count = 0; count < 100; count++)
    rmSync(join(objects, `pack/pack-${String(count).padStart(40, "0")}.idx`), { force: true });
  expect(git("fsck", "--full", "--strict")).toBe("");
  await history.close();
});

test("where the notes cannot be written, nothing is recorded and nothing is left lying", async () => {
  const { history, objects, git } = await opened();
  await record(history, changes(1, "first"), "First", who("Ada"), new Date());
  const head = git("rev-parse", "main");
  const draft = await history.prepare(changes(40, "second"), {
    message: "Second",
    who: who("Ada"),
    date: new Date(),
  });
  draft!.drop();
  expect(git("rev-parse", "main")).toBe(head);
  expect(readdirSync(join(objects, "../tmp"))).toEqual([]);
  expect(readdirSync(join(objects, "../refs/heads"))).toEqual(["main"]);
  expect((await history.log({ limit: 10 })).map(({ message }) => message)).toEqual(["First"]);
  await history.close();
});
