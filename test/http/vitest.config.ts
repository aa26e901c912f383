import { defineConfig } from "vitest/config";

/** `npm run test:http`: what of HTTP is too long for each `npm test`. */
export default defineConfig({
  test: {
    include: ["test/http/**/*.long.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
