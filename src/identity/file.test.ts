import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeIdentities, readIdentities } from "./file.ts";
import type { Identity } from "./identity.ts";

let folder: string;
const file = (): string => join(folder, "notewright", "identities.json");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "notewright-identities-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const named = (name: string): Identity => ({
  name,
  vault: null,
  secret: null,
  rights: "read",
  folders: "all",
  surfaces: "all",
  made: "",
});

test("changes that come at once are all kept", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  await Promise.all(names.map((name) => changeIdentities(file(), (known) => [...known, named(name)])));
  expect(
    readIdentities(file())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names.toSorted());
  expect(existsSync(`${file()}.lock`)).toBe(false);
});

test("a change that is refused changes nothing and keeps nobody waiting", async () => {
  await changeIdentities(file(), () => [named("one")]);
  const refused = changeIdentities(file(), () => {
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  await changeIdentities(file(), (known) => [...known, named("two")]);
  expect(readIdentities(file()).map(({ name }) => name)).toEqual(["one", "two"]);
});

test("a lock that a process left behind is taken over", async () => {
  await changeIdentities(file(), () => [named("one")]);
  writeFileSync(`${file()}.lock`, "");
  const earlier = Date.now() / 1000 - 60;
  utimesSync(`${file()}.lock`, earlier, earlier);
  await changeIdentities(file(), (known) => [...known, named("two")]);
  expect(readIdentities(file()).map(({ name }) => name)).toEqual(["one", "two"]);
});

test("what a process that died left behind is no hindrance, also to one of the same number", async () => {
  await changeIdentities(file(), () => [named("one")]);
  writeFileSync(`${file()}.${process.pid}.new`, "{");
  await changeIdentities(file(), (known) => [...known, named("two")]);
  expect(readIdentities(file()).map(({ name }) => name)).toEqual(["one", "two"]);
});
