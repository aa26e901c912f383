/** A program of the tests as one file that plain Node runs. */

import { build } from "esbuild";
import { resolve } from "node:path";

export async function bundle(source: string, outfile: string): Promise<void> {
  const sqlite = resolve("node_modules/@photostructure/sqlite/dist/index.mjs");
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    alias: { "@photostructure/sqlite": sqlite },
    external: [sqlite, "node:sqlite"],
    banner: {
      js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);',
    },
    logLevel: "warning",
  });
}
