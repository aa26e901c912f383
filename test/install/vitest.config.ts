import { defineConfig } from "vitest/config";

/** `npm run test:install`: the packed package and the bundle, installed and run on other versions of Node. `npm run test:release`: a release. */
export default defineConfig({
  test: {
    include: ["test/install/**/*.long.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
