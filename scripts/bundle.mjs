/** Makes notewright-VERSION.mcpb, the bundle that desktop hosts install by a double click: `node scripts/bundle.mjs [FOLDER]`. It holds no native code, so it needs a Node that has SQLite. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packExtension } from "@anthropic-ai/mcpb";
import { repositoryOf } from "./server-json.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const SURFACES = ["native", "obsidian", "bridges", "wiki", "cairn", "notes"];

export const manifestOf = ({ version, description, license, author, repository }) => ({
  manifest_version: "0.3",
  name: "notewright",
  display_name: "Notewright",
  version,
  description,
  author: { name: author ?? "The Notewright authors" },
  ...(repository ? { repository: { type: "git", url: repositoryOf({ repository }).url } } : {}),
  license,
  icon: "icon.png",
  server: {
    type: "node",
    entry_point: "bin/notewright.mjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/bin/notewright.mjs", "serve", "${user_config.vault}"],
      env: {
        NOTEWRIGHT_TOOLS: "${user_config.tools}",
        NOTEWRIGHT_READ_ONLY: "${user_config.read_only}",
      },
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=22.16.0" } },
  user_config: {
    vault: {
      type: "directory",
      title: "Your notes",
      description: "The folder of Markdown notes, such as an Obsidian vault.",
      required: true,
    },
    // Manifests of this version know no list to choose from.
    tools: {
      type: "string",
      title: "Set of tools",
      description: `One of: ${SURFACES.join(", ")}.`,
      default: "native",
      required: false,
    },
    read_only: {
      type: "boolean",
      title: "Read only",
      description: "Leave out every tool that writes.",
      default: false,
      required: false,
    },
  },
});

/** What a host runs over stdin and stdout: not the tour, nor the page. */
const isServed = (name) =>
  name === "notewright.cjs" || /^(?:index|pdf)-thread\.cjs$/.test(name) || name.startsWith("late-");

/** Gives the path of the bundle. */
export const makeBundle = async (folder) => {
  const manifest = manifestOf(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const staged = mkdtempSync(join(tmpdir(), "notewright-bundle-"));
  const file = join(resolve(folder), `notewright-${manifest.version}.mcpb`);
  try {
    writeFileSync(join(staged, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(root, "packaging", "icon.png"), join(staged, "icon.png"));
    cpSync(join(root, "LICENSE"), join(staged, "LICENSE"));
    cpSync(join(root, "bin"), join(staged, "bin"), { recursive: true });
    mkdirSync(join(staged, "dist"));
    for (const name of readdirSync(join(root, "dist")).filter(isServed))
      cpSync(join(root, "dist", name), join(staged, "dist", name));
    mkdirSync(folder, { recursive: true });
    if (!(await packExtension({ extensionPath: staged, outputPath: file, silent: true })))
      throw new Error("mcpb refuses the manifest: see above.");
    return file;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.error(await makeBundle(process.argv[2] ?? root));
