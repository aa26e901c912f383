/** A release is refused before anything is built where it could not be published. The whole of it is played by `npm run test:release`. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runToEnd } from "./process.ts";

const NAMED = {
  version: "1.0.0",
  repository: { type: "git", url: "git+https://github.com/someone/notewright.git" },
  mcpName: "io.github.someone/notewright",
};

test.each([
  ["no repository", { version: "1.0.0" }, ["v1.0.0"], [], "package.json names no GitHub repository"],
  [
    "no name in the registry",
    { ...NAMED, mcpName: undefined },
    ["v1.0.0"],
    [],
    '"mcpName" in package.json must be "io.github.someone/notewright"',
  ],
  ["no tag", NAMED, [], [], "This commit has no tag. Give it that of its version: git tag v1.0.0"],
  [
    "another version than the tag's",
    { ...NAMED, version: "1.0.1" },
    ["v1.0.0"],
    [],
    "The tag v1.0.0 is not that of the version in package.json: v1.0.1",
  ],
  [
    "another tag than that of its version",
    NAMED,
    ["v1.0.0", "latest"],
    ["--tag", "latest"],
    "The tag latest is not that of the version in package.json: v1.0.0",
  ],
])("with %s", async (_, manifest, tags, args, said) => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-release-"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: folder,
      stdio: "ignore",
    });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  for (const tag of tags) git("tag", tag);
  const environment = { PATH: process.env["PATH"] ?? "" };
  const script = [resolve("scripts/release.mjs"), "--dry-run", ...args];
  const ended = await runToEnd(script, { environment, cwd: folder });
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(said) });
  expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  rmSync(folder, { recursive: true, force: true });
});

test("what is published passes the whole check, and no other", async () => {
  const environment = { PATH: process.env["PATH"] ?? "" };
  const ended = await runToEnd([resolve("scripts/release.mjs"), "--check", "true"], { environment });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("--check is for a dry run") });
});

test("the workflow calls the script, and publishes nothing by itself", () => {
  const workflow = readFileSync(".github/workflows/release.yml", "utf8");
  expect(workflow.match(/run: .*/g)).toContain("run: node scripts/release.mjs");
  expect(workflow).toContain("id-token: write");
  expect(workflow).not.toContain("publish --");
});
