/** A release is played whole, but for publishing: in a clone of what lies here, with a repository and a tag of its own. Only the check is a quick one. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { runToEnd } from "../process.ts";

const folder = mkdtempSync(join(tmpdir(), "notewright-releasing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clone = join(folder, "clone");
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" });

const PUBLISHED = {
  ...manifest,
  repository: { type: "git", url: "git+https://github.com/Someone/notewright.git" },
  mcpName: "io.github.Someone/notewright",
};

/** What is not committed yet counts too, so that a change to the script can be tried. */
const makeClone = (): void => {
  for (const path of git(".", "ls-files", "-z", "-co", "--exclude-standard").split("\0").filter(Boolean))
    cpSync(resolve(path), join(clone, path));
  writeFileSync(join(clone, "package.json"), `${JSON.stringify(PUBLISHED, null, 2)}\n`);
  git(clone, "init", "-q");
  git(clone, "add", ".");
  git(clone, "commit", "-qm", "a release");
  git(clone, "tag", `v${manifest.version}`);
};

test("--dry-run checks, packs, installs, builds again, and makes bundle and server.json", async () => {
  makeClone();
  // The release starts tests of its own, which know nothing of this one.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_ENV$)/.test(name)),
  ) as Record<string, string>;
  const out = join(folder, "out");
  const script = [resolve("scripts/release.mjs"), "--dry-run", "--out", out];
  const check = "test -f dist/notewright.cjs && git describe --exact-match --tags >&2";
  const ended = await runToEnd([...script, "--check", check], { environment, cwd: clone });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stderr).toContain(`\nv${manifest.version}\n`);
  expect(ended.stderr).toMatch(/This is a dry run: nothing was published\.\n$/);
  const names = [`notewright-${manifest.version}.mcpb`, `notewright-${manifest.version}.tgz`, "server.json"];
  expect(readdirSync(out).toSorted()).toEqual(names);
  const listed = JSON.parse(readFileSync(join(out, "server.json"), "utf8"));
  const bundle = createHash("sha256").update(readFileSync(join(out, names[0]!)));
  expect(listed).toMatchObject({ name: PUBLISHED.mcpName, version: manifest.version });
  expect(listed.packages[1].fileSha256).toBe(bundle.digest("hex"));
  expect(ended.stderr).toContain(`docker build --tag ${listed.packages[2].identifier} `);
  expect(ended.stderr).toContain(`--label io.modelcontextprotocol.server.name=${PUBLISHED.mcpName} .`);
  // Nothing is left beside the clone but what was asked for.
  expect(git(clone, "status", "--porcelain")).toBe("");
}, 1_200_000);
