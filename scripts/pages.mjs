/** Writes the pages that are made from the source: docs/TOOLS.md, docs/MAP.md and man/notewright.1. */

import { spawnSync } from "node:child_process";

const TESTS = ["test/tools-page.test.ts", "test/map-page.test.ts", "src/cli/completion/completion.test.ts"];
const { status } = spawnSync("npx", ["vitest", "run", ...TESTS], {
  stdio: "inherit",
  env: { ...process.env, PAGES: "write" },
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
