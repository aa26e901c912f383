import { defineConfig } from "vitest/config";

/** `npm run test:soak [-- NAME]`: what is too long for each commit, one file after another. `NOTEWRIGHT_SOAK_SCALE=0.1` runs a tenth of it. */
export default defineConfig({
  test: {
    include: ["test/soak/*.soak.ts"],
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
