import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realCalls } from "../disk/calls.ts";
import type { FileOperation } from "../notebook/puts.ts";
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
    readnames(path) {
      listed++;
      return realCalls.readnames(path);
    },
  });
  // As if what was made just now had been made a minute ago.
  listings = openListings(() => LATER);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const names = (folder: string) => listings.names(disk, folder);
const place = (path: string): FileOperation => ({
  do: "place",
  path,
  old: null,
  new: "",
  bytes: null,
  like: null,
});
const write = (path: string) => async () => writeFileSync(join(root, path), "");

test("a large folder is listed once, a small one each time", () => {
  for (let times = 0; times < 3; times++) expect(names("large")!.twin("note 7.md")).toBe("Note 7.md");
  expect(listed).toBe(1);
  for (let times = 0; times < 3; times++) expect(names("small")!.twin("one.md")).toBe("One.md");
  expect(listed).toBe(4);
});

test("the root is a folder too, and one that is not there is none", () => {
  expect(["Large", "SMALL", "large", "other"].map(names("")!.twin)).toEqual(["large", "small", null, null]);
  expect(names("gone")).toBe(null);
  expect(names("small/One.md")).toBe(null);
});

test("what others put there, rename or take away is seen", () => {
  names("large");
  writeFileSync(join(root, "large/New.md"), "");
  expect(names("large")!.twin("new.md")).toBe("New.md");
  rmSync(join(root, "large/New.md"));
  expect(names("large")!.twin("new.md")).toBe(null);
});

test("what we put there is known without listing it again", async () => {
  names("large");
  for (const name of ["A.md", "B.md", "a.md"])
    await listings.following(disk, [place(`large/${name}`)], write(`large/${name}`));
  expect([names("large")!.twin("A.md"), names("large")!.twin("a.md")]).toEqual(["a.md", "A.md"]);
  expect(names("large")!.twin("b.md")).toBe("B.md");
  expect(listed).toBe(1);
});

test("what others did before a change of ours, what is removed, and what fails is not guessed", async () => {
  names("large");
  writeFileSync(join(root, "large/Theirs.md"), "");
  await listings.following(disk, [place("large/Ours.md")], write("large/Ours.md"));
  expect(names("large")!.twin("theirs.md")).toBe("Theirs.md");
  const remove: FileOperation = { do: "remove", path: "large/Ours.md", old: "" };
  await listings.following(disk, [remove], async () => rmSync(join(root, "large/Ours.md")));
  expect(names("large")!.twin("ours.md")).toBe(null);
  const failing = listings.following(disk, [place("large/Never.md")], async () => {
    throw new Error("no room");
  });
  await expect(failing).rejects.toThrow("no room");
  expect(names("large")!.twin("never.md")).toBe(null);
});

test("a folder that was changed just now is listed again", () => {
  const now = new Date();
  listings = openListings(() => now.getTime());
  utimesSync(join(root, "large"), now, now);
  names("large");
  names("large");
  expect(listed).toBe(2);
});

test("a name is found by how it folds, whatever its letters and however often it is asked for", () => {
  // The sign for kelvin is no letter of ASCII, and small it is one.
  const spellings = ["Kelvin.md", "\u212aelvin.md", "Ä.md", "a\u0308.md", "STRASSE.md", "Σας.md"];
  for (const name of spellings) writeFileSync(join(root, "small", name), "");
  const asked = ["kelvin.md", "ä.md", "strasse.md", "σασ.md", "kelvi.md", "one.md", "KELVIN.md"];
  const expected = [/elvin/, /a\u0308|Ä/, /STRASSE/, /Σας/, null, /One/, /elvin/];
  const here = names("small")!;
  asked.forEach((name, at) => {
    const [once, again] = [names("small")!.twin(name), here.twin(name)];
    for (const found of [once, again])
      if (expected[at] === null) expect(found).toBe(null);
      else expect(found).toMatch(expected[at]!);
  });
});
