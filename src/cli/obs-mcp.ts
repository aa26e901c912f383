/** The command `obs-mcp`: `notewright serve --tools obsidian` under the name its spec gives it. */

import { runCommand } from "./command.ts";

await runCommand(["serve", "--tools", "obsidian", ...process.argv.slice(2)]);
