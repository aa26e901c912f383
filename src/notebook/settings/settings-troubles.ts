/** What of the vault's settings cannot be used, for who looks through the vault: files and values that were left out, places that are refused, and names in another language. */

import type { Locale } from "../calendar/locales.ts";
import { PERIODS } from "../calendar/weeks.ts";
import type { NotePath } from "../paths.ts";
import { otherLanguage, placeTrouble } from "./period-places.ts";
import type { SettingsTrouble, VaultSettings } from "./vault-settings.ts";

type Here = {
  /** The notes of the vault. */
  paths: readonly NotePath[];
  locale: Locale;
  now: Date;
};

export function settingsTroubles(
  { periods, troubles }: VaultSettings,
  { paths, locale, now }: Here,
): SettingsTrouble[] {
  const found = [...troubles];
  for (const period of PERIODS)
    for (const setting of periods[period]) {
      const { file, folder } = setting;
      const refused = placeTrouble(period, setting, now, locale);
      if (refused !== null) found.push({ file, what: `puts notes of a ${period} nowhere: ${refused}` });
      const beside = folder === "" ? paths : paths.filter((path) => path.startsWith(`${folder}/`));
      const other = otherLanguage(beside, period, setting, locale);
      if (other !== null)
        found.push({
          file,
          what: `has a format by which notes are named in another language (${other.locale}), such as "${other.name}.md"; start with --locale ${other.locale}`,
        });
    }
  return found;
}
