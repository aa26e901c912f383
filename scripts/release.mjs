/**
 * Makes a release from a tag, in a clean checkout of it: `node scripts/release.mjs --dry-run [--tag vVERSION] [--out FOLDER] [--check COMMAND]` does
 * all but publish. A workflow calls it; nobody publishes by hand.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkedServerJson, imageOf, registryName, repositoryOf } from "./server-json.mjs";

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean" },
    tag: { type: "string" },
    out: { type: "string", default: "release" },
    // What the checkout must pass; a dry run may be content with less.
    check: { type: "string" },
  },
});

const run = (cwd, command, ...args) => {
  console.error(`$ ${command} ${args.join(" ")}`);
  execFileSync(command, args, { cwd, stdio: "inherit" });
};
const said = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: "utf8" }).trim();
const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Refuses before anything is built: a release that cannot be published helps nobody. Gives the tag. */
const checkedTag = () => {
  if (values.check !== undefined && !values["dry-run"])
    throw new Error("--check is for a dry run: what is published passes npm run check.");
  const manifest = JSON.parse(said(".", "git", "show", `${values.tag ?? "HEAD"}:package.json`));
  repositoryOf(manifest);
  if (manifest.mcpName !== registryName(manifest))
    throw new Error(`"mcpName" in package.json must be "${registryName(manifest)}".`);
  const wanted = `v${manifest.version}`;
  const tags = (values.tag ?? said(".", "git", "tag", "--points-at", "HEAD")).split("\n");
  if (tags[0] === "")
    throw new Error(`This commit has no tag. Give it that of its version: git tag ${wanted}`);
  if (!tags.includes(wanted))
    throw new Error(`The tag ${tags[0]} is not that of the version in package.json: ${wanted}.`);
  return wanted;
};

const checkout = (tag, folder) => {
  const from = `file://${resolve(".")}`;
  const quietly = ["-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", "1"];
  run(process.cwd(), "git", ...quietly, "--branch", tag, from, folder);
  run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  run(folder, "npm", "run", "build");
};

const pack = (folder, out) => {
  mkdirSync(out, { recursive: true });
  return join(
    out,
    said(folder, "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", out).split("\n").at(-1),
  );
};

/** By this the registry proves the image ours. */
const label = (manifest) => `io.modelcontextprotocol.server.name=${registryName(manifest)}`;

const release = () => {
  const tag = checkedTag();
  const out = resolve(values.out);
  const scratch = mkdtempSync(join(tmpdir(), "notewright-release-"));
  try {
    const [first, second] = [join(scratch, "first"), join(scratch, "second")];
    checkout(tag, first);
    run(first, "sh", "-c", values.check ?? "NOTEWRIGHT_SOAK=1 npm run check");
    const packed = pack(first, out);
    process.env.NOTEWRIGHT_PACKED = packed;
    run(first, "npm", "run", "test:install");
    // What is published is what anybody makes of the tag.
    checkout(tag, second);
    if (sha256(pack(second, join(scratch, "again"))) !== sha256(packed))
      throw new Error("Two builds of the tag differ: what would be published cannot be checked by others.");
    run(first, "node", "scripts/bundle.mjs", out);
    const manifest = JSON.parse(readFileSync(join(first, "package.json"), "utf8"));
    const bundle = join(out, `notewright-${manifest.version}.mcpb`);
    const listed = join(out, "server.json");
    writeFileSync(listed, `${JSON.stringify(checkedServerJson(manifest, sha256(bundle)), null, 2)}\n`);
    console.error(`${packed}\n${bundle}\n${listed}`);
    console.error(`The image: docker build --tag ${imageOf(manifest)} --label ${label(manifest)} .`);
    if (values["dry-run"]) return console.error("This is a dry run: nothing was published.");
    run(first, "npm", "publish", packed, "--provenance", "--access", "public", "--ignore-scripts");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

try {
  release();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
