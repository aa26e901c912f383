/** The command `history`: who changed what, and when. */

import { label, printableJson } from "../markdown/label.ts";
import type { Revision } from "../notebook/parts.ts";
import { requiredMoment } from "../notebook/moments.ts";
import { showSize } from "./history-size.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { noteNamed, sayAuthors, wordsIn } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";
import { localTime, timeAgo } from "./times.ts";

const SHORT_ID = 10;
const MOST = 100_000;

const line = (revision: Revision, now: Date, timeZone: string, paint: Paint): string => {
  const { id, date, author, message, surface, tool, acceptedBy, touched } = revision;
  const by = [surface, tool].filter(Boolean).join(" ");
  const head = [
    paint(33, id.slice(0, SHORT_ID)),
    `${timeAgo(date, now)} (${localTime(date, timeZone)})`,
    paint(1, label(author)),
    ...(by === "" ? [] : [paint(2, label(by))]),
    ...(acceptedBy ? [`accepted by ${label(acceptedBy)}`] : []),
  ];
  const notes = touched > 1 ? ` (${touched.toLocaleString("en-US")} notes)` : "";
  return `${head.join("  ")}\n    ${label(message.split("\n")[0]!)}${notes}\n`;
};

const jsonLine = ({ changes, ...revision }: Revision): string =>
  `${printableJson({ ...revision, changes: changes.map(({ path, from }) => ({ path, from })) })}\n`;

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  const { revisions, notes, vault } = wordsIn(rest);
  const [written, ...more] = [...notes, ...revisions];
  if (more.length > 0)
    throw usageError(`history takes one note and a vault. There is no folder "${rest.at(-1)}".`);
  const limit = Number(values.limit ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageError(`--limit is a number from 1 to ${MOST}.`);

  const opening = { call: "history ~/Notes", folder: vault, to: "look" } as const;
  await withVault(opening, settings, environment, async (open) => {
    if (values.size !== undefined) return showSize(open, settings, environment);
    const { notebook } = open;
    const since = values.since === undefined ? undefined : requiredMoment(values.since, notebook);
    const path = written === undefined ? undefined : await noteNamed(open, written, environment);
    const found = await notebook.log({
      ...(path === undefined ? {} : { path }),
      ...(values.author === undefined ? {} : { author: values.author }),
      ...(since === undefined ? {} : { since }),
      limit: limit + 1,
    });
    const paint = painter(process.stdout, environment);
    const lines = found
      .slice(0, limit)
      .map((revision) =>
        values.json ? jsonLine(revision) : line(revision, notebook.now(), notebook.timeZone, paint),
      );
    await page(lines.join(""), environment);
    if (found.length === 0) {
      if (values.author !== undefined) await sayAuthors(open.history, values.author);
      say("No changes are recorded.");
      process.exitCode = 1;
    } else if (found.length > limit && limit < MOST && !values.json)
      say(`There are more; --limit ${Math.min(MOST, limit * 10)} shows more of them.`);
  });
};
