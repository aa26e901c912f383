#!/usr/bin/env node
// `notewright serve --tools obsidian`, under the name that its spec gives it. Its vault is OBSIDIAN_VAULT_PATH and no other.
import { start } from "./checked-node.mjs";

const vault = process.env.OBSIDIAN_VAULT_PATH;
const args = process.argv.slice(2);
if (vault || args.includes("--help") || args.includes("-h"))
  start(["serve", "--tools", "obsidian", ...args, "--", ...(vault ? [vault] : [])]);
else {
  process.stderr.write("OBSIDIAN_VAULT_PATH not set\n");
  process.exitCode = 1;
}
