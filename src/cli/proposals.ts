/** The command `proposals`: what waits for the owner, and what one of them would do to the notes as they are now. */

import { bytesText } from "../markdown/bytes-text.ts";
import { escaped, label, printableJson } from "../markdown/label.ts";
import { encodeText } from "../notebook/note.ts";
import type { SettledLine } from "../notebook/proposals/proposal.ts";
import type { ProposalInfo, ShownNote } from "../notebook/proposals/proposals.ts";
import { diffText, linesBetween } from "./diff-text.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { vaultLast } from "./recorded.ts";
import { pasted } from "./shell-word.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";
import { timeAgo } from "./times.ts";

const NAMED = 5;

/** What it is about, in a few words. */
function notesOf({ notes, linking }: ProposalInfo): string {
  const named = notes.slice(0, NAMED).map(({ path, origin, kind, file }) => {
    const name = file === null ? label(path) : `${label(path)} (a file of ${bytesText(file)})`;
    if (kind === "new" && file !== null) return `bring back ${name}`;
    if (kind === "moved") return `move ${label(origin ?? "")} to ${name}`;
    return `${{ new: "create", edited: "change", removed: "remove" }[kind]} ${name}`;
  });
  const more = notes.length > NAMED ? [`and ${notes.length - NAMED} more`] : [];
  const links =
    linking.length === 0 ? [] : [`links in ${linking.length} other note${linking.length === 1 ? "" : "s"}`];
  return [...named, ...more, ...links].join(", ");
}

const line = (info: ProposalInfo, now: Date, paint: Paint): string => {
  const { by } = info;
  const who = by.program === undefined ? by.client : `${by.client} (${by.program})`;
  const head = [paint(33, info.id), timeAgo(info.last, now), paint(1, label(who)), paint(2, label(by.tool))];
  return `${head.join("  ")}\n    ${notesOf(info)}\n`;
};

const settledLine = ({ id, at, outcome, by, client, tool, notes, path }: SettledLine, now: Date): string =>
  `${id}  ${outcome} ${timeAgo(at, now)} by ${label(by)}: ${label(client)} ${label(tool)}, ${notes} note${notes === 1 ? "" : "s"}, ${label(path)}\n`;

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : encodeText(text));

const FILE = { new: "is brought back from the trash", edited: "stays", removed: "goes to the trash" };

/** What would happen to one note, or why it cannot. */
function shownText(
  { path, origin, kind, file, now, result, conflict, diff }: ShownNote,
  paint: Paint,
): string {
  if (conflict) {
    const sides = linesBetween(bytesOf(conflict.now), bytesOf(conflict.proposed), paint);
    return `${paint(1, escaped(path))}: it ${escaped(conflict.reason)} (- as it is now, + as proposed)\n${sides}`;
  }
  if (file !== null) {
    const what = kind === "moved" ? `is moved from ${escaped(origin ?? "")}` : FILE[kind];
    return `${paint(1, escaped(path))} ${what} (a file of ${bytesText(file)})\n`;
  }
  if (diff === null) return `${paint(1, escaped(path))} (not UTF-8 text)\n`;
  const from = kind === "moved" && origin !== null ? { from: origin } : {};
  const before = kind === "new" ? null : bytesOf(now);
  return diffText({ path, ...from, before, after: kind === "removed" ? null : bytesOf(result) }, paint);
}

async function showOne({ notebook, vault }: Opened, id: string, environment: Environment, json: boolean) {
  // Which links follow a move is asked of the index.
  await notebook.refresh();
  const proposal = await notebook.proposals.one(id);
  if (json) return void process.stdout.write(`${printableJson(proposal)}\n`);
  const paint = painter(process.stdout, environment);
  const texts = proposal.shown.map((note) => shownText(note, paint));
  await page([line(proposal, notebook.now(), paint), ...texts].join("\n"), environment);
  say(
    `To write it: ${pasted(["accept", proposal.id], vault)}\nTo drop it: ${pasted(["decline", proposal.id], vault)}`,
  );
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  const { words, vault } = vaultLast(rest);
  const [id, ...more] = words;
  if (more.length > 0)
    throw usageError(`proposals takes one id and a vault. There is no folder "${rest.at(-1)}".`);
  const json = values.json !== undefined;
  await withVault(
    { call: "proposals ~/Notes", folder: vault, to: "look" },
    settings,
    environment,
    async (open) => {
      if (id !== undefined) return showOne(open, id, environment, json);
      const { proposals, now } = open.notebook;
      const paint = painter(process.stdout, environment);
      const settled = values["closed"] === undefined ? null : await proposals.settled();
      const found = settled ?? (await proposals.list());
      if (found.length === 0) return say(settled ? "None was declined." : "Nothing waits for you.");
      const lines = json
        ? found.map((one) => `${printableJson(one)}\n`)
        : settled
          ? settled.map((one) => settledLine(one, now()))
          : (await proposals.list()).map((one) => line(one, now(), paint));
      await page(lines.join(""), environment);
    },
  );
};
