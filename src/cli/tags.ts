/** The command `tags`: every tag of a vault, with how many notes have it. */

import { label, printableJson } from "../markdown/label.ts";
import { countOf } from "./note-lines.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { progressOn } from "./progress.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  if (rest.length > 1) throw usageError(`tags takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const opening = { call: "tags ~/Notes", folder: rest[0], to: "look" } as const;
  await withVault(opening, settings, environment, async ({ notebook }) => {
    await notebook.refresh(progressOn(process.stderr, environment));
    const tags = await notebook.tags("all");
    const width = Math.max(0, ...tags.map(({ count }) => countOf(count).length));
    const lines = tags.map(({ name, count }) =>
      values.json
        ? `${printableJson({ name, count })}\n`
        : `${countOf(count).padStart(width)}  ${label(name)}\n`,
    );
    await page(lines.join(""), environment);
    if (tags.length > 0) return;
    say("No note has a tag.");
    process.exitCode = 1;
  });
};
