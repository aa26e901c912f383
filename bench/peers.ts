/** Other servers for a folder of notes, asked for the same things: the best there is elsewhere. As far as they install and answer. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Figure } from "./bars.ts";
import { start, type Command, type Served } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { median, right, stopwatch } from "./measure.ts";
import type { Sample } from "./sample.ts";

type Peer = {
  name: string;
  at: string;
  command(script: string, vault: string): Command;
  dialect(server: Served, vault: string): Dialect;
};

const folderAnd = (path: string): [string, string] => [
  path.slice(0, Math.max(0, path.lastIndexOf("/"))),
  path.slice(path.lastIndexOf("/") + 1),
];
/** Answers differ in form; all of them name the notes they found. */
const named = (text: string): { paths: string[]; total: number } => {
  const paths = [...new Set(text.match(/[^"\n:]+\.md/g))];
  return { paths, total: paths.length };
};

const PEERS: Peer[] = [
  {
    name: "@bitbonsai/mcpvault@0.16.0",
    at: "@bitbonsai/mcpvault/dist/server.js",
    command: (script, vault) => ({ args: [script, vault] }),
    dialect: ({ call }) => ({
      read: (path) => call("read_note", { path }),
      search: async (words) => named(await call("search_notes", { query: words.join(" "), limit: 10 })),
      append: async (path, text) =>
        void (await call("write_note", { path, content: `\n${text}`, mode: "append" })),
    }),
  },
  {
    name: "obsidian-mcp@1.0.6",
    at: "obsidian-mcp/build/main.js",
    command: (script, vault) => ({ args: [script, vault] }),
    dialect: ({ call }) => ({
      read(path) {
        const [folder, filename] = folderAnd(path);
        return call("read-note", { vault: "vault", filename, folder });
      },
      search: async (words) => named(await call("search-vault", { vault: "vault", query: words.join(" ") })),
      async append(path, content) {
        const [folder, filename] = folderAnd(path);
        await call("edit-note", { vault: "vault", filename, folder, operation: "append", content });
      },
    }),
  },
  {
    name: "foam-cli@0.46.0",
    at: "foam-cli/out/index.js",
    command: (script, vault) => ({
      args: [script, "mcp", "--workspace", vault],
      env: { FOAM_TELEMETRY: "0" },
    }),
    dialect: ({ call }, vault) => ({
      read: (path) => call("read_resource", { uri: pathToFileURL(join(vault, path)).href }),
    }),
  },
  {
    name: "@modelcontextprotocol/server-filesystem@2026.8.31",
    at: "@modelcontextprotocol/server-filesystem/dist/index.js",
    command: (script, vault) => ({ args: [script, vault] }),
    dialect: ({ call }, vault) => ({
      read: (path) => call("read_text_file", { path: join(vault, path) }),
    }),
  },
];

const INSTALLING = 300_000;
/** For everything asked of one peer. */
const BUDGET = 120_000;
const ROUNDS = 10;

export async function comparePeers(
  vault: string,
  home: string,
  sample: Sample,
  figures: Map<string, Figure>,
): Promise<void> {
  const installed = join(home, "peers");
  // One of them refuses vaults in a system's temporary folder.
  const own = mkdtempSync(join(homedir(), "notewright-bench-"));
  const copy = join(own, "vault");
  try {
    cpSync(vault, copy, { recursive: true, filter: (path) => !path.includes(".notewright") });
    mkdirSync(join(copy, ".obsidian"), { recursive: true });
    writeFileSync(join(copy, ".obsidian/app.json"), "{}");
    mkdirSync(installed);
    writeFileSync(join(installed, "package.json"), "{}");
    for (const peer of PEERS) {
      try {
        const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
        execFileSync("npm", ["install", ...options, peer.name], { cwd: installed, timeout: INSTALLING });
        await measurePeer(peer, join(installed, "node_modules", peer.at), copy, sample, figures);
      } catch (error) {
        console.error(
          `${peer.name}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
        );
      }
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

async function measurePeer(
  peer: Peer,
  script: string,
  vault: string,
  sample: Sample,
  figures: Map<string, Figure>,
): Promise<void> {
  const watch = stopwatch();
  const path = sample.reads[0]!;
  const text = readFileSync(join(vault, path), "utf8");
  const last = text.trimEnd().split("\n").at(-1)!.slice(0, 40);
  const server = await watch.time("start", async () => {
    const started = await start(peer.command(script, vault));
    right((await peer.dialect(started, vault).read!(path)).includes(last), `first answer of ${peer.name}`);
    return started;
  });
  const { read, search, append } = peer.dialect(server, vault);
  const end = performance.now() + BUDGET;
  try {
    for (let round = 0; round < ROUNDS && performance.now() < end; round++) {
      const note = sample.reads[round]!;
      await watch.time("read", () => read!(note));
      if (search) {
        const query = sample.mid[round % sample.mid.length]!;
        const found = await watch.time("search-mid", () => search(query.words));
        right(found.paths.length > 0, `search of ${peer.name}`);
      }
      if (append) {
        await watch.time("append", () => append(note, `peer line ${round}`));
        right(
          readFileSync(join(vault, note), "utf8").includes(`peer line ${round}`),
          `append of ${peer.name}`,
        );
      }
    }
  } finally {
    await server.close();
  }
  for (const kind of ["start", "read", "search-mid", "append"]) {
    const ours = figures.get(kind);
    const times = watch.of(kind);
    if (times.length > 0 && ours)
      figures.set(`${kind}: ${peer.name}`, {
        ours: median(times),
        raw: ours.raw!,
        ...(ours.of === undefined ? {} : { of: ours.of }),
        runs: times.length,
      });
  }
}
