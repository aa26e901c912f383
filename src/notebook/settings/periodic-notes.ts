/** The note of a period, and what it begins with: the one answer that the tool `daily_note` and the command `daily` share. */

import { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import type { Period } from "../calendar/weeks.ts";
import type { Notebook } from "../notebook.ts";
import { nameOf } from "../paths.ts";
import { checkLanguage, DEFAULT_FORMATS, periodPlace, type PeriodPlace } from "./period-places.ts";
import { DATE, filled, lastOf, templateText, TIME, wallNow } from "./templates.ts";
import type { VaultSettings } from "./vault-settings.ts";

export type PeriodNote = PeriodPlace & {
  /** What it begins with, from this template or from that of the settings. Refused where it must not be made. */
  begun(template?: string): Promise<string>;
};

/** The note of the period that a day (`yyyy-MM-dd`) lies in. */
export async function periodNote(notebook: Notebook, period: Period, day: string): Promise<PeriodNote> {
  const settings = await notebook.settings();
  tellTroubles(notebook, settings);
  const place = await periodPlace(notebook, period, day);
  return {
    ...place,
    async begun(template) {
      await checkLanguage(notebook, place);
      const text = await chosenTemplate(notebook, place, template);
      if (text !== null) return filledFor(notebook, settings, place, text);
      // Obsidian shows a note's name above it, and begins it empty.
      return settings.obsidian ? "" : `# ${nameOf(place.path)}\n`;
    },
  };
}

/** A template that the settings name and that is gone keeps nobody from writing. */
async function chosenTemplate(
  notebook: Notebook,
  { setting }: PeriodPlace,
  asked: string | undefined,
): Promise<string | null> {
  if (asked !== undefined) return templateText(notebook, asked);
  if (setting === null || setting.template === "") return null;
  try {
    return await templateText(notebook, setting.template);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    notebook.who.remark?.(escaped(`The template that ${setting.file} names was not used: ${error.message}`));
    return null;
  }
}

function filledFor(
  notebook: Notebook,
  { templates }: VaultSettings,
  { period, begin, path, setting }: PeriodPlace,
  template: string,
): string {
  const now = wallNow(notebook);
  const format = setting?.format || DEFAULT_FORMATS[period];
  // The plugin for periods writes the date as it names the note.
  // The time of day is that of now, as in Obsidian.
  const time = now.wall.getTime() - new Date(now.wall.toISOString().slice(0, 10)).getTime();
  const at = { ...now, wall: new Date(begin.getTime() + time) };
  const plain = setting?.file.includes("/plugins/") || period !== "day" ? lastOf(format) : DATE;
  return filled(template, {
    title: nameOf(path),
    at,
    locale: notebook.locale,
    date: templates.date || plain,
    time: templates.time || TIME,
    period: { format },
  });
}

const SAID = 3;

/** What of the settings cannot be used is said with every such note, since it may lie elsewhere than it would. */
function tellTroubles(notebook: Notebook, { troubles }: VaultSettings): void {
  for (const { file, what } of troubles.filter((one) => !one.file.endsWith("app.json")).slice(0, SAID))
    notebook.who.remark?.(escaped(`${file} ${what}.`));
}
