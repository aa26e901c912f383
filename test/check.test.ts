/** `notewright check` as a person and a script meet it: what it says, how it ends, and that it changes nothing. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSql } from "../src/sqlite/node.ts";
import type { GroupName, Survey } from "../src/notebook/check.ts";
import { runHere } from "./command.ts";
import { filesBelow, makeHome, type Home } from "./process.ts";

let home: Home;
beforeEach(() => void (home = makeHome()));
afterEach(() => home.remove());

const check = (...args: string[]) => runHere(["check", home.vault, ...args], home.environment, home.folder);
const put = (path: string, text: string): void => {
  mkdirSync(join(home.vault, path, ".."), { recursive: true });
  writeFileSync(join(home.vault, path), text);
};
const findings = (stdout: string, name: GroupName) =>
  (JSON.parse(stdout) as Survey).groups.find((group) => group.name === name)!.findings;

test("orphans alone need nobody: code 0", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Orphans");
  expect(stdout).toContain("17 notes looked at; nothing needs you.");
});

test("a broken link needs somebody: code 1, with its place and what to do", async () => {
  put("Lost.md", "See [[Comfrey]].\n\nAnd [[Nothing of that name]].\n");
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toContain("Broken links: 1\n  Lost.md: line 3: Nothing of that name (a missing note)\n  → ");
  expect(stdout).toContain("some of it needs you");
});

test("of many the first ten are shown, and all with --json", async () => {
  put("Lost.md", Array.from({ length: 30 }, (_, at) => `[[none ${at}]]\n`).join(""));
  const { stdout } = await check();
  expect(stdout).toContain("Broken links: 30\n");
  expect(stdout).toContain("line 10: none 9 (a missing note)\n  … and 20 more");
  const json = await check("--json");
  expect(json.code).toBe(1);
  expect(findings(json.stdout, "broken_links")).toHaveLength(30);
});

test("a thousand notes are worth telling how far it is, on stderr only", async () => {
  for (let number = 0; number < 1000; number++) put(`many/${number}.md`, `[[${(number + 1) % 1000}]]`);
  const { code, stdout, stderr } = await check("--json");
  expect(code).toBe(0);
  expect(stderr).toMatch(/notewright: checked [\d,]+ of 1,017 notes/);
  expect(JSON.parse(stdout)).toMatchObject({ notes: 1017 });
});

test("nothing in the vault is changed, nor made", async () => {
  put("bad.md", "---\na: [\n---\n");
  const before = filesBelow(home.vault);
  await check();
  expect(filesBelow(home.vault)).toEqual(before);
});

describe("what only shows in our own folders", () => {
  test("changes that were cut short, here or on another copy; journals that were set aside", async () => {
    put(".notewright/journal/m0/m0-000000000000.json", "{}");
    put(".notewright/journal/set-aside/m1-000000000000.json", "{}");
    const { code, stdout } = await check("--json");
    expect(code).toBe(1);
    const said = findings(stdout, "reported").map(({ path, detail }) => `${path} ${detail}`);
    expect(said.join("\n")).toMatch(/begun on another copy/);
    expect(said.join("\n")).toMatch(/set-aside\/m1-000000000000\.json a journal that could not be used/);
  });

  test("an index that differs from the files, although their stamps are the same", async () => {
    // A stamp is believed only once a file is two seconds old.
    await new Promise((done) => setTimeout(done, 2100));
    const index = join(home.folder, "index.db");
    expect((await check("--index", index)).code).toBe(0);
    const sql = await openSql(index);
    sql.run("UPDATE notes SET version = 'other' WHERE path = 'Plants/Garlic.md'");
    sql.close();
    const { code, stdout } = await check("--index", index, "--json");
    expect(code).toBe(1);
    expect(findings(stdout, "index_drift")).toEqual([
      { path: "Plants/Garlic.md", detail: "is in it with another text" },
    ]);
  });
});

test.each([
  [["check", "a", "b"], 2, "check takes one vault"],
  [["check", "/no/such/folder"], 1, "There is no folder at"],
  [["check"], 2, "No vault is named"],
])("%j is refused with code %i", async (args, code, said) => {
  const ended = await runHere(args, home.environment, home.folder);
  expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
});
