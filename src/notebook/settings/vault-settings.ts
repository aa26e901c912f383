/** What Obsidian's settings files say that we heed: where periodic notes go, where templates are, what a search leaves out. Each file is hostile input: what cannot be used is named and left out. */

import { NoteError } from "../../markdown/errors.ts";
import { tooNested } from "../../markdown/nesting.ts";
import { FORMAT_LIMIT } from "../calendar/format.ts";
import type { Period } from "../calendar/weeks.ts";
import type { RuleReader } from "../rules.ts";
import type { SettingsPath } from "./settings-files.ts";

/** Where the notes of a period go. `folder` and `template` are as the file has them, without slashes around. */
export type PeriodSetting = {
  folder: string;
  /** "" for the usual one. */
  format: string;
  template: string;
  file: SettingsPath;
};

export type VaultSettings = {
  /** Whether there is an `.obsidian`, whatever is in it. */
  obsidian: boolean;
  /** In the order they count. */
  periods: Record<Period, PeriodSetting[]>;
  templates: { folder: string; date: string; time: string };
  /** What a search leaves out: paths that begin so, and those that one of the patterns is found in. */
  ignored: { prefixes: string[]; found(path: string): boolean; patterns: number };
  troubles: SettingsTrouble[];
};

/** A file, or a value in it, that cannot be used; `what` follows the file's name in a sentence. */
export type SettingsTrouble = { file: SettingsPath; what: string };

export type SettingsText = { path: SettingsPath; text: string };

const none = (): Record<Period, PeriodSetting[]> => ({ day: [], week: [], month: [], quarter: [], year: [] });
export const NO_SETTINGS: VaultSettings = {
  obsidian: false,
  periods: none(),
  templates: { folder: "", date: "", time: "" },
  ignored: { prefixes: [], found: () => false, patterns: 0 },
  troubles: [],
};

/** More than anybody writes by hand. */
const FILTERS_LIMIT = 100;
const TEXT_LIMIT = 1024;
const PLUGIN = "periodic-notes";

type Json = { readonly [key: string]: unknown };

export function readSettings(
  files: readonly SettingsText[],
  { pattern }: Pick<RuleReader, "pattern">,
  troubles: SettingsTrouble[],
): VaultSettings {
  const say = (file: SettingsPath, what: string): void => void troubles.push({ file, what });
  const json = (path: SettingsPath): unknown => {
    const file = files.find((one) => one.path === path);
    return file && parsed(file, say);
  };
  const object = (path: SettingsPath): Json => {
    const value = json(path);
    if (isObject(value)) return value;
    if (value !== undefined) say(path, "is no JSON object, and is left out");
    return {};
  };
  const text = (file: SettingsPath, from: Json, name: string): string => {
    const value = from[name];
    if (value === undefined || value === null) return "";
    if (typeof value === "string" && value.length <= TEXT_LIMIT) return value;
    say(file, `has a "${name}" that is no short text, and that is left out`);
    return "";
  };
  const setting = (file: SettingsPath, from: Json, template: string): PeriodSetting => {
    const format = text(file, from, "format").trim();
    if (format.length > FORMAT_LIMIT) say(file, "has a format that is too long, and that is left out");
    return {
      folder: bare(text(file, from, "folder")),
      format: format.length > FORMAT_LIMIT ? "" : format,
      template: bare(text(file, from, template)),
      file,
    };
  };

  const periods = none();
  const plugins = json(".obsidian/community-plugins.json");
  const PERIODIC = ".obsidian/plugins/periodic-notes/data.json";
  if (Array.isArray(plugins) && plugins.includes(PLUGIN)) {
    const data = object(PERIODIC);
    for (const [period, { from, template }] of Object.entries(enabledIn(data)) as [Period, Enabled][])
      periods[period].push(setting(PERIODIC, from, template));
  }
  const DAILY = ".obsidian/daily-notes.json";
  if (files.some(({ path }) => path === DAILY)) periods.day.push(setting(DAILY, object(DAILY), "template"));

  const TEMPLATES = ".obsidian/templates.json";
  const templates = object(TEMPLATES);
  return {
    obsidian: true,
    periods,
    templates: {
      folder: bare(text(TEMPLATES, templates, "folder")),
      date: text(TEMPLATES, templates, "dateFormat"),
      time: text(TEMPLATES, templates, "timeFormat"),
    },
    ignored: ignoredBy(object(".obsidian/app.json"), pattern, (what) => say(".obsidian/app.json", what)),
    troubles,
  };
}

function parsed({ path, text }: SettingsText, say: (file: SettingsPath, what: string) => void): unknown {
  const much = tooNested(text);
  if (much !== null) {
    say(path, `is left out: ${much}`);
    return undefined;
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    say(path, "is no JSON, and is left out");
    return undefined;
  }
}

type Enabled = { from: Json; template: "template" | "templatePath" };

/** The settings of periods that are turned on, in either shape that the plugin has written. */
function enabledIn(data: Json): Partial<Record<Period, Enabled>> {
  const sets: unknown[] = Array.isArray(data["calendarSets"]) ? data["calendarSets"] : [];
  const set = sets.find((one) => isObject(one) && one["id"] === data["activeCalendarSet"]) ?? sets[0];
  const [from, names, template] = isObject(set)
    ? ([set, ["day", "week", "month", "quarter", "year"], "templatePath"] as const)
    : ([data, ["daily", "weekly", "monthly", "quarterly", "yearly"], "template"] as const);
  const found: Partial<Record<Period, Enabled>> = {};
  (["day", "week", "month", "quarter", "year"] as const).forEach((period, at) => {
    const one = from[names[at]!];
    if (isObject(one) && one["enabled"] === true) found[period] = { from: one, template };
  });
  return found;
}

function ignoredBy(
  app: Json,
  pattern: RuleReader["pattern"],
  say: (what: string) => void,
): VaultSettings["ignored"] {
  const written = app["userIgnoreFilters"];
  if (written !== undefined && written !== null && !Array.isArray(written))
    say('has "userIgnoreFilters" that are no list, and they are left out');
  const filters: unknown[] = Array.isArray(written) ? written : [];
  if (filters.length > FILTERS_LIMIT) say(`has more than ${FILTERS_LIMIT} filters; the first of them count`);
  const prefixes: string[] = [];
  const patterns: { found(text: string): boolean }[] = [];
  for (const filter of filters.slice(0, FILTERS_LIMIT)) {
    if (typeof filter !== "string" || filter === "" || filter.length > TEXT_LIMIT) continue;
    if (filter.length < 2 || !filter.startsWith("/") || !filter.endsWith("/")) {
      prefixes.push(filter.normalize("NFC"));
      continue;
    }
    try {
      patterns.push(pattern(filter.slice(1, -1)));
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      say(`has a filter that is left out: ${error.message.replace(/\.$/, "")}`);
    }
  }
  return {
    prefixes,
    patterns: patterns.length,
    found: (path) => patterns.some((one) => one.found(path)),
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Obsidian takes a folder with slashes around it, and `/` for the vault itself. */
const bare = (folder: string): string => folder.trim().replace(/^\/+|\/+$/g, "");
