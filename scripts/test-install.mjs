/** Installs the packed package, and runs it and the bundle, on this Node and on newer ones, which are installed into test/install. `release` plays a release instead. */

import { spawnSync } from "node:child_process";

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

if (process.platform === "linux" && process.arch === "x64")
  run("npm", ["ci", "--prefix", "test/install", "--ignore-scripts", "--no-audit", "--no-fund"]);
else console.log("Other versions of Node are installed on Linux on x64 only; this runs on your own.");
run("npx", ["vitest", "run", "--config", "test/install/vitest.config.ts", process.argv[2] ?? "packed"]);
