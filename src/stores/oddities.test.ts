import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Oddity } from "../notebook/parts.ts";
import { lockOpener } from "../sqlite/node.ts";
import { openFolder } from "./folder.ts";

let root: string;
beforeEach(() => (root = fs.mkdtempSync(join(tmpdir(), "notewright-odd-"))));
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function oddities(): Promise<Oddity[]> {
  const store = await openFolder(root, { openLock: await lockOpener(), readOnly: true });
  const found: Oddity[] = [];
  for await (const some of store.health.oddities()) found.push(...some);
  await store.close();
  return found;
}
const put = (path: string) => {
  fs.mkdirSync(join(root, path, ".."), { recursive: true });
  fs.writeFileSync(join(root, path), "");
};

test.each<[string, () => void, Pick<Oddity, "path" | "kind">[]]>([
  ["nothing odd", () => put("folder/a.md"), []],
  [
    "links, to whatever",
    () => {
      put("folder/a.md");
      fs.symlinkSync("a.md", join(root, "folder/link.md"));
      fs.symlinkSync("/nowhere", join(root, "away"));
    },
    [
      { path: "away", kind: "link" },
      { path: "folder/link.md", kind: "link" },
    ],
  ],
  ["a pipe", () => execFileSync("mkfifo", [join(root, "pipe.md")]), [{ path: "pipe.md", kind: "special" }]],
  [
    "twins by case, by Unicode form, and among folders",
    () => ["a.md", "A.md", "\u00e9.md", "e\u0301.md", "F/x.md", "f/y.md"].forEach(put),
    [
      { path: "A.md", kind: "twin" },
      { path: "F", kind: "twin" },
      { path: "a.md", kind: "twin" },
      { path: "e\u0301.md", kind: "twin" },
      { path: "f", kind: "twin" },
      { path: "\u00e9.md", kind: "twin" },
    ],
  ],
  [
    "names that are not UTF-8, and none that only look so",
    () => {
      fs.writeFileSync(
        Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff]), Buffer.from(".md")]),
        "",
      );
      put("really \ufffd.md");
    },
    [{ path: "x\ufffd.md", kind: "unreadable_name" }],
  ],
  [
    "what recovery set aside",
    () => put(".notewright/journal/set-aside/m1-000000000000.json"),
    [{ path: ".notewright/journal/set-aside/m1-000000000000.json", kind: "set_aside" }],
  ],
  [
    "nothing in hidden folders",
    () => {
      put(".obsidian/a.md");
      put(".obsidian/A.md");
      fs.symlinkSync("a.md", join(root, ".obsidian/link.md"));
    },
    [],
  ],
])("%s", async (_, plant, expected) => {
  plant();
  const found = await oddities();
  expect(
    found.map(({ path, kind }) => ({ path, kind })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  ).toEqual(expected);
});

test("a thousand spellings of one name are told in as many lines, each with one other", async () => {
  const name = "abcdefghijklm";
  for (let number = 0; number < 2 ** 10; number++)
    put(`${[...name].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join("")}.md`);
  const found = await oddities();
  expect(found).toHaveLength(2 ** 10);
  expect(found.every(({ detail }) => detail.length < 100)).toBe(true);
});
