/** Runs the transcripts; with --accept rewrites their answers, for the difference to be reviewed like code. Names narrow it down. */

import { spawnSync } from "node:child_process";

const names = process.argv.slice(2).filter((argument) => argument !== "--accept");
const accept = process.argv.includes("--accept");
const pattern = names.length > 0 ? ["-t", names.join(" ")] : [];
const { status } = spawnSync("npx", ["vitest", "run", "test/transcripts.test.ts", ...pattern], {
  stdio: "inherit",
  env: { ...process.env, TRANSCRIPTS: accept ? "accept" : "compare" },
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
