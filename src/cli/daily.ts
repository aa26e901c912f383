/** The command `daily`: what the tool `daily_note` does, for a person. */

import { escaped } from "../markdown/label.ts";
import { dailyNote } from "../surfaces/native/tools/daily.ts";
import { SOMEONE } from "../vault/open.ts";
import { say, withVault } from "./opened-vault.ts";
import { page } from "./pager.ts";
import { progressOn } from "./progress.ts";
import { vaultLast } from "./recorded.ts";
import { pasted } from "./shell-word.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { lineEnded, printable } from "./terminal.ts";

/** The tool's answer as data: the note as it was read, or where it would be; or what was written. */
type Answered = { structured: { notes: string[]; text?: string; path?: string; revision?: string } };

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values } = settings;
  const { words, vault } = vaultLast(settings.rest);
  const [text, ...more] = words;
  if (more.length > 0)
    throw usageError("daily takes a text and a vault; put a text of several words in quotes.");
  if (text?.trim() === "") throw usageError("daily was given an empty text. Leave it out to read the note.");
  const to = text === undefined ? "look" : "change";
  await withVault({ call: "daily TEXT ~/Notes", folder: vault, to }, settings, environment, async (open) => {
    if (to === "look") await open.notebook.refresh(progressOn(process.stderr, environment));
    const client = values["outside-author"] ?? SOMEONE;
    const notebook = open.notebook.as({ client, surface: "cli", tool: "daily", connection: "", remark: say });
    const { structured } = (await dailyNote.run(notebook, { date: values.date, text })) as Answered;
    const handle = structured.notes[0];
    if (handle === undefined) {
      say(`There is no note for that day yet. With a text, "${escaped(structured.path ?? "")}" is begun.`);
      process.exitCode = 1;
    } else if (text === undefined) {
      const shown = structured.text!;
      await page(process.stdout.isTTY ? printable(lineEnded(shown)) : shown, environment);
    } else {
      const path = handle.slice(0, handle.lastIndexOf("@"));
      const { revision } = structured;
      const back = revision ? ` To take that back: ${pasted(["undo", revision], open.vault)}` : "";
      say(`Added to "${escaped(path)}".${back}`);
    }
  });
};
