/** Makes a release from a tag, in a clean checkout of it: `node scripts/release.mjs --dry-run [--tag vVERSION]` does all but publish. A workflow calls it; nobody publishes by hand. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { imageOf, registryName, repositoryOf, serverJson } from "./server-json.mjs";

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, tag: { type: "string" }, out: { type: "string" } },
});

const run = (cwd, command, ...args) => {
  console.error(`$ ${command} ${args.join(" ")}`);
  execFileSync(command, args, { cwd, stdio: "inherit" });
};
const said = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: "utf8" }).trim();
const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Refuses before anything is built: a release that cannot be published helps nobody. */
const checked = (manifest, tag) => {
  repositoryOf(manifest);
  if (manifest.mcpName !== registryName(manifest))
    throw new Error(`"mcpName" in package.json must be "${registryName(manifest)}".`);
  if (tag !== `v${manifest.version}`)
    throw new Error(`The tag ${tag} is not that of the version in package.json: v${manifest.version}.`);
};

const checkout = (tag, folder) => {
  run(
    process.cwd(),
    "git",
    "clone",
    "--quiet",
    "--depth",
    "1",
    "--branch",
    tag,
    `file://${resolve(".")}`,
    folder,
  );
  run(folder, "npm", "ci", "--ignore-scripts");
  run(folder, "npm", "run", "build");
};

const pack = (folder, out) => {
  mkdirSync(out, { recursive: true });
  return join(
    out,
    said(folder, "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", out).split("\n").at(-1),
  );
};

const release = () => {
  const tag = values.tag ?? said(".", "git", "describe", "--exact-match", "--tags");
  checked(JSON.parse(said(".", "git", "show", `${tag}:package.json`)), tag);
  const scratch = mkdtempSync(join(tmpdir(), "notewright-release-"));
  try {
    const [first, second] = [join(scratch, "first"), join(scratch, "second")];
    checkout(tag, first);
    run(first, "npm", "run", "check");
    const packed = pack(first, resolve(values.out ?? "release"));
    process.env.NOTEWRIGHT_PACKED = packed;
    run(first, "npm", "run", "test:install");
    // What is published is what anybody makes of the tag.
    checkout(tag, second);
    if (sha256(pack(second, join(scratch, "again"))) !== sha256(packed))
      throw new Error("Two builds of the tag differ: what would be published cannot be checked by others.");
    const out = resolve(values.out ?? "release");
    run(first, "node", "scripts/bundle.mjs", out);
    const manifest = JSON.parse(readFileSync(join(first, "package.json"), "utf8"));
    const bundle = join(out, `notewright-${manifest.version}.mcpb`);
    const listed = serverJson(manifest, sha256(bundle));
    writeFileSync(join(out, "server.json"), `${JSON.stringify(listed, null, 2)}\n`);
    console.error(`${packed}\n${bundle}\n${join(out, "server.json")}\nimage: ${imageOf(manifest)}`);
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
