/** Which note is the one of a day, week, month, quarter or year: one that is there already, else where the vault's settings put it. */

import { NoteError } from "../../markdown/errors.ts";
import { formatted, weeksOf } from "../calendar/format.ts";
import { LOCALES, localeNamed, type Locale } from "../calendar/locales.ts";
import { periodNamed } from "../calendar/parse.ts";
import { beginOf, type Period } from "../calendar/weeks.ts";
import type { Notebook } from "../notebook.ts";
import { folderOf, nameOf, notePath, type NotePath } from "../paths.ts";
import { joined } from "../vault-path.ts";
import type { PeriodSetting } from "./vault-settings.ts";

export const DEFAULT_FORMATS: Record<Period, string> = {
  day: "YYYY-MM-DD",
  week: "gggg-[W]ww",
  month: "YYYY-MM",
  quarter: "YYYY-[Q]Q",
  year: "YYYY",
};
/** Where notes of a period go in a vault that is not Obsidian's and has none yet. */
const FOLDERS: Record<Period, string> = {
  day: "Daily",
  week: "Weekly",
  month: "Monthly",
  quarter: "Quarterly",
  year: "Yearly",
};

/** The place of a period's note. `setting`: what says so; null where none does. */
export type PeriodPlace = {
  period: Period;
  /** Its first day, as a midnight in UTC. */
  begin: Date;
  path: NotePath;
  exists: boolean;
  setting: PeriodSetting | null;
};

/** `day`: as `yyyy-MM-dd`. */
export async function periodPlace(notebook: Notebook, period: Period, day: string): Promise<PeriodPlace> {
  await notebook.ready();
  const settings = await notebook.settings();
  const within = new Date(`${day}T00:00:00Z`);
  const settled = [...settings.periods[period], ...(settings.obsidian ? [rootSetting()] : [])];
  const placed = settled.map((setting) => placeBy(notebook, period, within, setting));
  for (const { place } of placed)
    if (place !== null && (await isThere(notebook, place.path))) return { ...place, exists: true };
  const begin = beginOf(period, within, notebook.locale);
  const name = formatted({ wall: begin, offset: 0 }, DEFAULT_FORMATS[period], notebook.locale);
  const setting = settled[0] ?? null;
  const called = await notebook.find({ name }, { limit: 1, sort: "path" });
  if (called.notes[0]) return { period, begin, path: called.notes[0].path, exists: true, setting };
  if (placed[0]) {
    if (placed[0].place === null) throw placed[0].refusal;
    return { ...placed[0].place, exists: false };
  }
  const folder = (await folderOfOthers(notebook, period, name)) ?? FOLDERS[period];
  return { period, begin, path: notePath(`${joined(folder, name)}.md`), exists: false, setting };
}

const rootSetting = (): PeriodSetting => ({
  folder: "",
  format: "",
  template: "",
  file: ".obsidian/daily-notes.json",
});

type Placed = { place: Omit<PeriodPlace, "exists">; refusal: null } | { place: null; refusal: NoteError };

function placeBy(
  { locale }: Pick<Notebook, "locale">,
  period: Period,
  day: Date,
  setting: PeriodSetting,
): Placed {
  const format = setting.format || DEFAULT_FORMATS[period];
  const begin = beginOf(period, day, weeksOf(format, locale));
  const name = formatted({ wall: begin, offset: 0 }, format, locale);
  try {
    return {
      place: { period, begin, path: notePath(`${joined(setting.folder, name)}.md`), setting },
      refusal: null,
    };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return {
      place: null,
      refusal: new NoteError(
        error.code,
        `The settings in ${setting.file} put the note of that ${period} at a place that is refused. ${error.message}`,
        error.details,
      ),
    };
  }
}

const isThere = async (notebook: Notebook, path: NotePath): Promise<boolean> =>
  (await notebook.find({ path }, { limit: 1, sort: "path" })).total > 0;

/** The folder of the newest other note that is called by such a period. */
async function folderOfOthers(notebook: Notebook, period: Period, name: string): Promise<string | null> {
  for (const part of [name.slice(0, 8), name.slice(0, 5), "20"]) {
    const { notes } = await notebook.find({ name: part, part: true }, { limit: 500, sort: "modified" });
    const other = notes.find(
      (note) => periodNamed(note.name, DEFAULT_FORMATS[period], notebook.locale, period) !== null,
    );
    if (other) return folderOf(other.path);
  }
  return null;
}

/** How many notes of a folder are looked at to tell which language they are named in. */
const LOOKED_AT = 500;

/** Refuses to begin a note where those beside it are named in another language than ours would be. */
export async function checkLanguage(
  notebook: Notebook,
  { period, path, setting }: PeriodPlace,
): Promise<void> {
  if (setting === null || setting.format === "") return;
  const { folder } = setting;
  const page = { limit: LOOKED_AT, sort: "modified" } as const;
  const { notes } = await notebook.find(folder === "" ? { all: [] } : { folder, deep: true }, page);
  const other = otherLanguage(
    notes.map((note) => note.path),
    period,
    setting,
    notebook.locale,
  );
  if (other === null) return;
  throw new NoteError(
    "input_refused",
    `"${other.name}.md" is named in another language (${other.locale}) than "${nameOf(path)}.md" would be, so nothing was made. Start Notewright with --locale ${other.locale}, and notes are named as Obsidian names them.`,
    { path, locale: other.locale },
  );
}

/** The language that notes of a period are named in, where it is not ours; with the first of them, from the setting's folder on. */
export function otherLanguage(
  paths: readonly NotePath[],
  period: Period,
  { folder, format }: PeriodSetting,
  ours: Locale,
): { name: string; locale: string } | null {
  if (format === "") return null;
  const names = paths
    .slice(0, LOOKED_AT)
    .map((path) => path.slice(folder === "" ? 0 : folder.length + 1, -3).normalize("NFC"));
  const fits = (locale: Locale) => names.find((name) => periodNamed(name, format, locale, period));
  if (fits(ours) !== undefined) return null;
  for (const locale of LOCALES) {
    const name = fits(localeNamed(locale)!);
    if (name !== undefined) return { name, locale };
  }
  return null;
}

/** Why a setting puts the note of a day's period nowhere; null where it has a place. */
export const placeTrouble = (
  period: Period,
  setting: PeriodSetting,
  day: Date,
  locale: Locale,
): string | null => placeBy({ locale }, period, day, setting).refusal?.message ?? null;
