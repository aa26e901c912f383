import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // A guard against hanging, never a measure of speed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
