import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";

/** Vaults of tests lie on a disk in memory where there is a large one: a fifth of the time went into flushing what nobody keeps. */
const quickPlace = (): string => {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
};

/** What all tests share. */
export const common = defineConfig({
  // A class that only Cloudflare's runtime has; scripts/build.mjs does the same.
  resolve: {
    alias: { "cloudflare:workers": fileURLToPath(new URL("test/cloudflare-workers.ts", import.meta.url)) },
  },
  test: {
    server: { deps: { inline: ["@cloudflare/workers-oauth-provider"] } },
    pool: "forks",
    maxWorkers: 2,
    env: { TMPDIR: quickPlace() },
    // A guard against hanging, never a measure of speed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});

/** Tests beside the code share a process from file to file, because no module there has a state; that saves loading it two hundred times. The others start programs and set their surroundings. */
export default mergeConfig(common, {
  test: {
    projects: [
      { extends: true, test: { name: "src", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts", "bench/**/*.test.ts"] } },
    ],
  },
});
