/** Writes the pages that are made from the source: docs/TOOLS.md and docs/MAP.md. */

import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", "test/tools-page.test.ts", "test/map-page.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, PAGES: "write" },
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
