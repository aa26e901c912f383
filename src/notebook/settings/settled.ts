/** Filters that hang on the vault's settings, settled: which notes are called by a day, and which a search leaves out. */

import type { Locale } from "../calendar/locales.ts";
import { periodNamed } from "../calendar/parse.ts";
import type { Filter, Found, Page } from "../filter.ts";
import type { Notebook } from "../notebook.ts";
import type { NoteIndex } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { DEFAULT_FORMATS } from "./period-places.ts";
import type { PeriodSetting, VaultSettings } from "./vault-settings.ts";

type Known = { settings(): Promise<VaultSettings>; index: NoteIndex; locale: Locale };

/** The filter with `is:daily` and `is:hidden` as the notes they stand for. */
export async function settledFilter(filter: Filter, { settings, index, locale }: Known): Promise<Filter> {
  if (!mentions(filter, "daily") && !mentions(filter, "hidden")) return filter;
  const { periods, ignored } = await settings();
  const settle = (each: Filter): Filter => {
    if ("all" in each) return { all: each.all.map(settle) };
    if ("any" in each) return { any: each.any.map(settle) };
    if ("not" in each) return { not: settle(each.not) };
    if (!("is" in each)) return each;
    if (each.is === "hidden") return { among: hiddenIn(index, ignored), as: "hidden" };
    // What is called by a day in the usual way is a daily note wherever it lies, as it is without settings.
    return each.is === "daily"
      ? { any: [each, ...periods.day.map((one) => dailyBy(one, index, locale))] }
      : each;
  };
  return settle(filter);
}

function mentions(filter: Filter, state: "daily" | "hidden"): boolean {
  const within =
    "all" in filter ? filter.all : "any" in filter ? filter.any : "not" in filter ? [filter.not] : [];
  return ("is" in filter && filter.is === state) || within.some((each) => mentions(each, state));
}

function dailyBy({ folder, format }: PeriodSetting, index: NoteIndex, locale: Locale): Filter {
  const skipped = folder === "" ? 0 : folder.length + 1;
  const isDaily = (path: NotePath): boolean =>
    periodNamed(path.slice(skipped, -3).normalize("NFC"), format || DEFAULT_FORMATS.day, locale, "day") !==
    null;
  return { among: new Set([...index.stamps({ folder, depth: "deep" }).keys()].filter(isDaily)), as: "daily" };
}

function hiddenIn(index: NoteIndex, { prefixes, patterns, found }: VaultSettings["ignored"]): Set<NotePath> {
  if (prefixes.length === 0 && patterns === 0) return new Set();
  const isHidden = (path: string): boolean => prefixes.some((one) => path.startsWith(one)) || found(path);
  return new Set([...index.stamps().keys()].filter((path) => isHidden(path.normalize("NFC"))));
}

/** Finds what a person would in Obsidian: without what the settings leave out, unless the filter asks for it; and how many that leaves out. */
export async function findVisible(
  notebook: Pick<Notebook, "find" | "settings">,
  filter: Filter,
  page: Page,
): Promise<Found & { hidden: number }> {
  const { prefixes, patterns } = (await notebook.settings()).ignored;
  if ((prefixes.length === 0 && patterns === 0) || mentions(filter, "hidden"))
    return { ...(await notebook.find(filter, page)), hidden: 0 };
  const parts = "all" in filter ? filter.all : [filter];
  const found = await notebook.find({ all: [...parts, { not: { is: "hidden" } }] }, page);
  const hidden = await notebook.find({ all: [...parts, { is: "hidden" }] }, { limit: 1, sort: "path" });
  return { ...found, hidden: hidden.total };
}
