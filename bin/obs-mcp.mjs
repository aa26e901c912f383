#!/usr/bin/env node
// `notewright serve --tools obsidian`, under the name that its spec gives it.
import { start } from "./start.mjs";

await start(["serve", "--tools", "obsidian", ...process.argv.slice(2)]);
