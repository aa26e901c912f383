import { defineConfig, mergeConfig } from "vitest/config";
import { common } from "../../vitest.config.ts";

/** `npm run test:edge`: all of the second home, also what is too long for each `npm test`. */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [] } },
  defineConfig({
    test: {
      include: [
        "test/workerd/**/*.{test,long}.ts",
        "src/worker/**/*.test.ts",
        "src/stores/r2*.test.ts",
        "src/history/rows.test.ts",
        "test/copies.test.ts",
      ],
    },
  }),
);
