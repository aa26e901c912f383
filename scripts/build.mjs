/** Bundles the commands into dist/, one small ES module each, with what they share and what they need late in chunks. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const ENTRIES = { notewright: "src/cli/main.ts", "obs-mcp": "src/cli/obs-mcp.ts", tour: "src/cli/tour.ts" };

/** What the bundled libraries carry and no command of ours can reach: half of the size, and some of each start. */
const UNREACHED = [
  { filter: /zod\/v4\/locales\/index\.js$/, contents: 'export { default as en } from "./en.js";' },
  {
    // A server checks answers to its own questions against a JSON Schema; ours asks none.
    filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/,
    contents:
      'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator { getValidator() { throw new Error("left out of the bundle"); } }',
  },
];
const leaveOut = {
  name: "leave-out",
  setup(bundler) {
    for (const { filter, contents } of UNREACHED) bundler.onLoad({ filter }, () => ({ contents }));
  },
};

/** Libraries that most sessions never call: odd YAML, patterns in rules. Each is a file of its own, read when it is first called. */
const LATE = ["yaml", "re2js"];
const lateFile = (library) => `late-${library}.cjs`;

/** What stands in the bundle for such a library: the same names, each of which loads it. Synchronous, as whoever calls it is. */
const standIn = async (library) => {
  const names = Object.keys(await import(library)).filter((name) => /^\w+$/.test(name) && name !== "default");
  const one = (name) =>
    /^[A-Z]/.test(name)
      ? `export const ${name} = /* @__PURE__ */ new Proxy(function () {}, {
           get: (_, key) => load().${name}[key],
           construct: (_, values) => new (load().${name})(...values),
         });`
      : `export const ${name} = (...values) => load().${name}(...values);`;
  return `const beside = import.meta.url.includes("/chunks/") ? "./" : "./chunks/";
    let loaded;
    const load = () => (loaded ??= require([beside, ${JSON.stringify(lateFile(library))}].join("")));
    ${names.map(one).join("\n")}`;
};
const loadLate = {
  name: "load-late",
  setup(bundler) {
    const filter = new RegExp(`^(?:${LATE.join("|")})$`);
    bundler.onResolve({ filter }, ({ path }) => ({ path, namespace: "late" }));
    bundler.onLoad({ filter, namespace: "late" }, async ({ path }) => ({ contents: await standIn(path) }));
  },
};
const lateLibrary = async (bundle, library) => {
  const { outputFiles } = await bundle({
    stdin: { contents: `module.exports = require("${library}");`, resolveDir: root },
    outfile: join(dist, "chunks", lateFile(library)),
    bundle: true,
    minify: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    legalComments: "none",
    logLevel: "warning",
  });
  return outputFiles[0];
};

export const build = async () => {
  const { build: bundle } = await import("esbuild");
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: dist,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@photostructure/sqlite", "node:sqlite"],
    // Libraries inside that are CommonJS ask for Node's own modules by `require`.
    banner: {
      js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);',
    },
    plugins: [leaveOut, loadLate],
    legalComments: "none",
    logLevel: "warning",
  });
  for (const library of LATE) outputFiles.push(await lateLibrary(bundle, library));
  // Chunks first and each file by a rename, so that a server started meanwhile finds whole files.
  const entries = new Set(Object.keys(ENTRIES).map((name) => join(dist, `${name}.mjs`)));
  const ordered = outputFiles.toSorted((a, b) => Number(entries.has(a.path)) - Number(entries.has(b.path)));
  for (const file of ordered) {
    mkdirSync(dirname(file.path), { recursive: true });
    const temporary = `${file.path}.${process.pid}`;
    writeFileSync(temporary, file.contents);
    renameSync(temporary, file.path);
  }
  const wanted = new Set(outputFiles.map((file) => relative(dist, file.path)));
  for (const name of readdirSync(join(dist, "chunks"))) {
    if (!wanted.has(join("chunks", name)) && /\.[cm]js$/.test(name))
      rmSync(join(dist, "chunks", name), { force: true });
  }
  return outputFiles.reduce((sum, file) => sum + file.contents.length, 0);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const bytes = await build();
    if (!process.argv.includes("--quiet")) console.error(`Built dist/ (${Math.round(bytes / 1024)} KB).`);
  } catch (error) {
    // Installed without the tools to build, and already built: nothing to do.
    const missing = error?.code === "ERR_MODULE_NOT_FOUND";
    if (missing && existsSync(join(dist, "notewright.mjs"))) process.exit(0);
    console.error(missing ? "esbuild is not installed: run `npm ci` first." : error);
    process.exit(1);
  }
}
