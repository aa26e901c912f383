/**
 * Search, scored: each collection of documents, queries and judgements becomes a vault, and a real server is asked over stdio.
 * `npm run bench:retrieval -- DIR… [--json FILE]`; each DIR holds docs.jsonl (id, title, text), queries.jsonl (id, text) and qrels.tsv (query, document, grade).
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startServer, type Served } from "./client.ts";
import { indexed } from "./dialect.ts";
import { timed, until } from "./measure.ts";
import { meanOf, scoresOf, shareOf, type Grades, type Scores } from "./scoring.ts";
import { mistyped } from "./typing-errors.ts";

type Query = { id: string; text: string };
type Asked = { scores: Scores; ms: number; empty: boolean; refused: string | null };
type Figures = Scores & { queries: number; empty: number; refused: string[]; p50: number; p95: number };
type Row = {
  collection: string;
  notes: number;
  textBytes: number;
  indexBytes: number;
  clean: Figures;
  mistyped: Figures;
  /** Queries that had a word long enough for a typing error. */
  errors: number;
};

/** What is scored; more than this nobody reads. */
const SCORED = 100;
const SHOWN = 100;

const { values, positionals } = parseArgs({ options: { json: { type: "string" } }, allowPositionals: true });
if (positionals.length === 0) {
  console.error("Name a folder with docs.jsonl, queries.jsonl and qrels.tsv, or several.");
  process.exit(2);
}

const linesOf = (file: string): string[] => readFileSync(file, "utf8").split("\n").filter(Boolean);

function judgementsOf(folder: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const line of linesOf(join(folder, "qrels.tsv"))) {
    const [query, document, grade] = line.split("\t") as [string, string, string];
    if (!found.has(query)) found.set(query, new Map());
    found.get(query)!.set(document, Number(grade));
  }
  return found;
}

/** One note a document, called by its id, with its title as a heading. */
function makeVault(folder: string, vault: string): { notes: number; bytes: number } {
  let [notes, bytes] = [0, 0];
  for (const line of linesOf(join(folder, "docs.jsonl"))) {
    const { id, title, text } = JSON.parse(line) as { id: string; title: string; text: string };
    const note = title === "" ? `${text}\n` : `# ${title}\n\n${text}\n`;
    writeFileSync(join(vault, `${id}.md`), note);
    notes++;
    bytes += Buffer.byteLength(note);
  }
  return { notes, bytes };
}

const idOf = (handle: string): string => handle.replace(/\.md(#[^]*)?$/, "");

/** Timed as a client asks it, without a limit; then asked for as much as is scored. */
async function ask({ ask: call }: Served, text: string, grades: Grades): Promise<Asked> {
  try {
    const { ms, result } = await timed(() => call("search_notes", { query: text }));
    const { data } = await call("search_notes", { query: text, limit: SCORED });
    const ranked = data.hits.map((hit: { at: string }) => idOf(hit.at));
    return { scores: scoresOf(ranked, grades), ms, empty: result.data.total === 0, refused: null };
  } catch (error) {
    return {
      scores: scoresOf([], grades),
      ms: 0,
      empty: true,
      refused: `${text.slice(0, SHOWN)}: ${String(error)}`,
    };
  }
}

const figuresOf = (asked: readonly Asked[]): Figures => ({
  ...meanOf(asked.map(({ scores }) => scores)),
  queries: asked.length,
  empty: asked.filter(({ empty }) => empty).length / asked.length,
  refused: asked.flatMap(({ refused }) => refused ?? []),
  p50: shareOf(
    asked.map(({ ms }) => ms),
    0.5,
  ),
  p95: shareOf(
    asked.map(({ ms }) => ms),
    0.95,
  ),
});

/** Of the index, without the compiled code that lies beside it. */
function indexBytes(cache: string): number {
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^index-.*\.db(-wal)?$/.test(entry.name))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function measure(folder: string, home: string): Promise<Row> {
  const [vault, cache] = [join(home, "vault"), join(home, "cache")];
  mkdirSync(vault);
  mkdirSync(cache);
  const { notes, bytes } = makeVault(folder, vault);
  const judged = judgementsOf(folder);
  const queries = linesOf(join(folder, "queries.jsonl"))
    .map((line) => JSON.parse(line) as Query)
    .filter(({ id }) => judged.has(id));
  const first = await startServer(vault, cache, "native");
  await until(async () => {
    const { total, whole } = await indexed(first);
    return whole && total === notes;
  }, 20);
  await first.close();
  // What it costs to ask is asked of a server that has nothing else to do.
  const server = await startServer(vault, cache, "native");
  for (const { text } of queries.slice(0, 20)) await ask(server, text, new Map([["", 1]]));
  const [clean, wrong]: [Asked[], Asked[]] = [[], []];
  let errors = 0;
  for (const { id, text } of queries) clean.push(await ask(server, text, judged.get(id)!));
  for (const { id, text } of queries) {
    const changed = mistyped(text);
    if (changed !== null) errors++;
    wrong.push(await ask(server, changed ?? text, judged.get(id)!));
  }
  await server.close();
  return {
    collection: basename(folder),
    notes,
    textBytes: bytes,
    indexBytes: indexBytes(cache),
    clean: figuresOf(clean),
    mistyped: figuresOf(wrong),
    errors,
  };
}

const HEAD = [
  "collection",
  "notes",
  "queries",
  "nDCG@10",
  "R@5",
  "R@10",
  "R@100",
  "MRR",
  "empty",
  "p50 ms",
  "p95 ms",
  "index ÷ text",
  "nDCG@10 with a typing error",
  "of clean",
];

function line({ collection, notes, textBytes, indexBytes, clean, mistyped: wrong }: Row): string {
  const share = (value: number): string => value.toFixed(3);
  const cells = [
    collection,
    notes,
    clean.queries,
    share(clean.ndcg),
    share(clean.recall5),
    share(clean.recall10),
    share(clean.recall100),
    share(clean.mrr),
    `${(100 * clean.empty).toFixed(1)} %`,
    clean.p50.toFixed(1),
    clean.p95.toFixed(1),
    (indexBytes / textBytes).toFixed(2),
    share(wrong.ndcg),
    `${((100 * wrong.ndcg) / clean.ndcg).toFixed(1)} %`,
  ];
  return `| ${cells.join(" | ")} |`;
}

console.log(`| ${HEAD.join(" | ")} |\n| --- |${" ---: |".repeat(HEAD.length - 1)}`);
const rows: Row[] = [];
for (const folder of positionals) {
  const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
  try {
    const row = await measure(resolve(folder), home);
    rows.push(row);
    console.log(line(row));
    for (const refused of [...row.clean.refused, ...row.mistyped.refused]) console.error(`  ${refused}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
if (values.json !== undefined) writeFileSync(resolve(values.json), `${JSON.stringify(rows, null, 2)}\n`);
