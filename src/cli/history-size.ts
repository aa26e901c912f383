/** `history --size`: how much of the disk the history takes, and which notes take it. */

import { bytesText } from "../markdown/bytes-text.ts";
import { escaped, printableJson } from "../markdown/label.ts";
import { objectSizes, spaceOf, type Space } from "../history/space.ts";
import { historyAt, realFolder } from "../vault/places.ts";
import { countOf } from "./note-lines.ts";
import { plural } from "./progress.ts";
import { folderSettings, say, type Opened } from "./opened-vault.ts";
import { page } from "./pager.ts";
import type { Environment, Settings } from "./settings.ts";
import { painter } from "./terminal.ts";

/** So many notes are named; a script gets all. */
const NAMED = 20;
const MOST = 1_000_000;

type Taken = { path: string; versions: number; bytes: number };
type Sizes = Space & { revisions: number; notes: Taken[] };

export async function showSize(open: Opened, settings: Settings, environment: Environment): Promise<void> {
  const place = historyAt(
    realFolder(open.vault.root),
    folderSettings(settings, environment, { readOnly: true }),
  );
  const revisions = await open.history.log({ limit: MOST });
  if (!place || revisions.length === 0) {
    say("No changes are recorded.");
    process.exitCode = 1;
    return;
  }
  const objects = objectSizes({ ...place, durable: false });
  const taken = new Map<string, Taken>();
  const counted = new Set<string>();
  for (const { changes } of revisions)
    for (const { path, version } of changes) {
      if (version === null || counted.has(version)) continue;
      counted.add(version);
      const note = taken.get(path) ?? { path, versions: 0, bytes: 0 };
      taken.set(path, { path, versions: note.versions + 1, bytes: note.bytes + (objects.get(version) ?? 0) });
    }
  const notes = [...taken.values()].toSorted((one, other) => other.bytes - one.bytes);
  const sizes: Sizes = { ...spaceOf(place), revisions: revisions.length, notes };
  if (settings.values.json) process.stdout.write(`${printableJson(sizes)}\n`);
  else await page(sizeText(sizes, painter(process.stdout, environment)), environment);
}

function sizeText(
  { total, packed, loose, pending, revisions, notes }: Sizes,
  paint: ReturnType<typeof painter>,
) {
  const texts = notes.reduce((sum, { bytes }) => sum + bytes, 0);
  const row = (bytes: number, what: string): string => `${bytesText(bytes).padStart(9)}  ${what}\n`;
  const named = notes.slice(0, NAMED);
  const left = notes.slice(NAMED);
  return [
    `${paint(1, bytesText(total))} for ${countOf(revisions)} ${revisions === 1 ? "revision" : "revisions"}: `,
    `${bytesText(packed)} packed, ${bytesText(loose)} loose, ${bytesText(pending)} pending.\n\n`,
    row(texts, `texts of ${plural(notes.length, "note")}, of which`),
    ...named.map(({ path, versions, bytes }) =>
      row(
        bytes,
        `  ${escaped(path)}${paint(2, `, ${countOf(versions)} ${versions === 1 ? "version" : "versions"}`)}`,
      ),
    ),
    ...(left.length === 0
      ? []
      : [
          row(
            left.reduce((sum, { bytes }) => sum + bytes, 0),
            `  ${countOf(left.length)} others (--json lists all)`,
          ),
        ]),
    row(Math.max(0, total - texts), "lists of folders, revisions, and what git keeps beside them"),
  ].join("");
}
