/** The command `check`: what in a vault is broken, odd or left over, for people and for scripts. */

import { bytesText } from "../markdown/bytes-text.ts";
import { escaped, printableJson } from "../markdown/label.ts";
import type { Group, Survey } from "../notebook/check.ts";
import { historyKept, indexKept } from "../vault/sizes.ts";
import { folderSettings, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { plural, progressOn } from "./progress.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter, type Paint } from "./terminal.ts";

/** So many of each group are shown; a script gets all. */
const SHOWN = 10;
const WHO = { client: "notewright", surface: "cli", tool: "check", connection: "" };

const groupText = (group: Group, paint: Paint): string => {
  const lines = group.findings.map(({ path, detail }) =>
    escaped([path, detail].filter((part) => part !== "").join(": ")),
  );
  const left = group.count - group.findings.length;
  return [
    paint(1, `${group.what}: ${group.count.toLocaleString("en-US")}`),
    ...lines.map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left.toLocaleString("en-US")} more (--json lists all)`] : []),
    paint(2, `  → ${group.next}`),
    "",
  ].join("\n");
};

/** In bytes; null where there is none. */
type Sizes = { history: number | null; index: number };

const sizesText = ({ history, index }: Sizes): string =>
  `The history takes ${history === null ? "nothing yet" : bytesText(history)}, ${index === 0 ? "the index is not kept" : `the index ${bytesText(index)}`}.\n`;

export const surveyText = (survey: Survey, paint: Paint): string => {
  const notes = `${plural(survey.notes, "note")} looked at`;
  const found = survey.groups
    .filter((group) => group.count > 0)
    .map((group) => `${groupText(group, paint)}\n`);
  const verdict = survey.needsPerson ? "some of it needs you." : "nothing needs you.";
  return `${found.join("")}${notes}; ${verdict}\n`;
};

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  if (rest.length > 1) throw usageError(`check takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const opening = { call: "check ~/Notes", folder: rest[0], to: "look" } as const;
  await withVault(opening, settings, environment, async ({ notebook, vault }) => {
    await notebook.refresh(progressOn(process.stderr, environment));
    const progress = progressOn(process.stderr, environment, { doing: "Checking", done: "checked" });
    const survey = await notebook.as({ ...WHO, progress }).survey(values.json ? {} : { first: SHOWN });
    const places = folderSettings(settings, environment, { readOnly: true });
    const sizes = {
      history: historyKept(vault.root, places)?.bytes ?? null,
      index: indexKept(vault.root, places).bytes,
    };
    if (values.json) process.stdout.write(`${printableJson({ ...survey, sizes })}\n`);
    else {
      const text = surveyText(survey, painter(process.stdout, environment));
      await page(`${text}${sizesText(sizes)}`, environment);
    }
    if (survey.needsPerson) process.exitCode = 1;
  });
};
