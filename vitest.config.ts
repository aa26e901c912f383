import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Vaults of tests lie on a disk in memory where there is a large one: a fifth of the time went into flushing what nobody keeps. */
const quickPlace = (): string => {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
};

export default defineConfig({
  // A class that only Cloudflare's runtime has; scripts/build.mjs does the same.
  resolve: {
    alias: { "cloudflare:workers": fileURLToPath(new URL("test/cloudflare-workers.ts", import.meta.url)) },
  },
  test: {
    server: { deps: { inline: ["@cloudflare/workers-oauth-provider"] } },
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    env: { TMPDIR: quickPlace() },
    // A guard against hanging, never a measure of speed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
