/** Whether source runs without Node: it is bundled as a Worker would be, type-checked without Node's types, and loaded where nobody answers for clock and chance. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, type BuildOptions, type Metafile } from "esbuild";
import { broken, runFinder } from "./oxlint.ts";

/** How a Worker is bundled. What is imported by type only is not in it. */
export const FOR_WORKERS = {
  bundle: true,
  write: false,
  metafile: true,
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser"],
  external: [...builtinModules, "node:*", "cloudflare:*"],
  logLevel: "silent",
} satisfies BuildOptions;

/** Names that Node, Workers and browsers have in common, beside those of the language. */
const WEB =
  `AbortController AbortSignal Blob DOMException Event EventTarget File FormData Headers ReadableStream Request Response TextDecoder TextEncoder
  TransformStream URL URLSearchParams WritableStream atob btoa clearInterval clearTimeout console crypto fetch navigator performance
  queueMicrotask setInterval setTimeout structuredClone`.split(/\s+/);
/** Names that a library looks for before it uses them. */
const GUARDED = ["self", "location", "caches", "Cloudflare"];

const packageOf = (path: string): string | undefined =>
  /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** The way an import came in, from the first file that was asked about. */
const wayTo = (inputs: Metafile["inputs"], path: string): string => {
  const way = [path];
  for (let at: string | undefined = path; at;) {
    const importer: string | undefined = Object.keys(inputs).find((other) =>
      inputs[other]!.imports.some((one) => one.path === at),
    );
    at = importer && importer !== "<stdin>" && !way.includes(importer) ? importer : undefined;
    if (at) way.push(at);
  }
  return way.slice(1).join(", which is imported by ");
};

/** The bundler writes the name of each file before its text. */
const fileAt = (bundle: string, line: number): string =>
  bundle
    .split("\n", line)
    .findLast((text) => /^\s*\/\/ \S+\.[cm]?[jt]s$/.test(text))
    ?.replace(/^\s*\/\/ /, "") ?? "?";

/** Names that a package in the bundle uses, that nobody declares and that not every runtime has. */
const foreignNames = async (bundle: string, folder: string): Promise<string[]> => {
  const file = join(folder, "bundle.js");
  writeFileSync(file, bundle);
  const found = await broken({ "no-undef": "error" }, [file], {
    env: { builtin: true, es2024: true },
    globals: Object.fromEntries([...WEB, ...GUARDED].map((name) => [name, "readonly"])),
  });
  return found.flatMap(({ message, line }) => {
    const path = fileAt(bundle, line);
    // The compiler has looked at our own files, and names the line.
    return packageOf(path) === undefined ? [] : [`${path}: ${message}`];
  });
};

/** What the compiler does not know without Node's types, in the files that are asked about: names, types and members. */
const foreignTypes = async (files: readonly string[], folder: string): Promise<string[]> => {
  const settings = join(folder, "tsconfig.json");
  writeFileSync(
    settings,
    JSON.stringify({
      extends: resolve("tsconfig.json"),
      compilerOptions: { lib: ["es2023", "webworker"], types: [], typeRoots: [], rootDir: "/" },
      include: [],
      files: files.map((file) => resolve(file)),
    }),
  );
  const out = await runFinder("typescript", "lib/tsc.js", ["-p", settings, "--pretty", "false"]);
  const found = [...out.matchAll(/^(\S.*?)\((\d+),\d+\): error TS\d+: (.*?\.)(?: |$)/gm)];
  return found.flatMap(([, file = "", line, message]) => {
    const path = relative(".", resolve(file));
    return files.includes(path) ? [`${path}:${line}: ${message}`] : [];
  });
};

/** What loading the bundle asks for that only a running program may ask for. */
const askedWhileLoading = (bundle: string): string[] => {
  const asked: string[] = [];
  const note = (what: string) => {
    const [, line = 0] = /bundle\.js:(\d+)/.exec(new Error().stack ?? "") ?? [];
    asked.push(`${fileAt(bundle, Number(line))}: ${what} is called while it is loaded`);
    return 0;
  };
  const names: Record<string, unknown> = { note };
  for (const name of WEB) names[name] = (globalThis as Record<string, unknown>)[name];
  for (const name of ["setTimeout", "setInterval", "fetch"]) names[name] = () => note(name);
  names["performance"] = { now: () => note("performance.now") };
  names["crypto"] = {
    getRandomValues: () => note("crypto.getRandomValues"),
    randomUUID: () => note("crypto.randomUUID"),
  };
  const context = createContext(names);
  runInContext(
    `Math.random = () => note("Math.random");
     Date = new Proxy(Date, {
       construct: (made, given) => new made(...(given.length === 0 ? [note("new Date")] : given)),
       apply: () => String(note("Date")),
       get: (made, key) => (key === "now" ? () => note("Date.now") : made[key]),
     });`,
    context,
  );
  runInContext(bundle, context, { filename: "bundle.js" });
  return asked;
};

/** What keeps these files, and all they import, from running anywhere, in words; empty where nothing does. Only these packages may be among it. */
export const unportable = async (
  files: readonly string[],
  packages: readonly string[],
): Promise<string[]> => {
  const contents = files.map((file, at) => `export * as m${at} from ${JSON.stringify(resolve(file))};`);
  const { metafile, outputFiles } = await build({
    ...FOR_WORKERS,
    // One library takes a class from Cloudflare's runtime, which we do not use.
    external: FOR_WORKERS.external.filter((name) => name !== "cloudflare:*"),
    alias: { "cloudflare:workers": resolve("test/cloudflare-workers.ts") },
    stdin: { contents: contents.join("\n"), resolveDir: resolve(".") },
    format: "iife",
    // Whatever is imported later is inside, so that all of it is looked at.
    supported: { "dynamic-import": false },
  });
  const { inputs } = metafile;
  const found: string[] = [];
  for (const [path, { imports }] of Object.entries(inputs)) {
    const name = packageOf(path);
    if (name !== undefined && !packages.includes(name))
      found.push(`the package ${name} is not listed: ${wayTo(inputs, path)}`);
    for (const one of imports)
      if (one.external) found.push(`${path}: ${one.path}, which is imported by ${wayTo(inputs, one.path)}`);
  }
  const bundle = outputFiles[0]!.text;
  const folder = mkdtempSync(join(tmpdir(), "portable-"));
  try {
    const own = Object.keys(inputs).filter((path) => path !== "<stdin>" && packageOf(path) === undefined);
    found.push(...(await foreignTypes(own, folder)), ...(await foreignNames(bundle, folder)));
    // A module of Node has been named above and cannot be loaded here.
    if (found.length === 0) found.push(...askedWhileLoading(bundle));
    return [...new Set(found)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
