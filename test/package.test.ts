/** The package as it is published: what it brings along, and what a Node that is too old makes of it. */

import { readFileSync, readdirSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import lock from "../package-lock.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };

test("nothing is installed beside it: what it needs is bundled, and the SQLite of Node 20 is asked for by name", () => {
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("optionalDependencies");
  expect(Object.keys(manifest.peerDependencies).toSorted()).toEqual(
    Object.keys(manifest.peerDependenciesMeta).toSorted(),
  );
  for (const { optional } of Object.values(manifest.peerDependenciesMeta)) expect(optional).toBe(true);
  expect(manifest.peerDependencies["@photostructure/sqlite"]).toBe(
    manifest.devDependencies["@photostructure/sqlite"],
  );
  for (const name of ["install", "preinstall", "postinstall"])
    expect(manifest.scripts).not.toHaveProperty(name);
});

test("the lock file names no registry, so that it installs from any", () => {
  for (const [path, entry] of Object.entries(lock.packages))
    expect(entry, path).not.toHaveProperty("resolved");
});

test("Node 12 can read what says that it is too old", () => {
  const forNode = (text: string, target: string) =>
    transformSync(text, { target, format: "esm", minifyWhitespace: true }).code;
  expect(forNode("a ?? b", "node12.20")).not.toBe(forNode("a ?? b", "esnext"));
  const files = readdirSync("bin").filter((name) => name !== "start.mjs");
  expect(files.length).toBe(3);
  for (const name of files) {
    const text = readFileSync(`bin/${name}`, "utf8");
    expect(text, name).not.toMatch(/from "node:|from "\.\/start/);
    expect(forNode(text, "node12.20"), name).toBe(forNode(text, "esnext"));
  }
});
