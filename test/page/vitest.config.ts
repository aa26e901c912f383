import { defineConfig } from "vitest/config";

/** `npm run test:page`: what of the page is too long for each `npm test` (page.long.ts). */
export default defineConfig({
  test: {
    include: ["test/page/**/*.long.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
