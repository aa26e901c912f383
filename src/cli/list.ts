/** The command `list`: the paths of notes. */

import { closestWord } from "../markdown/closest-word.ts";
import { label, printableJson } from "../markdown/label.ts";
import type { Page } from "../notebook/filter.ts";
import { folderPath } from "../notebook/paths.ts";
import { noteData, pathLine } from "./note-lines.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { progressOn } from "./progress.ts";
import { vaultLast } from "./recorded.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";

const MOST = 1_000_000;

const sayNothing = async ({ notebook }: Opened, folder: string): Promise<void> => {
  if (folder === "") return say("There is no .md file in that folder, nor below it.");
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
  const closest = closestWord(
    folder,
    (await notebook.folders(parent)).map(({ name }) => name),
  );
  say(`There is no note below "${label(folder)}".${closest ? ` Did you mean "${label(closest)}"?` : ""}`);
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values } = settings;
  const { words, vault } = vaultLast(settings.rest);
  const [written = "", ...more] = words;
  if (more.length > 0) throw usageError(`list takes one folder and a vault, not: ${settings.rest.join(" ")}`);
  const folder = folderPath(written);
  const limit = Number(values.limit ?? MOST);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageError(`--limit is a number from 1 to ${MOST}.`);
  const sort = (values.sort ?? "path") as Page["sort"];
  const opening = { call: "list ~/Notes", folder: vault, to: "look" } as const;
  await withVault(opening, settings, environment, async (open) => {
    // The history tells when notes were modified.
    await open.history.log({ limit: 1 }).catch(() => undefined);
    await open.notebook.refresh(progressOn(process.stderr, environment));
    const { notes } = await open.notebook.find({ folder, deep: true }, { limit, sort });
    const lines = notes.map((note) =>
      values.json ? `${printableJson(noteData(note))}\n` : pathLine(note.path, values, process.stdout),
    );
    await page(lines.join(""), environment);
    if (notes.length > 0) return;
    await sayNothing(open, folder);
    process.exitCode = 1;
  });
};
