/** A release is refused before anything is built where it could not be published. The whole of it is tried by hand: `node scripts/release.mjs --dry-run`. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runToEnd } from "./process.ts";

const REPOSITORY = { type: "git", url: "git+https://github.com/someone/notewright.git" };

test.each([
  ["no repository", { version: "1.0.0" }, "package.json names no GitHub repository"],
  [
    "no name in the registry",
    { version: "1.0.0", repository: REPOSITORY },
    '"mcpName" in package.json must be "io.github.someone/notewright"',
  ],
  [
    "another version than the tag's",
    { version: "1.0.1", repository: REPOSITORY, mcpName: "io.github.someone/notewright" },
    "The tag v1.0.0 is not that of the version in package.json: v1.0.1",
  ],
])("with %s", async (_, manifest, said) => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-release-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  git("tag", "v1.0.0");
  const environment = { PATH: process.env["PATH"] ?? "" };
  const ended = await runToEnd([resolve("scripts/release.mjs"), "--dry-run"], { environment, cwd: folder });
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(said) });
  rmSync(folder, { recursive: true, force: true });
});

test("the workflow calls the script, and publishes nothing by itself", () => {
  const workflow = readFileSync(".github/workflows/release.yml", "utf8");
  expect(workflow.match(/run: .*/g)).toContain("run: node scripts/release.mjs");
  expect(workflow).toContain("id-token: write");
  expect(workflow).not.toContain("publish --");
});
