/** Opening a vault: a first indexing and a later start, beside what reading the files and a plain FTS5 insert cost in the same run. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSql } from "../src/sqlite/node.ts";
import { startServer } from "./client.ts";
import { makeVault, noteName } from "./vault.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "10000" } } });
const size = Number(values.size);
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const vault = join(home, "vault");
const cache = join(home, "cache");

async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

const texts = (): string[] =>
  readdirSync(vault, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => readFileSync(join(vault, path), "utf8"));

async function plainInsert(notes: string[]): Promise<void> {
  const sql = await openSql(join(home, "plain.db"));
  sql.exec("CREATE VIRTUAL TABLE plain USING fts5(body, tokenize = 'unicode61 remove_diacritics 2')");
  sql.transaction(() => notes.forEach((text) => sql.run("INSERT INTO plain(body) VALUES (?)", text)));
  sql.close();
}

/** From the start of the process to an answer that only a whole index can give: the last note, found by its own word. */
async function untilFound(): Promise<void> {
  const server = await startServer(vault, cache, "obsidian");
  try {
    for (;;) {
      const listed = (await server.call("list_notes", { limit: 1 })).split("\n")[0]!;
      if ((JSON.parse(listed) as { total: number }).total === size) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const answer = await server.call("search_notes", { query: `unique${size - 1}x`, mode: "content" });
    if (!answer.includes(`"${noteName(size - 1)}"`)) throw new Error("the last note was not found");
  } finally {
    await server.close();
  }
}

try {
  const bytes = makeVault(vault, size);
  const read = await timed(texts);
  const insert = await timed(() => plainInsert(read.result));
  const cold = await timed(untilFound);
  const warm = [await timed(untilFound), await timed(untilFound), await timed(untilFound)]
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)[1]!;
  const raw = read.ms + insert.ms;
  const row = (name: string, ms: number) => `| ${name} | ${ms.toFixed(0)} | ${(ms / raw).toFixed(2)} × |`;
  console.log(`${size} notes, ${(bytes / 1e6).toFixed(1)} MB; Node ${process.version}\n`);
  console.log("| what | ms | × raw |\n| --- | ---: | ---: |");
  console.log(row("raw: read every file", read.ms));
  console.log(row("raw: plain FTS5 insert of the same text", insert.ms));
  console.log(row("first start: spawn, index all, find the last note", cold.ms));
  console.log(row("later start: spawn, compare all, find the last note (median of 3)", warm));
} finally {
  rmSync(home, { recursive: true, force: true });
}
