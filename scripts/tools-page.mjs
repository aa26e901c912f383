/** Writes docs/TOOLS.md from the surfaces. */

import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", "test/tools-page.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, TOOLS_PAGE: "write" },
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
