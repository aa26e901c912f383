/** The link graph: breadth-first traversal of depth 3, backlinks and outgoing links, over a vault of 100,000 links. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LinkQuery } from "../src/notebook/link-graph.ts";
import { notePath } from "../src/notebook/paths.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { unindexed } from "../test/vault.ts";
import { noteName, notePathOf, noteText } from "./vault.ts";

const { values } = parseArgs({
  options: { size: { type: "string", default: "18200" }, asked: { type: "string", default: "200" } },
});
const size = Number(values.size);
const asked = Number(values.asked);
const BAR = 50;

// The notes of a made vault have 3 to 8 links each and no hub; here one note links to five hundred, and as many to it.
const HUB = notePath("Hub.md");
const spokes = Array.from({ length: 500 }, (_, at) => Math.floor((at * size) / 500));
const notes: Record<string, string> = {
  [HUB]: spokes.map((number) => `- [[${noteName(number)}]]`).join("\n"),
};
for (let number = 0; number < size; number++) notes[notePathOf(number)] = noteText(number, size);
for (const number of spokes) notes[notePathOf(number)] += "\nBack to [[Hub]].\n";

const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const sql = await openSql(join(home, "index.db"));
const notebook = unindexed(notes, openIndex(sql));

const asking = Array.from({ length: asked }, (_, at) =>
  notePath(notePathOf(Math.floor(((at + 0.3) * size) / asked))),
);

type Figures = { p50: number; p95: number; most: number; found: number };
async function measured(queries: readonly LinkQuery[]): Promise<Figures> {
  const times: number[] = [];
  let found = 0;
  for (const query of queries) {
    const start = performance.now();
    found += (await notebook.links(query)).length;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))]!;
  return { p50: at(0.5), p95: at(0.95), most: times.at(-1)!, found: found / queries.length };
}

const row = (what: string, { p50, p95, most, found }: Figures, bar: number | null): string =>
  `| ${what} | ${found.toFixed(0)} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${most.toFixed(2)} | ${bar === null ? "" : `under ${bar}: ${p50 < bar ? "met" : "missed"}`} |`;
const around = (depth: number, direction: "in" | "out" | "both") =>
  asking.map((path): LinkQuery => ({ around: path, depth, direction }));

try {
  await notebook.refresh();
  const { count } = sql.get<{ count: number }>("SELECT count(*) AS count FROM links")!;
  await measured(around(2, "both").slice(0, 20));
  console.log(`${size + 1} notes, ${count} links, ${asked} notes asked; Node ${process.version}\n`);
  console.log("| what | links found | p50 ms | p95 ms | most ms | bar (p50) |");
  console.log("| --- | ---: | ---: | ---: | ---: | --- |");
  console.log(row("outgoing links of a note", await measured(asking.map((from) => ({ from }))), null));
  console.log(row("backlinks of a note", await measured(asking.map((to) => ({ to }))), null));
  for (const direction of ["out", "in", "both"] as const)
    console.log(row(`breadth first, depth 3, ${direction}`, await measured(around(3, direction)), BAR));
  const hub: LinkQuery = { around: HUB, depth: 3, direction: "both" };
  console.log(
    row("breadth first, depth 3, both, from a hub of 1,000 links", await measured([hub, hub, hub]), null),
  );
  console.log(row("backlinks of the hub", await measured([{ to: HUB }, { to: HUB }, { to: HUB }]), null));
} finally {
  await notebook.close();
  rmSync(home, { recursive: true, force: true });
}
