import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realCalls } from "../disk/calls.ts";
import type { Planned } from "../disk/change.ts";
import { openDisk, type Disk } from "../disk/files.ts";
import { openListings, type Listings } from "./listings.ts";

const LATER = Date.now() + 60_000;
let root: string;
let disk: Disk;
let listings: Listings;
let listed: number;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "notewright-listings-")));
  mkdirSync(join(root, "small"));
  mkdirSync(join(root, "large"));
  for (let count = 0; count < 600; count++) writeFileSync(join(root, `large/Note ${count}.md`), "");
  writeFileSync(join(root, "small/One.md"), "");
  listed = 0;
  disk = openDisk(root, {
    ...realCalls,
    readdir(path) {
      listed++;
      return realCalls.readdir(path);
    },
  });
  // As if what was made just now had been made a minute ago.
  listings = openListings(() => LATER);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const names = (folder: string) => listings.names(disk, folder);
const place = (path: string): Planned => ({ do: "place", path, old: null, new: "", bytes: null, like: null });
const write = (path: string) => async () => writeFileSync(join(root, path), "");

test("a large folder is listed once, a small one each time", () => {
  for (let times = 0; times < 3; times++) expect(names("large")!.get("note 7.md")).toEqual(["Note 7.md"]);
  expect(listed).toBe(1);
  for (let times = 0; times < 3; times++) expect(names("small")!.get("one.md")).toEqual(["One.md"]);
  expect(listed).toBe(4);
});

test("the root is a folder too, and one that is not there is none", () => {
  expect([...names("")!.keys()].toSorted()).toEqual(["large", "small"]);
  expect(names("gone")).toBe(null);
  expect(names("small/One.md")).toBe(null);
});

test("what others put there, rename or take away is seen", () => {
  names("large");
  writeFileSync(join(root, "large/New.md"), "");
  expect(names("large")!.get("new.md")).toEqual(["New.md"]);
  rmSync(join(root, "large/New.md"));
  expect(names("large")!.get("new.md")).toBe(undefined);
});

test("what we put there is known without listing it again", async () => {
  names("large");
  for (const name of ["A.md", "B.md", "a.md"])
    await listings.following(disk, [place(`large/${name}`)], write(`large/${name}`));
  expect(names("large")!.get("a.md")).toEqual(["A.md", "a.md"]);
  expect(names("large")!.get("b.md")).toEqual(["B.md"]);
  expect(listed).toBe(1);
});

test("what others did before a change of ours, what is removed, and what fails is not guessed", async () => {
  names("large");
  writeFileSync(join(root, "large/Theirs.md"), "");
  await listings.following(disk, [place("large/Ours.md")], write("large/Ours.md"));
  expect(names("large")!.get("theirs.md")).toEqual(["Theirs.md"]);
  const remove: Planned = { do: "remove", path: "large/Ours.md", old: "" };
  await listings.following(disk, [remove], async () => rmSync(join(root, "large/Ours.md")));
  expect(names("large")!.get("ours.md")).toBe(undefined);
  const failing = listings.following(disk, [place("large/Never.md")], async () => {
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(names("large")!.get("never.md")).toBe(undefined);
});

test("a folder that was changed just now is listed again", () => {
  const now = new Date();
  listings = openListings(() => now.getTime());
  utimesSync(join(root, "large"), now, now);
  names("large");
  names("large");
  expect(listed).toBe(2);
});
