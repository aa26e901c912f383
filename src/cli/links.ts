/** The command `links`: where a note's links lead, and which notes link to it. */

import { escaped, label, printableJson } from "../markdown/label.ts";
import type { Link } from "../notebook/link-graph.ts";
import { presentNote } from "./named-note.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { progressOn } from "./progress.ts";
import { notesIn } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";

const jsonLine = ({ source, path, target, line, context }: Link): string =>
  `${printableJson({ from: source, to: path ?? target, line, broken: path === null, text: context })}\n`;

const pretty = (link: Link, way: "→" | "←", paint: Paint): string => {
  const other = way === "←" ? link.source : link.path;
  const name = other === null ? `${label(link.target)} ${paint(31, "(broken)")}` : escaped(other);
  return `${way} ${name}  ${paint(2, `line ${link.line}: ${escaped(link.context)}`)}\n`;
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { notes, vault } = notesIn(settings.rest);
  const [written, ...more] = notes;
  if (written === undefined || more.length > 0)
    throw usageError("links takes a note and a vault: notewright links NOTE [VAULT]");
  const opening = { call: "links NOTE ~/Notes", folder: vault, to: "look" } as const;
  await withVault(opening, settings, environment, async (open) => {
    const { notebook } = open;
    await notebook.refresh(progressOn(process.stderr, environment));
    const { path } = (await presentNote(open, written, environment)).note;
    const out = await notebook.links({ from: path });
    const into = (await notebook.links({ to: path })).filter(({ source }) => source !== path);
    const paint = painter(process.stdout, environment);
    const lines = settings.values.json
      ? [...out, ...into].map(jsonLine)
      : [...out.map((link) => pretty(link, "→", paint)), ...into.map((link) => pretty(link, "←", paint))];
    await page(lines.join(""), environment);
    if (lines.length > 0) return;
    say(`"${escaped(path)}" has no links, and no note links to it.`);
    process.exitCode = 1;
  });
};
