/** Bundles the command line into one file of dist/, for bin/start.mjs to load; libraries that are needed late, the tour and the Worker into files of their own. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage } from "./build-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

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

/**
 * The protocol library makes a schema of every type of the protocol while it is loaded, for programs that check single types; ours checks
 * none. Without that list, and with each schema marked as free of effects, the bundler leaves out those that nothing else needs.
 */
const UNUSED_SCHEMAS = [
  {
    filter: /@modelcontextprotocol\/server\/dist\/src-[^/]*\.mjs$/,
    find: /^(?:for \(const .* register\(key, .*\);|const authSchemas = \{[^}]*\};)$/gm,
    put: "",
  },
  {
    filter: /@modelcontextprotocol\/core\/dist\/(?:schemas|auth)-[^/]*\.mjs$/,
    find: /^const (\w+) = ((?:z|\w+Schema)\.[\s\S]*?);\n(?=\n|[^\s})\]])/gm,
    put: "const $1 = /* @__PURE__ */ (() => $2)();\n",
  },
];
const leaveOutSchemas = {
  name: "leave-out-schemas",
  setup(bundler) {
    for (const { filter, find, put } of UNUSED_SCHEMAS)
      bundler.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replace(find, put);
        if (contents === text) throw new Error(`${path} is not as it was: UNUSED_SCHEMAS must be looked at.`);
        return { contents };
      });
  },
};

/** Libraries that most sessions never call: odd YAML, patterns in rules, signing in, clients' configurations. Each is a file of its own, read when it is first called. */
const LATE = ["yaml", "re2js", "@cloudflare/workers-oauth-provider", "jsonc-parser"];
const lateFile = (library) => `late-${library.split("/").at(-1)}.cjs`;
/** What we import of a library that cannot be loaded as it is. */
const NAMES = {
  "@cloudflare/workers-oauth-provider": [
    "AuthorizationError",
    "OAuthAuthorizationServer",
    "OAuthError",
    "authorizationErrorRedirect",
  ],
};

/** What stands in the bundle for such a library: the same names, each of which loads it. Synchronous, as whoever calls it is. */
const standIn = async (library) => {
  const names =
    NAMES[library] ??
    Object.keys(await import(library)).filter((name) => /^\w+$/.test(name) && name !== "default");
  const one = (name) =>
    /^[A-Z]/.test(name)
      ? `export const ${name} = /* @__PURE__ */ new Proxy(function () {}, {
           get: (_, key) => load().${name}[key],
           construct: (_, values) => new (load().${name})(...values),
         });`
      : `export const ${name} = (...values) => load().${name}(...values);`;
  // Put together when it is called, or it would be bundled after all.
  return `let loaded;
    const load = () => (loaded ??= require([".", ${JSON.stringify(lateFile(library))}].join("/")));
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
/** A class that only Cloudflare's runtime has, and that no role which we use of that library needs. */
const withoutWorkers = {
  name: "without-workers",
  setup(bundler) {
    const filter = /^cloudflare:workers$/;
    bundler.onResolve({ filter }, ({ path }) => ({ path, namespace: "workers" }));
    bundler.onLoad({ filter, namespace: "workers" }, () => ({
      contents: "export class WorkerEntrypoint {}",
    }));
  },
};
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  platform: "node",
  target: "node20",
  external: ["@photostructure/sqlite", "node:sqlite"],
  legalComments: "none",
  logLevel: "warning",
};

// One script that V8 can keep the code of, so all that would be imported later is inside, and begun when it is asked for.
const commandLine = {
  ...COMMON,
  entryPoints: ["src/cli/command.ts"],
  format: "cjs",
  supported: { "dynamic-import": false },
  plugins: [leaveOut, leaveOutSchemas, loadLate],
};
const indexThread = {
  ...COMMON,
  entryPoints: ["src/vault/index-thread-run.ts"],
  format: "cjs",
  plugins: [loadLate],
};
/** The package that reads PDFs is an optional one, which the thread asks for when it runs. */
const pdfThread = {
  ...COMMON,
  entryPoints: ["src/vault/pdf-thread-run.ts"],
  format: "cjs",
  external: ["unpdf"],
};
const tour = {
  ...COMMON,
  entryPoints: ["src/cli/tour.ts"],
  format: "esm",
  // Libraries inside that are CommonJS ask for Node's own modules by `require`.
  banner: {
    js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);',
  },
  plugins: [leaveOut],
};
/** The Worker, for `notewright deploy` to copy: one file, which asks for two modules of Node that the runtime has. */
export const worker = {
  ...COMMON,
  entryPoints: ["src/worker/main.ts"],
  format: "esm",
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
  plugins: [leaveOut, leaveOutSchemas],
};
const lateLibrary = (library) => ({
  ...COMMON,
  stdin: { contents: `module.exports = require("${library}");`, resolveDir: root },
  // The other form of one of them asks for its parts in a way that cannot be bundled.
  mainFields: ["module", "main"],
  format: "cjs",
  plugins: [withoutWorkers],
  // One of them warns, when it is loaded, of a setting that Node does not have.
  drop: ["console"],
});

/** It is read a byte a letter, which is quicker. What the bundler leaves as it is stands in regular expressions, where this means the same. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
/** By its last line bin/start.mjs tells one build from another. */
const signed = (text) => `${text}//${createHash("sha256").update(text).digest("hex")}`;

export const build = async () => {
  const { build: bundle } = await import("esbuild");
  const made = async (options) => (await bundle({ ...options, outdir: dist })).outputFiles[0].text;
  const files = {
    "notewright.cjs": signed(inAscii(await made(commandLine))),
    "index-thread.cjs": inAscii(await made(indexThread)),
    "pdf-thread.cjs": inAscii(await made(pdfThread)),
    "tour.mjs": await made(tour),
    "worker.mjs": await made(worker),
  };
  for (const library of LATE) files[lateFile(library)] = await made(lateLibrary(library));
  mkdirSync(dist, { recursive: true });
  // Each by a rename, so that a server started meanwhile finds whole files.
  for (const [name, text] of Object.entries(files)) {
    const temporary = join(dist, `${name}.${process.pid}`);
    writeFileSync(temporary, text);
    renameSync(temporary, join(dist, name));
  }
  await buildPage();
  return Object.values(files).reduce((sum, text) => sum + text.length, 0);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const bytes = await build();
    if (!process.argv.includes("--quiet")) console.error(`Built dist/ (${Math.round(bytes / 1024)} KB).`);
  } catch (error) {
    // Installed without the tools to build, and already built: nothing to do.
    const missing = error?.code === "ERR_MODULE_NOT_FOUND";
    if (missing && existsSync(join(dist, "notewright.cjs"))) process.exit(0);
    console.error(missing ? "esbuild is not installed: run `npm ci` first." : error);
    process.exit(1);
  }
}
