/** The command `check`: what in a vault is broken, odd or left over, for people and for scripts. */

import { escaped, printableJson } from "../markdown/label.ts";
import type { Group, Survey } from "../notebook/check.ts";
import { failureLine } from "../protocol/failure.ts";
import { openFolder } from "../vault/open.ts";
import { progressOn } from "./progress.ts";
import { placesOf, usageError, vaultOf, type Environment, type Settings } from "./settings.ts";
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

export const surveyText = (survey: Survey, paint: Paint): string => {
  const notes = `${survey.notes.toLocaleString("en-US")} notes looked at`;
  const found = survey.groups
    .filter((group) => group.count > 0)
    .map((group) => `${groupText(group, paint)}\n`);
  const verdict = survey.needsPerson ? "some of it needs you." : "nothing needs you.";
  return `${found.join("")}${notes}; ${verdict}\n`;
};

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  if (rest.length > 1) throw usageError(`check takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const root = vaultOf(rest[0], "", environment);
  if (root === null)
    throw usageError("No vault is named. Give its folder: notewright check FOLDER, or set NOTEWRIGHT_VAULT.");
  const open = await openFolder(root, {
    readOnly: true,
    ...placesOf(values),
    durability: "full",
    history: true,
    timeZone: undefined,
    environment,
    report: (what, error) => void process.stderr.write(`notewright: ${failureLine(what, error)}\n`),
    tell: () => undefined,
  });
  try {
    await open.notebook.refresh(progressOn(process.stderr, environment));
    const progress = progressOn(process.stderr, environment, { doing: "Checking", done: "checked" });
    const asking = open.notebook.as({ ...WHO, progress });
    const survey = await asking.survey(values.json ? {} : { first: SHOWN });
    process.stdout.write(
      values.json ? `${printableJson(survey)}\n` : surveyText(survey, painter(process.stdout, environment)),
    );
    if (survey.needsPerson) process.exitCode = 1;
  } finally {
    await open.close();
  }
};
