/** A made vault: the same for the same size, about 3 kB a note, tags, 3 to 8 links each, words as rare and common as in prose. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Small and repeatable; not for secrets. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const SYLLABLES = "ka lo mi ren sta vel dor an ti pu gre sol na wy be chu far mon eli tas".split(" ");
const VOCABULARY = 20_000;

/** Each number is always the same word. */
export function word(number: number): string {
  let text = "";
  for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 20)) text += SYLLABLES[rest % 20];
  return text;
}

const FOLDERS = 100;
export const noteName = (number: number): string => `Note ${number}`;
export const notePathOf = (number: number): string => `folder ${number % FOLDERS}/${noteName(number)}.md`;

export function noteText(number: number, size: number): string {
  const roll = dice(number + 1);
  const below = (most: number) => Math.floor(roll() * most);
  // Zipf: the rank of a word falls with a power of the dice.
  const some = () => word(Math.floor(VOCABULARY ** roll()) - 1);
  const sentence = (length: number) => `${Array.from({ length }, some).join(" ")}.`;
  const link = () => `[[${noteName(below(size))}${roll() < 0.2 ? "|see this" : ""}]]`;
  const links = Array.from({ length: 3 + below(6) }, link);
  const tags = Array.from({ length: 1 + below(3) }, () => `topic/${word(below(40))}`);
  const paragraphs = Array.from({ length: 7 }, (_, at) => {
    const text = Array.from({ length: 5 }, () => sentence(8 + below(8))).join(" ");
    return `## ${word(below(500))} ${word(below(500))}\n\n${text} ${links[at] ?? ""}\n`;
  });
  const rest = links.slice(7).map((one) => `- ${one}`);
  return [
    "---",
    `title: ${noteName(number)}`,
    `tags: [${[...new Set(tags)].join(", ")}]`,
    `created: 2026-01-${String(1 + (number % 28)).padStart(2, "0")}`,
    "---",
    `# ${noteName(number)}`,
    "",
    `unique${number}x ${sentence(10)}`,
    "",
    ...paragraphs,
    ...rest,
    "",
  ].join("\n");
}

export function makeVault(root: string, size: number): number {
  let bytes = 0;
  for (let folder = 0; folder < Math.min(FOLDERS, size); folder++)
    mkdirSync(join(root, `folder ${folder}`), { recursive: true });
  for (let number = 0; number < size; number++) {
    const text = noteText(number, size);
    bytes += Buffer.byteLength(text);
    writeFileSync(join(root, notePathOf(number)), text);
  }
  return bytes;
}

/** The same notes, all in one folder. */
export function makeFlatVault(root: string, size: number): void {
  mkdirSync(join(root, "all"), { recursive: true });
  for (let number = 0; number < size; number++)
    writeFileSync(join(root, `all/${noteName(number)}.md`), noteText(number, size));
}
