/** Builds the server and a benchmark of bench/, and runs it: `npm run bench -- [NAME] [--size N]`; NAME is a file there without its ending, `all` where it is left out. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { build } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const known = readdirSync(join(root, "bench")).flatMap((name) =>
  name.endsWith(".bench.ts") ? [name.slice(0, -9)] : [],
);
const args = process.argv.slice(2);
const name = args[0] && !args[0].startsWith("-") ? args.shift() : "all";
if (!known.includes(name)) {
  console.error(`There is no benchmark "${name}". There are: ${known.join(", ")}.`);
  process.exit(2);
}
await build();
const out = join(root, "node_modules/.cache/notewright-bench", `${name}.mjs`);
mkdirSync(join(out, ".."), { recursive: true });
await bundle({
  entryPoints: [join(root, "bench", `${name}.bench.ts`)],
  outfile: out,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  logLevel: "warning",
  plugins: [
    {
      name: "the-build-stays-a-file",
      // It knows by its own place where the project is, and whether it is the program that runs.
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/scripts\/build\.mjs$/ }, () => ({
          path: new URL("build.mjs", import.meta.url).href,
          external: true,
        })),
    },
  ],
});
process.exit(spawnSync(process.execPath, [out, ...args], { cwd: root, stdio: "inherit" }).status ?? 1);
