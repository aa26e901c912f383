/** What is asked of a vault, and what the right answers are: worked out from the files alone. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainNote, type Plain } from "./raw.ts";

export type Query = { words: string[]; from: string };
export type Sample = {
  paths: string[];
  bytes: number;
  reads: string[];
  rare: Query[];
  mid: Query[];
  two: Query[];
  common: Query[];
  /** With the number of notes that have it. */
  tags: { tag: string; notes: number }[];
  folders: { folder: string; notes: number }[];
  /** With the notes that link there. */
  targets: { path: string; sources: number }[];
};

export const HUBS = 5;
export const LINKERS = 100;
export const hubPath = (hub: number): string => `hubs/Hub ${hub}.md`;
export const linkerPath = (linker: number): string => `hubs/${linker}/Linker ${linker}.md`;

/** Notes that a hundred others link to, each of them in a folder of its own. */
export function addHubs(root: string): void {
  const hubs = Array.from({ length: HUBS }, (_, hub) => `Hub ${hub}`);
  for (let linker = 0; linker < LINKERS; linker++) {
    mkdirSync(join(root, `hubs/${linker}`), { recursive: true });
    const lines = hubs.map((name) => `- [[${name}]] and why`);
    writeFileSync(join(root, linkerPath(linker)), `# Linker ${linker}\n\n${lines.join("\n")}\n`);
  }
  hubs.forEach((name, hub) => writeFileSync(join(root, hubPath(hub)), `# ${name}\n`));
}

export const pathsIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && !path.split("/").some((part) => part.startsWith(".")));

const LOOKED_AT = 2000;
const EACH = 10;

/** `few` picks spread evenly. */
const spread = <T>(all: readonly T[], few: number): T[] =>
  all.filter((_, at) => Math.floor((at * few) / all.length) !== Math.floor(((at - 1) * few) / all.length));

const query = ([word, { first }]: [string, { first: string }]): Query => ({ words: [word], from: first });
const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,}/gu));

/** `each` is told every note in turn, for whoever needs them all. */
export function sampleVault(root: string, each: (note: Plain) => void): Sample {
  const paths = pathsIn(root);
  const looked = new Set(spread(paths, LOOKED_AT));
  const counts = new Map<string, { notes: number; first: string }>();
  const perTag = new Map<string, number>();
  const perTarget = new Map<string, number>();
  const perFolder = new Map<string, number>();
  let bytes = 0;
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    const note = plainNote(path, text);
    bytes += text.length;
    each(note);
    for (const tag of new Set(note.tags)) perTag.set(tag, (perTag.get(tag) ?? 0) + 1);
    const own = path.slice(path.lastIndexOf("/") + 1, -3);
    for (const link of new Set(note.links))
      if (link !== own) perTarget.set(link, (perTarget.get(link) ?? 0) + 1);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
    if (looked.has(path))
      for (const word of wordsOf(text.replace(/^---\n[^]*?\n---\n/, ""))) {
        const known = counts.get(word);
        if (known) known.notes++;
        else counts.set(word, { notes: 1, first: path });
      }
  }
  const byCount = [...counts].toSorted(([, a], [, b]) => b.notes - a.notes);
  const share = (from: number, to: number) =>
    byCount.filter(([, { notes }]) => notes >= from * looked.size && notes <= to * looked.size);
  const middle = share(0.005, 0.02);
  const names = new Map(paths.map((path) => [path.slice(path.lastIndexOf("/") + 1, -3), path]));
  return {
    paths,
    bytes,
    reads: spread(
      paths.filter((path) => !path.startsWith("hubs/")),
      50,
    ),
    rare: spread(
      byCount.filter(([word, { notes }]) => notes === 1 && /\d/.test(word)),
      EACH,
    ).map(query),
    mid: spread(middle, EACH).map(query),
    two: spread(middle, 2 * EACH)
      .map(query)
      .flatMap((one, at, all) =>
        at % 2 === 0 && all[at + 1] ? [{ ...one, words: [...one.words, ...all[at + 1]!.words] }] : [],
      ),
    common: byCount.slice(0, EACH).map(query),
    tags: spread([...perTag], EACH).map(([tag, notes]) => ({ tag, notes })),
    folders: spread(
      [...perFolder].filter(([folder, notes]) => folder !== "" && notes > 5),
      EACH,
    ).map(([folder, notes]) => ({ folder, notes })),
    targets: spread(
      [...perTarget].filter(([name]) => names.has(name)),
      EACH,
    ).map(([name, sources]) => ({ path: names.get(name)!, sources })),
  };
}
