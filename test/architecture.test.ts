/** The import table of docs/ARCHITECTURE.md, section 1, kept true: who may import whom, and where Node may be touched. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { broken } from "./oxlint.ts";
import { unportable } from "./portable.ts";

type Rule = { ours: string[]; packages: string[]; node: boolean };

const PARTS = ["notebook", "markdown", "disk"];
/** What a vault that is opened on Node is made of. */
const OPENED = [...PARTS, "stores", "sqlite", "search", "index", "history", "knowledge", "embeddings"];
const TABLE: Record<string, Rule> = {
  markdown: { ours: [], packages: ["yaml", "diff"], node: false },
  notebook: { ours: ["markdown"], packages: [], node: false },
  disk: { ours: ["notebook"], packages: [], node: true },
  stores: { ours: [...PARTS, "sqlite"], packages: [], node: true },
  sqlite: { ours: ["markdown"], packages: ["@photostructure/sqlite"], node: false },
  search: { ours: ["notebook", "markdown", "sqlite"], packages: [], node: false },
  index: { ours: ["notebook", "markdown", "search", "sqlite"], packages: [], node: false },
  history: { ours: [...PARTS, "sqlite"], packages: [], node: true },
  embeddings: { ours: ["notebook", "markdown"], packages: [], node: false },
  knowledge: { ours: PARTS, packages: ["re2js"], node: false },
  surfaces: { ours: ["notebook", "markdown"], packages: ["zod"], node: false },
  protocol: {
    ours: ["surfaces", "notebook", "markdown"],
    packages: ["zod", "@modelcontextprotocol/server"],
    node: false,
  },
  stdio: {
    ours: ["protocol", "surfaces", "notebook", "markdown"],
    packages: ["@modelcontextprotocol/server"],
    node: true,
  },
  identity: { ours: ["protocol", "notebook", "markdown"], packages: [], node: false },
  sync: { ours: ["surfaces", "notebook", "markdown"], packages: ["zod"], node: false },
  http: {
    ours: ["sync", "identity", "protocol", "surfaces", "notebook", "markdown"],
    packages: ["@modelcontextprotocol/server"],
    node: false,
  },
  oauth: {
    ours: ["identity", "markdown", "sqlite"],
    packages: ["@cloudflare/workers-oauth-provider"],
    node: false,
  },
  web: {
    ours: ["http", "identity", "protocol", "surfaces", "notebook", "markdown"],
    packages: ["zod"],
    node: false,
  },
  // What runs in the browser: of ours it knows types alone.
  "web/page": {
    ours: ["web", "notebook", "markdown"],
    packages: ["preact", "@preact/signals", "markdown-it", "dompurify", "d3-force"].concat(
      ["autocomplete", "commands", "language", "lint", "state", "view"].map((it) => `@codemirror/${it}`),
      ["@lezer/common", "@lezer/highlight", "@lezer/markdown"],
    ),
    node: false,
  },
  vault: { ours: OPENED, packages: ["unpdf"], node: true },
  worker: {
    ours: [...OPENED, "surfaces", "protocol", "identity", "sync", "http", "oauth", "web"],
    packages: ["cloudflare:workers"],
    node: false,
  },
  cli: {
    ours: OPENED.concat("vault", "worker", "surfaces", "protocol", "stdio", "identity").concat([
      "sync",
      "http",
      "oauth",
      "web",
    ]),
    packages: ["@modelcontextprotocol/client", "jsonc-parser"],
    node: true,
  },
};
/** Where Node may be touched although the folder may not: the SQLite driver and the file of the index, sockets, the file of identities, what signing in keeps, hashes and fetches, and the suites, which are tests to call. */
const NODE_ALLOWED = [
  /^src\/sqlite\/(?:node|index-file)\.ts$/,
  /^src\/http\/node\.ts$/,
  /^src\/identity\/(?:file|last-use)\.ts$/,
  /^src\/oauth\/(?:auth-file|fetch-document|passphrase|public-address)\.ts$/,
  /^src\/notebook\/suites\//,
];
/** Where a folder may import a few files of another, and no more: search, index, stores and history know the calls that SQLite answers, disk and identities know paths. */
const ONLY: Record<string, string[]> = {
  "search of sqlite": ["sql.ts"],
  "index of sqlite": ["sql.ts"],
  "history of sqlite": ["sql.ts"],
  "stores of sqlite": ["sql.ts"],
  "oauth of sqlite": ["sql.ts", "node.ts"],
  "identity of notebook": ["paths.ts"],
  "disk of notebook": ["paths.ts", "pointer.ts", "puts.ts", "system-errors.ts", "turns.ts", "vault-path.ts"],
};
const LINE_LIMIT = 350;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)"([^"\n]+)"/g;

const isOfPage = (path: string): boolean => path.startsWith("src/web/page/");
/** An import of a value from outside of the page's own folder. */
const OUTSIDE_VALUE = /^import (?!type ).*?from "(?:\.\.\/)+(?:wire|markdown|notebook)[^"]*"/m;

/** What a file imports against the table, in words; empty where all is well. */
const offences = (path: string, text: string): string[] => {
  const [, first = "", ...rest] = path.split("/");
  const folder = isOfPage(path) ? "web/page" : first;
  const rule = TABLE[folder];
  if (!rule) return [`${path}: src/${folder} is not in the table`];
  const suite = path.startsWith("src/notebook/suites/");
  const found: string[] = [];
  for (const [, target = ""] of text.matchAll(IMPORT)) {
    const file = posix.join(posix.dirname(path), target);
    if (["cli", "worker"].includes(folder) && file === "package.json") continue;
    if (target.startsWith(".")) {
      const [, to = "", ...inside] = file.split("/");
      if (isOfPage(file) && !isOfPage(path)) found.push(`${path}: web may not import the page`);
      const only = ONLY[`${folder} of ${to}`];
      if (only && !only.includes(inside.join("/")))
        found.push(`${path}: ${folder} may import ${only.join(", ")} of ${to}, and nothing else`);
      if (to !== folder && !(isOfPage(path) && isOfPage(file)) && !rule.ours.includes(to))
        found.push(`${path}: ${folder} may not import ${to}`);
      const [from, other] = [rest.length > 1 && rest[0], inside.length > 1 && inside[0]];
      if (folder === "surfaces" && to === "surfaces" && from && other && from !== other)
        found.push(`${path}: the surface ${from} may not import the surface ${other}`);
    } else if (target.startsWith("node:") || target === "@modelcontextprotocol/server/stdio") {
      if (!rule.node && !NODE_ALLOWED.some((allowed) => allowed.test(path)))
        found.push(`${path}: ${target} in ${folder}`);
    } else if (!(suite && ["vitest", "fast-check"].includes(target))) {
      const name = target.split("/", target.startsWith("@") ? 2 : 1).join("/");
      if (!rule.packages.includes(name)) found.push(`${path}: ${folder} may not import the package ${name}`);
    }
  }
  if (isOfPage(path) && OUTSIDE_VALUE.test(text)) found.push(`${path}: the page may import types alone`);
  if (folder === "markdown" && /\bawait\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(text))
    found.push(`${path}: markdown is pure text: no clock, no chance, no await`);
  return found;
};

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((path) => /\.tsx?$/.test(path))
  .toSorted();
const code = files.filter((path) => !path.endsWith(".test.ts"));

describe("the table", () => {
  test.each([
    ["src/markdown/a.ts", 'import { x } from "../notebook/b.ts";', "markdown may not import notebook"],
    ["src/markdown/a.ts", 'import { readFile } from "node:fs";', "node:fs in markdown"],
    ["src/markdown/a.ts", "const now = Date.now();", "markdown is pure text"],
    ["src/notebook/a.ts", 'export { x } from "../sqlite/b.ts";', "notebook may not import sqlite"],
    ["src/notebook/a.ts", 'import "node:crypto";', "node:crypto in notebook"],
    ["src/stores/a.ts", 'import { x } from "../sqlite/b.ts";', "stores may import sql.ts of sqlite"],
    ["src/search/a.ts", 'import { x } from "../index/b.ts";', "search may not import index"],
    ["src/sqlite/a.ts", 'import { x } from "../index/b.ts";', "sqlite may not import index"],
    ["src/index/a.ts", 'import { x } from "../sqlite/node.ts";', "index may import sql.ts of sqlite"],
    [
      "src/disk/a.ts",
      'import { x } from "../notebook/plan.ts";',
      "vault-path.ts of notebook, and nothing else",
    ],
    ["src/sqlite/schema.ts", 'const x = await import("node:sqlite");', "node:sqlite in sqlite"],
    [
      "src/surfaces/wiki/a.ts",
      'import { x } from "../cairn/b.ts";',
      "the surface wiki may not import the surface cairn",
    ],
    [
      "src/surfaces/wiki/a.ts",
      'import { x } from "left-pad";',
      "surfaces may not import the package left-pad",
    ],
    ["src/protocol/a.ts", 'import { x } from "../stores/b.ts";', "protocol may not import stores"],
    ["src/protocol/a.ts", 'import { x } from "../stdio/b.ts";', "protocol may not import stdio"],
    ["src/protocol/a.ts", 'import { x } from "@modelcontextprotocol/server/stdio";', "stdio in protocol"],
    ["src/vault/a.ts", 'import { x } from "../cli/b.ts";', "vault may not import cli"],
    ["src/web/a.ts", 'import { x } from "./page/b.ts";', "web may not import the page"],
    ["src/web/page/a.tsx", 'import { x } from "../../markdown/b.ts";', "the page may import types alone"],
    ["src/web/page/parts/a.tsx", 'import { x } from "../../../http/b.ts";', "web/page may not import http"],
    ["src/misc/a.ts", "", "src/misc is not in the table"],
  ])("%s with %s is caught", (path, text, said) => {
    expect(offences(path, text).join("\n")).toContain(said);
  });

  test.each([
    ["src/surfaces/wiki/a.ts", 'import { x } from "../surface.ts";\nimport { y } from "./b.ts";'],
    ["src/surfaces/all.ts", 'import { x } from "./wiki/wiki.ts";'],
    ["src/sqlite/node.ts", 'import { x } from "node:sqlite";'],
    ["src/index/a.ts", 'import type { Sql } from "../sqlite/sql.ts";\nimport { x } from "../search/a.ts";'],
    ["src/stdio/a.ts", 'import { x } from "@modelcontextprotocol/server/stdio";'],
    ["src/web/page/parts/a.tsx", 'import type { X } from "../../wire.ts";\nimport { y } from "../b.ts";'],
  ])("%s with %s is allowed", (path, text) => {
    expect(offences(path, text)).toEqual([]);
  });
});

test("every import in src is one the table allows", () => {
  expect(code.length).toBeGreaterThan(20);
  expect(code.flatMap((path) => offences(path, readFileSync(path, "utf8")))).toEqual([]);
});

/** The packages that the engine is made with, those that they bring among them. They must run anywhere, too. */
const PORTABLE_PACKAGES = ["yaml", "diff", "re2js", "zod"].concat(
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/core",
  "@cloudflare/workers-oauth-provider",
);
/** The core of the history runs anywhere, although its folder may touch Node. */
const CORE = ["drafts", "trees", "commits", "objects", "message", "revision"].map(
  (name) => `src/history/${name}.ts`,
);

describe("the engine runs without Node", () => {
  const portable = code.filter(
    (path) =>
      CORE.includes(path) ||
      // A Worker is bundled and run in test/workerd.
      (!path.startsWith("src/worker/") &&
        TABLE[path.split("/")[1]!]?.node === false &&
        !isOfPage(path) &&
        !NODE_ALLOWED.some((file) => file.test(path))),
  );

  test("nothing in it, and nothing that it imports, needs Node or asks for time or chance while it is loaded", async () => {
    for (const folder of ["markdown", "notebook", "knowledge", "surfaces", "search", "index", "protocol"])
      expect(portable.filter((path) => path.startsWith(`src/${folder}/`)).length).toBeGreaterThan(3);
    // Surfaces first: bundled in another order, the schema library begins with a part that needs a later one.
    expect(portable).toEqual(expect.arrayContaining(CORE));
    expect(await unportable(portable.toReversed(), PORTABLE_PACKAGES)).toEqual([]);
  });

  test.each([
    ["import fs from 'node:fs'; export const x = () => fs.statSync('.');", "node:fs"],
    ["import { join } from 'path'; export const x = join;", "path"],
    ["export const x = (a: string) => Buffer.from(a);", "'Buffer'"],
    ["export const x = (a: Buffer) => a.length;", "'Buffer'"],
    ["export const x = () => process.pid;", "'process'"],
    ["export type x = NodeJS.Timeout;", "'NodeJS'"],
    ["export const x = () => setTimeout(() => 1, 1).unref();", "'unref'"],
    ["export const x = (f: () => void) => setImmediate(f);", "'setImmediate'"],
    ["export const x = () => import.meta.dirname;", "'dirname'"],
    ["import { transform } from 'esbuild'; export const x = transform;", "the package esbuild is not listed"],
    ["export const x = new Date();", "new Date is called while"],
    ["export const x = Date.now() + performance.now();", "Date.now is called while"],
    ["const next = () => Math.random(); export const x = next();", "Math.random is called while"],
    ["export const x = crypto.randomUUID();", "crypto.randomUUID is called while"],
  ])("%s is caught two files away", async (text, reason) => {
    const folder = mkdtempSync("test/.portable-");
    try {
      writeFileSync(`${folder}/far.ts`, text);
      writeFileSync(`${folder}/near.ts`, 'export * from "./far.ts";\n');
      const later = 'export const later = () => import("./near.ts");';
      writeFileSync(`${folder}/first.ts`, reason.endsWith("while") ? 'export * from "./near.ts";' : later);
      const found = await unportable([`${folder}/first.ts`], PORTABLE_PACKAGES);
      expect(found.join("\n")).toContain(reason);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A variable, or a collection that may be changed, outside any function: the vaults of one process would share it. */
const STATE =
  /^(?:export )?(?:let|var) |^(?:export )?const [\w$]+ = new (?:Map|WeakMap|\w+Array(?!\(\)))\b|^(?:export )?const [\w$]+(?:: [^=]*)? = (?:\[\]|\{\}|new Set(?:<.*>)?\(\));/m;
const ROOMS = [
  "worker",
  "http",
  "oauth",
  "identity",
  "markdown",
  "notebook",
  "disk",
  "stores",
  "history",
  "knowledge",
  "embeddings",
  "search",
  "index",
  "sqlite",
  "surfaces",
  "protocol",
  "stdio",
  "sync",
  "web",
  "vault",
  "cli",
];
const inRooms = code.filter((path) => ROOMS.includes(path.split("/")[1]!));

test("no state of one vault lives in a module", () => {
  for (const state of [
    "let x = 1;",
    "export let x = 1;",
    "const x = new Map<A, B>();",
    "const x = new Set<A>();",
    "const x: A[] = [];",
    "const x: Record<A, B> = {};",
    "const x = new Uint8Array(9);",
  ])
    expect(`/** A. */\n${state}`).toMatch(STATE);
  // The schemas of a surface are the same for every vault.
  expect(code.filter((path) => STATE.test(readFileSync(path, "utf8")))).toEqual(["src/protocol/entries.ts"]);
});

test("comments there have a subject", () => {
  const fragments = /^\s*(?:\/\*\*|\/\/|\*) (?:Of|By|The same|Those)\b.*/m;
  expect("  /** By slot: the term. */").toMatch(fragments);
  expect(inRooms.flatMap((path) => fragments.exec(readFileSync(path, "utf8"))?.[0] ?? [])).toEqual([]);
});

test("files name the decision that governs them", () => {
  const silent: string[] = [];
  for (const name of readdirSync("docs/decisions")) {
    const [governs = ""] = /Governs: (?:.+\n)+/.exec(readFileSync(`docs/decisions/${name}`, "utf8")) ?? [];
    let folder = "";
    for (const [, named = ""] of governs.matchAll(/`([^`]*)`/g)) {
      const path = named.includes("/") ? named : `${folder}/${named}`;
      folder = posix.dirname(path);
      if (!path.endsWith(".ts")) continue;
      const [opening = ""] = readFileSync(path, "utf8").split("*/", 1);
      if (!new RegExp(`decisions? [\\d, and]*\\b${Number(name.slice(0, 4))}\\b`).test(opening))
        silent.push(`${path}: decision ${Number(name.slice(0, 4))}`);
    }
  }
  expect(silent).toEqual([]);
});

test("four files open connections to elsewhere, one to a server of this computer, and one takes them", () => {
  const opens =
    /\bawait fetch\(|\bnew WebSocket\(|"node:(?:https?|http2|tls|dgram|dns)(?:\/promises)?"|from "node:net"/;
  const here = code.filter((path) => !isOfPage(path));
  expect(here.filter((path) => opens.test(readFileSync(path, "utf8")))).toEqual([
    // It asks our own server for a key.
    "src/cli/running.ts",
    "src/embeddings/endpoint.ts",
    "src/http/node.ts",
    "src/oauth/fetch-document.ts",
    // It only compares addresses.
    "src/oauth/public-address.ts",
    "src/sync/remote.ts",
    "src/worker/fetch-document.ts",
  ]);
});

test("no file is longer than one idea", () => {
  const lengths = files.map((path) => [path, readFileSync(path, "utf8").split("\n").length] as const);
  expect(lengths.filter(([, lines]) => lines > LINE_LIMIT)).toEqual([]);
});

const FUNCTION_LIMIT = 90;

test("no function is longer than can be read at once", async () => {
  const rule = { "max-lines-per-function": ["error", { max: FUNCTION_LIMIT, IIFEs: true }] };
  const found = await broken(rule, code);
  // Suites are lists of tests, and long ones.
  const long = found.filter(({ path }) => !path.startsWith("src/notebook/suites/"));
  expect(found.length).toBeGreaterThan(long.length);
  expect(long).toEqual([]);
});

test("every file opens with what it knows", () => {
  expect(code.filter((path) => !readFileSync(path, "utf8").startsWith("/** "))).toEqual([]);
});
