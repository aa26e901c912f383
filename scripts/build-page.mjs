/** Builds the page into dist/web: scripts and styles named by their hash. Nothing is done where nothing changed since the last time. */

import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src/web/page");
const built = join(root, "dist/web");
/** What the built files were made from. */
const MARK = "made-from.txt";

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

const markOf = () => {
  const hash = createHash("sha256");
  for (const file of [...filesBelow(source), fileURLToPath(import.meta.url), join(root, "package.json")])
    hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
};

const bundle = async (outDir) => {
  const { build } = await import("vite");
  await build({
    configFile: false,
    root: source,
    base: "./",
    logLevel: "warn",
    resolve: { alias: { "linkify-it": join(source, "reading/no-linkify.ts") } },
    esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000,
      reportCompressedSize: false,
    },
    worker: { format: "es" },
  });
};

/** Whether it was built anew. */
export const buildPage = async () => {
  const mark = markOf();
  if (existsSync(join(built, MARK)) && readFileSync(join(built, MARK), "utf8") === mark) return false;
  const beside = join(root, `dist/web.${process.pid}`);
  try {
    await bundle(beside);
    writeFileSync(join(beside, MARK), mark);
    mkdirSync(join(built, "assets"), { recursive: true });
    const old = readdirSync(join(built, "assets"));
    // New files first, then the document that names them, then what nobody names any more: a server may be reading.
    cpSync(join(beside, "assets"), join(built, "assets"), { recursive: true });
    for (const name of ["index.html", MARK]) renameSync(join(beside, name), join(built, name));
    const now = new Set(readdirSync(join(beside, "assets")));
    for (const name of old) if (!now.has(name)) rmSync(join(built, "assets", name));
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return true;
};
